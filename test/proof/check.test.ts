// Checks as real processes: whatever one does, it ends, nothing of it is left, and what it said is known.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../src/engine/proof/types.ts';
import { type CheckScene, eventually, isRunning, makeCheckScene } from './checks.ts';

let scene: CheckScene;
beforeEach(async () => {
  const client = {
    CLAUDE_CODE_SESSION_ID: 's',
    CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
    CLAUDECODE: '1',
    CODEX_THREAD_ID: 't',
  };
  const ours = { HOLDFAST_DISABLE: '1', HOLDFAST_EXTRA_CA_CERTS: '/certificates' };
  scene = await makeCheckScene({ ...client, ...ours, GEMINI_CLI: '1', MINE: 'kept' });
});
afterEach(() => scene.end());
const at = (file: string): string => path.join(scene.root, file);

describe('a check', () => {
  it('has its output kept in order, the user’s environment without the client’s and ours, and no input', async () => {
    const { log, tail } = await scene.check({ run: 'echo one; echo two >&2; cat; env' });
    expect([log.startsWith('one\ntwo\n'), tail.length > 0]).toEqual([true, true]);
    const names = log.split('\n').map((line) => line.split('=')[0] ?? '');
    expect(names.filter((name) => /^(CLAUDE|CODEX|GEMINI|HOLDFAST)/.test(name))).toEqual([
      'HOLDFAST_ATTEMPT',
    ]);
    for (const line of ['MINE=kept\n', 'CI=1\n', 'NODE_EXTRA_CA_CERTS=/certificates\n'])
      expect(log).toContain(line);
    expect(fs.statSync(at('.holdfast/checks/test.log')).mode & 0o777).toBe(0o600);
    const own = await makeCheckScene({ CI: 'mine' });
    expect((await own.check({ run: 'echo "$CI"' })).tail).toBe('mine');
    own.end();
  });

  const failed = (code: number) => ({ end: 'failed', code });
  const none = (why: string) => ({ end: 'cannot-run', why, code: null });
  it.each<[Partial<Check>, object]>([
    [{ run: 'echo no; exit 3' }, { ...failed(3), tail: 'no' }],
    [{ run: ['sh', '-c', 'exit 4'] }, failed(4)],
    [{ run: ['printf', '%s|', '$HOME', 'a b', ';', '*'] }, { end: 'passed', tail: '$HOME|a b|;|*|' }],
    [{ run: 'kill -9 $$' }, failed(137)],
    [{ run: 'kill -TERM 0; sleep 5' }, failed(143)],
    [{ run: 'echo hello; rm -r .holdfast; exit 1' }, { ...failed(1), tail: 'hello' }],
    [{ run: 'rm -r "$PWD"; exit 1', cwd: 'sub' }, failed(1)],
    [{ run: 'basename "$PWD"', cwd: 'sub' }, { tail: 'sub' }],
    ...['nowhere', '..', 'out/usr', 'sub/here'].map((cwd): [Partial<Check>, object] => [
      { run: 'pwd', cwd },
      none('no-folder'),
    ]),
    ...['no-such-program --x', 'A=1 B=2 no-such-program', './no-such.sh && true'].map(
      (run): [Partial<Check>, object] => [{ run }, none('not-found')],
    ),
    ...['no-such-program', './no-such.sh', '/'].map((run): [Partial<Check>, object] => [
      { run: [run] },
      none('not-found'),
    ]),
    [{ run: './plain.sh' }, none('not-executable')],
    [{ run: ['./plain.sh'] }, none('not-executable')],
    [{ run: ['./own.sh'], cwd: 'sub' }, failed(5)],
    // What a check itself means by 127 is no missing program.
    [{ run: 'exit 127' }, failed(127)],
    [{ run: 'sh -c "no-such-program"' }, failed(127)],
    [{ run: 'echo "sh: 1: sh: not found" >&2; exit 127' }, failed(127)],
    [{ run: 'true && no-such-program' }, failed(127)],
    [{ run: 'exit 126' }, failed(126)],
    [
      { run: 'echo x >>count; test "$(wc -l <count)" -ge 3', retries: 2 },
      { end: 'passed', flaky: true },
    ],
    [
      { run: 'echo x >>count; test "$(wc -l <count)" -ge 3', retries: 1 },
      { end: 'failed', flaky: false },
    ],
  ])('that is %j ends with %j', async (check, expected) => {
    scene.write('sub/here', '');
    scene.write('plain.sh', '#!/bin/sh\n');
    scene.write('sub/own.sh', '#!/bin/sh\nexit 5\n');
    fs.chmodSync(at('sub/own.sh'), 0o755);
    fs.symlinkSync('/', at('out'));
    expect(await scene.check(check)).toMatchObject(expected);
  });

  it.each<[string, Partial<Check>, object]>([
    [
      'out of time',
      { run: 'sleep 50 & echo $! >>pids; nohup sleep 50 >/dev/null 2>&1 & echo $! >>pids; wait', timeout: 1 },
      { end: 'timed-out', code: null },
    ],
    [
      'deaf to every signal',
      { run: "trap '' INT TERM HUP; echo $$ >>pids; echo $$ >>pids; while :; do sleep 1; done", timeout: 1 },
      { end: 'timed-out' },
    ],
    [
      'over by itself',
      { run: '(sleep 50 & echo $! >>pids); sleep 50 & echo $! >>pids; true' },
      { end: 'passed' },
    ],
    [
      'printing without end',
      { run: 'echo $$ >>pids; echo $$ >>pids; yes 0123456789012345678901234567890123456789' },
      { end: 'cannot-run', why: 'too-much-output' },
    ],
  ])('that is %s is ended, with all that it started', async (_, check, expected) => {
    expect(await scene.check(check)).toMatchObject(expected);
    expect((await scene.noted(2)).filter(isRunning)).toEqual([]);
  });

  it('that is cut off by the stop’s own deadline, or has no sandbox where it must, said nothing', async () => {
    const noTime = { end: 'cannot-run', why: 'no-time' };
    expect(await scene.check({ run: 'sleep 50' }, { deadline: Date.now() + 1000 })).toMatchObject(noTime);
    expect(await scene.check({ run: 'echo x >ran' }, { deadline: Date.now() - 1 })).toMatchObject(noTime);
    const unknown = { sandbox: { kind: 'unknown', why: 'x' } } as const;
    expect(await scene.check({ run: 'echo x >ran', retries: 3 }, unknown)).toMatchObject({
      why: 'no-sandbox',
    });
    expect(fs.existsSync(at('ran'))).toBe(false);
  });

  it('is ended, and known as interrupted, when the hook is asked to end', async () => {
    let end = (): void => {};
    let noted = 0;
    const wanted = {
      whenAskedToEnd: (listener: () => void) => (end = listener),
      interrupted: async () => void noted++,
    };
    const running = scene.check({ run: 'sleep 50 & echo $! >>pids; wait' }, wanted as never);
    const [pid = 0] = await scene.noted(1);
    end();
    await expect(running).rejects.toThrow('the next stop takes it up again');
    expect(noted).toBe(1);
    await eventually(() => !isRunning(pid));
  });
});

it('the log of a name that is no file name lies in our folder, and none is written through a link', async () => {
  await scene.check({ name: '../../out of "here"\n', run: 'echo hello' });
  expect(fs.readdirSync(at('.holdfast/checks'))).toEqual([expect.stringMatching(/^x-[0-9a-f]+\.log$/)]);
  expect(fs.readdirSync(scene.folder).sort()).toEqual(['home', 'project']);
  fs.rmSync(at('.holdfast/checks'), { recursive: true });
  fs.symlinkSync(scene.home, at('.holdfast/checks'));
  expect(await scene.check({ run: 'echo hello' })).toMatchObject({ end: 'passed', tail: 'hello' });
  expect(fs.readdirSync(scene.home)).toEqual(['.local']);
});
