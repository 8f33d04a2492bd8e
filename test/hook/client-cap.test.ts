// A client that honours so many holds after one prompt: the built hook, with what Qwen Code and Copilot send. The last
// hold says so, then the run waits for the next prompt, and nothing of it is counted.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fired, fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { recordedPayload } from '../support/recorded.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const LAST = /the last time that Qwen Code lets you be sent back/;

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

/** A hold in a row has a new message each time, or the guard would end it first. */
let said = 0;

type Sent = { prompt: string; afterHold: boolean; words?: string; session?: string };

function stop({ prompt, afterHold, words, session = SESSION }: Sent, env = {}): Promise<Fired> {
  project.write(`work-${said}.txt`, String(said++));
  const payload = {
    ...recordedPayload('qwen/stop-first.json'),
    ...{ session_id: session, cwd: project.root, transcript_path: `${project.home}/none.jsonl` },
    ...{ prompt_id: prompt, stop_hook_active: afterHold, last_assistant_message: words ?? 'Not yet.' },
  };
  return fireHook(project.root, JSON.stringify(payload), { env });
}

const cli = (...args: string[]) =>
  runCli(project.root, args, { env: { QWEN_CODE_SESSION_ID: SESSION } }).then((ran) => {
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    return ran.stdout;
  });

/** So many stops after one prompt; what each was answered. */
async function holds(count: number, prompt: string, env = {}): Promise<Fired[]> {
  const fired: Fired[] = [];
  for (let at = 0; at < count; at++) fired.push(await stop({ prompt, afterHold: at > 0 }, env));
  return fired;
}

function sessionIndex(): { file: string; index: { holds?: unknown } } {
  const [name] = fs.readdirSync(path.join(project.root, '.holdfast/sessions'));
  const file = `.holdfast/sessions/${name}`;
  return { file, index: JSON.parse(project.read(file)) };
}

const decisions = (fired: readonly Fired[]): (string | undefined)[] =>
  fired.map(({ answer }) => answer?.decision);

const iteration = ({ answer }: Fired): string | undefined =>
  /^\[ITERATION (\d+)/.exec(answer?.reason ?? '')?.[1];

describe('a client with a cap', () => {
  it('is held seven times, is told at the last of them, and then waits for a prompt', async () => {
    await cli('idle', 'loop', '--max', '50', 'a task');
    const held = await holds(7, 'p0');
    expect(decisions(held)).toEqual(Array(7).fill('block'));
    expect(held.map(({ answer }) => LAST.test(answer?.reason ?? ''))).toEqual([
      ...Array(6).fill(false),
      true,
    ]);

    const ended = await stop({ prompt: 'p0', afterHold: true });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.answer?.decision).toBeUndefined();
    expect(ended.answer?.systemMessage).toMatch(
      /^Holdfast: idle:.* is not done, but Qwen Code ends a turn after 7 holds\. Type anything to go on\./,
    );
    expect(await cli('why')).toContain('honours no more holds after this prompt');
    expect(await cli('status')).toContain('paused for you');
    expect(await cli('replay', '1')).toContain('same');
    // Nothing of it was stepped: the same iteration comes when somebody types.
    const [next] = await holds(1, 'p1');
    expect(next && iteration(next)).toBe('8');
    expect(await cli('why')).toContain('A person has had their turn.');
  });

  it('ends its run by the signal, also where no hold is left', async () => {
    await cli('idle', 'loop', '--max', '50', 'a task');
    await holds(7, 'p0');
    const words = '<loop-done>COMPLETE</loop-done>';
    const done = await stop({ prompt: 'p0', afterHold: true, words });
    expect(done.answer?.decision).toBeUndefined();
    expect(await cli('why')).toContain('The agent gave the signal COMPLETE');
  });

  it('counts all runs of the session together, and each prompt from none', async () => {
    await cli('idle', 'loop', '--max', '50', 'a task');
    await holds(5, 'p0');
    await cli('idle', 'cancel');
    await cli('idle', 'loop', '--max', '50', 'another task');
    const held = [];
    for (let at = 0; at < 3; at++) held.push(await stop({ prompt: 'p0', afterHold: true }));
    expect(decisions(held)).toEqual(['block', 'block', undefined]);
    // The client says that no hold began this turn, whatever the prompt is called.
    expect((await stop({ prompt: 'p1', afterHold: false })).answer?.decision).toBe('block');
  });

  it('goes by the cap that the client was given', async () => {
    await cli('idle', 'loop', '--max', '50', 'a task');
    const env = { QWEN_CODE_STOP_HOOK_BLOCK_CAP: '3' };
    expect(decisions(await holds(3, 'p0', env))).toEqual(['block', 'block', undefined]);
  });
});

it('a client without a cap keeps no count', async () => {
  await runCli(project.root, ['idle', 'loop', 'a task'], { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
  const payload = { session_id: SESSION, cwd: project.root, last_assistant_message: 'Not yet.' };
  expect((await fireHook(project.root, payload)).answer?.decision).toBe('block');
  expect(sessionIndex().index).not.toHaveProperty('holds');
});
