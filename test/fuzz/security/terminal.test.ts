// What steers a terminal or hides in one, in every text that a repository, a journal or a payload can bring: none of
// it comes out of a command, a notice or a hold, also not as JSON.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { stages } from '../stage.ts';
import { type Hostile, hostileProject } from './hostile.ts';

const CONTROLS = '\u001b]0;owned\u0007\u009b2J\u0085';
const BIDIRECTIONAL = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const HIDING = '\u2028\u2029\u200b\u2060\ufeff\ufff9\ufffa\ufffb\u00ad\u{e0001}\u{e0041}\u{e007f}';
const HOSTILE = `x${CONTROLS}${BIDIRECTIONAL}${HIDING}y`;
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A line of the journal with the text wherever it can stand. */
const LINE = JSON.stringify({
  time: HOSTILE,
  event: 'stop',
  client: HOSTILE,
  session: HOSTILE,
  turn: HOSTILE,
  workflow: 'idle',
  run: HOSTILE,
  state: { [HOSTILE]: HOSTILE },
  facts: {},
  guard: null,
  step: { kind: 'hold', message: { name: HOSTILE, slots: { topic: HOSTILE } } },
  answer: 'hold',
  notice: false,
  error: HOSTILE,
  milliseconds: 1,
});

/** Runs of this session, with the text in a topic, a task, a plan's review and the journal. */
function hostileRuns(): Hostile {
  const project = hostileProject();
  for (const stage of stages) project.put(stage, SESSION);
  const state = `.claude/claudex/${LOOP_ID}.state`;
  const withTopic = project.read(state).replace(/^topic: .*$/m, `topic: ${JSON.stringify(HOSTILE)}`);
  project.write(state, withTopic.replace(/^started_at: .*$/m, `started_at: ${HOSTILE}`));
  project.write('.holdfast/journal.jsonl', `${LINE}\n${LINE}\n`);
  project.write('.holdfast/idle/f1.md', HOSTILE);
  project.write(`.taskie/plans/p/${HOSTILE.replace(/[\0/]/g, '')}.md`, HOSTILE);
  project.write('holdfast.config.json', JSON.stringify({ [HOSTILE]: 1 }));
  return project;
}

/** Not in a test's own title: reporters print those. */
const words = (command: readonly (string | undefined)[]): string[] =>
  command.flatMap((word) => (word === 'HOSTILE' ? HOSTILE : (word ?? [])));

describe.concurrent('a text that steers a terminal', () => {
  test.each([
    ['status'],
    ['status', '--json'],
    ['status', '--all', '--json'],
    ['log'],
    ['log', '--json'],
    ['why'],
    ['why', '--json'],
    ['replay', '1'],
    ['doctor'],
    ['doctor', '--json'],
    ['claudex', 'status'],
    ['claudex', 'status', '--json'],
    ['idle', 'status'],
    ['idle', 'status', '--json'],
    ['taskie', 'status'],
    ['taskie', 'validate', '--json'],
    ['adopt', 'HOSTILE'],
    ['cancel', 'HOSTILE'],
    ['HOSTILE'],
  ])('does not come out of a command: %s %s %s', async (...command) => {
    const ran = await hostileRuns().cli(words(command));
    expect(ran.exitCode).toSatisfy((code) => code === 0 || code === 1 || code === 2);
    expect(`${ran.stdout}${ran.stderr}`.replaceAll('\n', '')).not.toMatch(STEERING);
    if (!command.includes('--json')) return;
    const texts = command[0] === 'log' ? ran.stdout.trim().split('\n') : [ran.stdout];
    for (const text of texts) expect(JSON.parse(text)).toBeTypeOf('object');
  });

  test('does not come out of a hold, its notice or its line on standard error', async () => {
    const project = hostileRuns();
    for (const args of [[], ['--client', 'generic']]) {
      const fired = await project.stop({}, { args });
      expect(fired.answer?.decision).toBe('block');
      const said = `${fired.answer?.reason}${fired.answer?.systemMessage}${fired.stderr}`;
      expect(said.replaceAll('\n', '')).not.toMatch(STEERING);
    }
  });

  test('does not come out of a refusal', async () => {
    const project = hostileRuns();
    const fired = await project.stop({ cwd: path.join(project.root, HOSTILE) });
    expect(fired.exitCode).toBe(1);
    expect(fired.stderr.replaceAll('\n', '')).not.toMatch(STEERING);
  });

  test('does not come out of what is given back after a compaction', async () => {
    const project = hostileProject();
    await project.cli(['idle', 'loop'], { stdin: HOSTILE });
    await project.stop({ hook_event_name: 'PreCompact' }, { args: ['pre-compact'] });
    const fired = await project.stop(
      { hook_event_name: 'SessionStart', source: 'compact' },
      { args: ['session-start'] },
    );
    const { hookSpecificOutput } = JSON.parse(fired.stdout);
    expect(hookSpecificOutput.additionalContext).toContain('x');
    expect(hookSpecificOutput.additionalContext.replaceAll('\n', '')).not.toMatch(STEERING);
  });
});
