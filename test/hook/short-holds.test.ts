// What a hold says again: the task at the first one, and after that only where the agent may not have it any more.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loopProject } from '../fixtures/claudex/loop.ts';
import { planProject } from '../fixtures/taskie/plan.ts';
import { runCli } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { recordedLines } from '../support/recorded.ts';
import { type Talk, talkIn, type Way } from '../support/ways.ts';

const TASK = 'Make the failing tests of the parser pass, without a change to any of them.';

async function loopIn(way: Way, args: readonly string[] = ['idle', 'loop', '--max', '30', TASK]) {
  const project = tempProject();
  onTestFinished(() => project.remove());
  const talk = talkIn(way, project);
  const started = await runCli(project.root, args, { env: talk.env });
  expect(started.exitCode, started.stderr).toBe(0);
  return { project, talk };
}

type Loop = Awaited<ReturnType<typeof loopIn>>;

/** What happens before a stop, each by a letter of the row; `.` is nothing. */
const BEFORE: Readonly<Record<string, (loop: Loop) => { more?: object; args?: readonly string[] }>> = {
  '.': () => ({}),
  /** The client says of the stop that a prompt began this turn. */
  p: () => ({ more: { prompt_id: 'another', stop_hook_active: false } }),
  /** The conversation is compacted. */
  c: ({ project, talk }) => {
    const [summary] = recordedLines('claude-code/transcript-compaction-2.1.325.jsonl').filter((line) =>
      line.includes('"isCompactSummary":true'),
    );
    const folder = path.join(project.home, '.claude/projects/project');
    fs.appendFileSync(path.join(folder, `${talk.session}.jsonl`), `${summary}\n`);
    return {};
  },
  /** Somebody edits the task. */
  e: ({ project }) => {
    const folder = '.holdfast/idle';
    for (const file of fs.readdirSync(path.join(project.root, folder)))
      project.write(`${folder}/${file}`, `${TASK} Also those of the printer.`);
    return {};
  },
  /** A client of which nothing is known. */
  g: () => ({ args: ['--client', 'generic'] }),
};

const isWhole = (reason = ''): boolean => reason.includes(TASK);

describe('a loop', () => {
  it.each<[string, Way, string, string]>([
    ['says its task again at every fifth hold', 'claude-code', '............', 'WsssWssssWss'],
    ['says it in a Codex session as in Claude Code', 'codex', '......', 'WsssWs'],
    ['says it again in a turn that a person began', 'claude-code', '..p...', 'WsWWss'],
    ['says it again after a compaction', 'claude-code', '..c..', 'WsWss'],
    ['says it again where somebody edited it', 'claude-code', '..e..', 'WsWss'],
    ['says it always where the client tells of no compaction', 'claude-code', 'ggg', 'WWW'],
    ['says it always to a person who fires the hook by hand', 'by hand', '...', 'WWW'],
  ])('%s', async (_, way, before, expected) => {
    const loop = await loopIn(way);
    let said = '';
    for (const event of before) {
      const { more, args } = BEFORE[event]?.(loop) ?? {};
      const { answer } = await loop.talk.stop('Working.', more, args && { args });
      expect(answer?.reason).toContain('<loop-done>COMPLETE</loop-done>');
      said += isWhole(answer?.reason) ? 'W' : 's';
    }
    expect(said).toBe(expected);
  });

  it('says it again in another session, and where the transcript cannot be read back', async () => {
    const { project, talk } = await loopIn('claude-code');
    await talk.stop();
    const reasonAfter = async (to: Talk, more = {}) => (await to.stop('On.', more)).answer?.reason;
    expect(isWhole(await reasonAfter(talk, { transcript_path: '/nowhere' }))).toBe(true);
    const other = talkIn('claude-code', project);
    const run = JSON.parse((await runCli(project.root, ['status', '--json'], { env: talk.env })).stdout);
    const adopted = await runCli(project.root, ['adopt', run.runs?.[0]?.run ?? ''], { env: other.env });
    expect(adopted.exitCode, adopted.stderr).toBe(0);
    expect(isWhole(await reasonAfter(other))).toBe(true);
  });
});

it('the words of the second hold, beside those of the first', async () => {
  const said: string[] = [];
  const both = async (name: string, root: string, stop: () => ReturnType<Talk['stop']>): Promise<void> => {
    for (const nth of ['first', 'second']) {
      const reason = (await stop()).answer?.reason ?? 'not held';
      const plain = reason
        .replaceAll(root, '/project')
        .replaceAll(/'?\/[^\s'`]*\/bin\/holdfast'?/g, 'holdfast')
        .replaceAll(/\d{8}-\d{6}-[0-9a-f]{6}/g, 'ID');
      said.push(`=== ${name}, ${nth}\n${plain}`);
    }
  };
  for (const args of [
    ['idle', 'loop', '--max', '10', TASK],
    ['flow', 'start', 'docs', TASK],
  ]) {
    const { project, talk } = await loopIn('claude-code', args);
    await both(args[0] ?? '', project.root, () => talk.stop());
  }
  const plan = planProject('my-plan', 'claude-code');
  onTestFinished(() => plan.remove());
  plan.setState({ phase: 'plan-review', next_phase: 'plan-review', phase_iteration: 0 });
  await both('taskie', plan.root, () => plan.stop());
  const loop = loopProject(undefined, 'claude-code');
  onTestFinished(() => loop.remove());
  await loop.plan(TASK);
  await both('claudex', loop.root, () => loop.stop());
  await expect(`${said.join('\n\n')}\n`).toMatchFileSnapshot('golden/short-holds.txt');
});
