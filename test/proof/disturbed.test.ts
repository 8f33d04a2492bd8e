// Checks whose hook is killed, doubled, or whose run is edited meanwhile.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../toy/scene.ts';
import { COMPLETE, eventually, lastEnd, lastStop, proofScene, type Scene } from './scene.ts';

async function loopWith(script: string): Promise<Scene> {
  const scene = proofScene();
  await scene.start(['idle', 'loop', '--max', '9', 'a task']);
  scene.pin([scene.check('test', script)]);
  return scene;
}

/** A check that runs until it is let go, and notes its process id. */
function waiting(): { script: string; pid(): number; letGo(): void; isStarted(): boolean } {
  const folder = fs.mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'holdfast-wait-'));
  const [pid, go] = [path.join(folder, 'pid'), path.join(folder, 'go')];
  return {
    script: `echo $$ >'${pid}.new'; mv '${pid}.new' '${pid}'; while [ ! -e '${go}' ]; do sleep 0.05; done`,
    pid: () => Number(fs.readFileSync(pid, 'utf8')),
    letGo: () => fs.writeFileSync(go, ''),
    isStarted: () => fs.existsSync(pid),
  };
}

describe('a hook that is ended while a check runs', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'by %s takes the check along, and the next stop takes the claim up again without a new signal',
    async (signal) => {
      const check = waiting();
      const scene = await loopWith(check.script);
      const { child, ended } = scene.beginStop(COMPLETE);
      await eventually('the check runs', check.isStarted);
      expect(scene.sidecar().attempts).toMatchObject([{ work: 'check', check: 'test', status: 'running' }]);
      child.kill(signal);
      expect(await ended).toBe('');
      await eventually('the check ends', () => !isRunning(check.pid()));
      expect(scene.receipts()).toEqual([]);
      check.letGo();
      const { answer } = await scene.stop('What was I saying?');
      expect(answer?.decision).toBeUndefined();
      expect(scene.runs('test')).toBe(2);
      expect(scene.sidecar().attempts).toEqual([]);
      expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'proven' });
    },
  );
});

describe('two hooks at once', () => {
  it('run one check: the other stop is allowed and says so', async () => {
    const check = waiting();
    const scene = await loopWith(check.script);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('already under way');
    expect(lastStop(scene)).toMatchObject({ unstepped: 'under-way', step: { kind: 'prove' } });
    expect((await scene.cli(['why'])).stdout).toContain('already under way');
    expect((await scene.cli(['replay', '1'])).stdout).toContain('same');
    check.letGo();
    await ended;
    expect(scene.runs('test')).toBe(1);
    expect(lastEnd(scene)).toMatchObject({ proof: 'proven' });
  });
});

describe('a run that changes while its check runs', () => {
  it('is cancelled: nothing is held and nothing is completed', async () => {
    const check = waiting();
    const scene = await loopWith(check.script);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    expect((await scene.cli(['idle', 'cancel'])).exitCode).toBe(0);
    check.letGo();
    expect(await ended).not.toContain('block');
    expect(lastEnd(scene)).toBeUndefined();
    expect(scene.read('.jwz/messages.jsonl').trim().split('\n').at(-1)).toContain('ABORT');
  });

  it('is edited: the edit stands, and so does the claim', async () => {
    const check = waiting();
    const scene = await loopWith(check.script);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    const message = JSON.parse(scene.read('.jwz/messages.jsonl').trim().split('\n').at(-1) ?? '');
    const body = JSON.parse(message.body);
    const edited = { ...body, note: 'of a person', stack: [{ ...body.stack[0], iter: 4 }] };
    const line = JSON.stringify({ ...message, id: `${message.id}X`, body: JSON.stringify(edited) });
    scene.write('.jwz/messages.jsonl', `${scene.read('.jwz/messages.jsonl')}${line}\n`);
    check.letGo();
    expect(await ended).toContain('done and proven');
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'proven' });
    expect(scene.read('.jwz/messages.jsonl').trim().split('\n').at(-1)).toContain('of a person');
    expect(scene.runs('test')).toBe(1);
  });

  it('whose files change meanwhile proves nothing by that run', async () => {
    const check = waiting();
    const scene = await loopWith(`${check.script}; test -e code.txt`);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    scene.write('code.txt', 'changed under it\n');
    check.letGo();
    expect(await ended).toContain('done and proven');
    expect(scene.runs('test')).toBe(2);
    expect(scene.receipts()).toHaveLength(1);
  });
});
