// The proof that the driver's tests can fail: defects that are planted in it, each of which they find.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
// @ts-expect-error a build script, without types
import { bundle } from '../../scripts/bundle.mjs';
import { judge } from '../../src/driver/judge.ts';
import { type Defect, plant, writePlanted } from '../crash/plant.ts';
import { plugin, runCli } from '../support/hook.ts';
import { brokenRules } from './rules.ts';
import { type Action, type Stage, stageWith } from './stage.ts';

const builds = path.resolve(import.meta.dirname, '../../.test-build');
const requireFrom = createRequire(import.meta.url);
const made: string[] = [];
const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.remove();
});
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

const JUDGE = 'driver/judge.ts';

const ofJudge: readonly Defect[] = [
  {
    name: 'limit-burns-try',
    file: JUDGE,
    from: 'const next = { ...counts, limits: counts.limits + 1 };',
    to: 'const next = { ...counts, crashes: counts.crashes + 1 };',
  },
  {
    name: 'limit-not-waited',
    file: JUDGE,
    from: "return { kind: 'go', session: 'same', at, say: 'after-limit', counts: next };",
    to: "return { kind: 'go', session: 'same', at: null, say: 'after-limit', counts: next };",
  },
  {
    name: 'limit-for-ever',
    file: JUDGE,
    from: "if (counts.limits >= most.limits) return finish(5, 'limits');",
    to: '',
  },
  {
    name: 'tries-for-ever',
    file: JUDGE,
    from: 'if (counts[row] >= most[row]) return finish(5, row);',
    to: '',
  },
  {
    name: 'unproven-is-proven',
    file: JUDGE,
    from: "worth === 'unproven' ? finish(4, 'unproven') : finish(0, 'completed')",
    to: "finish(0, 'completed')",
  },
  {
    name: 'persists-for-ever',
    file: JUDGE,
    from: 'persisted: counts.persisted + 1 };',
    to: 'persisted: counts.persisted };',
  },
  {
    name: 'stop-at-ignored',
    file: JUDGE,
    from: "if (stand.reached !== null && stand.reached === at.stopAt) return finish(0, 'stop-at');",
    to: '',
  },
  {
    name: 'question-passed-over',
    file: JUDGE,
    from: "return finish(6, 'question');",
    to: "return judgeActive(at, 'go-on');",
  },
  {
    name: 'work-disturbed',
    file: JUDGE,
    from: "end.how === 'turn' ? { kind: 'listen' } : judgeActive(at, 'go-on')",
    to: "judgeActive(at, 'go-on')",
  },
  {
    name: 'cap-is-a-persons',
    file: JUDGE,
    from: "case 'prompt':\n      return judgeActive(at, 'go-on');",
    to: "case 'prompt':\n      return finish(6, 'person');",
  },
  {
    name: 'prompts-past-a-cap-for-ever',
    file: JUDGE,
    from: "case 'prompt':\n      return judgeActive(at, 'go-on');",
    to: "case 'prompt':\n      return { kind: 'go', session: 'same', at: null, say: 'go-on', counts: at.counts };",
  },
];

describe('the rules of judging', () => {
  it('hold', () => expect(brokenRules(judge)).toEqual([]));

  it.each(ofJudge)('find $name', async (defect) => {
    const folder = path.join(builds, 'planted-judge', defect.name);
    made.push(folder);
    const replace = Object.fromEntries([writePlanted(defect, folder)]);
    await bundle({ here: path.join(import.meta.dirname, 'judge-here.ts') }, folder, { define: {}, replace });
    expect(brokenRules(requireFrom(path.join(folder, 'here.cjs')).judge)).not.toEqual([]);
  });
});

type Played = {
  codes: (number | null)[];
  starts: number;
  sessions: number;
  violations: number;
  last: string;
};

/** Each command after the other, and what came of them. */
async function play(
  from: string,
  script: readonly Action[],
  ...commands: readonly string[][]
): Promise<Played> {
  const stage = await stageWith(script);
  stages.push(stage);
  const codes: (number | null)[] = [];
  for (const args of commands) {
    const options = { env: { ...stage.env, PLUGIN: plugin }, timeoutMs: 40_000, plugin: from };
    codes.push((await runCli(stage.project.root, ['run', '--json', ...args], options)).exitCode);
  }
  return {
    codes,
    starts: stage.starts().length,
    sessions: new Set(stage.starts().map(({ session }) => session)).size,
    violations: stage.linesOf('violations').length,
    last: stage.prompts().at(-1)?.prompt ?? '',
  };
}

const LOOP = ['idle', 'loop', 'Do it all'];
const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };

const ofDriver: readonly (Defect & { script: Action[]; commands: string[][]; healthy: Partial<Played> })[] = [
  {
    ...{ name: 'session-lost', file: 'driver/start-client.ts' },
    from: "if (record.next.session === 'same' && record.session !== null) {",
    to: 'if (record.spent.sessions === 0 && record.session !== null) {',
    ...{ script: [WORK, { do: 'crash' }, DONE], commands: [LOOP], healthy: { codes: [0], sessions: 1 } },
  },
  {
    ...{ name: 'answer-dropped', file: 'driver/prompts.ts' },
    from: 'if (given !== null) return isResumed ? given : withFirst(given, about);',
    to: '',
    script: [{ do: 'ask', question: 'Which?' }, DONE],
    commands: [LOOP, ['--continue', '--answer', 'This.']],
    healthy: { codes: [6, 0], last: 'This.' },
  },
  {
    ...{ name: 'cap-taken-for-a-question', file: 'driver/standing.ts' },
    from: "return capped ? { kind: 'waits', for: 'prompt', until: null } : { kind: 'question', what };",
    to: "return { kind: 'question', what };",
    script: [{ do: 'cap', holds: 1 }, WORK, WORK, DONE],
    commands: [LOOP],
    healthy: { codes: [0], sessions: 1 },
  },
  {
    ...{ name: 'not-looked-at-first', file: 'driver/drive.ts' },
    from: 'if (before !== null) return this.#finish(before);',
    to: '',
    script: [{ do: 'ask', question: 'Which?' }, DONE],
    commands: [LOOP, ['--continue']],
    healthy: { codes: [6, 6], starts: 1 },
  },
];

describe('a driver', () => {
  it.each(ofDriver)('with $name is found', async ({ script, commands, healthy, ...defect }) => {
    expect(await play(plugin, script, ...commands)).toMatchObject({ ...healthy, violations: 0 });
    const planted = await plant(defect);
    made.push(planted);
    expect(await play(planted, script, ...commands)).not.toMatchObject({ ...healthy, violations: 0 });
  });
});
