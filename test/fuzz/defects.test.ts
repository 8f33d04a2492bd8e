// The proof that this suite can fail: defects planted into the source, one at a time, each of which it must catch.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { SEED } from './broken.ts';
import { LOOP_ID, SESSION } from './corpus.ts';
import { hookWith, pluginWith, readersWith, removePlanted } from './planting.ts';
import { assertSound, brokenScene, type Place, type Stage, setUp, soundScene, stages } from './stage.ts';
import { scratch, targets } from './targets.ts';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-defects-')));
const root = path.join(folder, 'project');
afterAll(() => {
  removePlanted();
  for (const each of [folder, scratch]) fs.rmSync(each, { recursive: true, force: true });
});

type InReader = Defect & { caughtBy: string };

const inReaders: readonly InReader[] = [
  {
    name: 'a finding may be of any length',
    file: 'reviewers/read-answer.ts',
    from: 'plainText(value.slice(0, MOST_CHARACTERS)).trim();',
    to: 'plainText(value).trim();',
    caughtBy: 'what a reviewer lists',
  },
  {
    name: 'a finding steers the terminal',
    file: 'reviewers/read-answer.ts',
    from: 'plainText(value.slice(0, MOST_CHARACTERS)).trim();',
    to: 'value.slice(0, MOST_CHARACTERS).trim();',
    caughtBy: 'what a reviewer lists',
  },
  {
    name: 'there may be any number of findings',
    file: 'reviewers/read-answer.ts',
    from: 'const MOST_FINDINGS = 200;',
    to: 'const MOST_FINDINGS = 2000;',
    caughtBy: 'what a reviewer lists',
  },
  {
    name: 'findings that cannot be read are not counted',
    file: 'reviewers/read-answer.ts',
    from: 'cut: given.length - list.length',
    to: 'cut: Math.max(0, given.length - MOST_FINDINGS)',
    caughtBy: 'what a reviewer lists',
  },
  {
    name: 'what was cut is no finding',
    file: 'reviewers/read-answer.ts',
    from: '{ high: cut, medium: 0, low: 0 }',
    to: '{ high: 0, medium: 0, low: 0 }',
    caughtBy: 'what a reviewer lists',
  },
  {
    name: 'a malformed finding costs the verdict',
    file: 'reviewers/read-answer.ts',
    from: "  if (answer?.verdict === 'PASS') return 'clean';",
    to: "  if (Array.isArray(answer?.findings) && !answer.findings.every(isObject)) return null;\n  if (answer?.verdict === 'PASS') return 'clean';",
    caughtBy: 'what a reviewer lists',
  },
  {
    name: 'any word is a severity',
    file: 'reviewers/read-answer.ts',
    from: "SEVERITIES.find((known) => known === word) ?? 'high'",
    to: "(word as Severity) || 'high'",
    caughtBy: 'what a reviewer lists',
  },
  {
    name: "a flag is a reviewer's model",
    file: 'reviewers/names.ts',
    from: 'const MODEL = /^(?!-)',
    to: 'const MODEL = /^',
    caughtBy: "a reviewer's name",
  },
  {
    name: 'any program can review',
    file: 'reviewers/names.ts',
    from: 'return named !== null && programNamed(named.program) !== null;',
    to: 'return named !== null && programNamed !== null;',
    caughtBy: "a reviewer's name",
  },
  {
    name: 'a turn of Codex that failed has a verdict',
    file: 'reviewers/codex.ts',
    from: "if (exitCode !== null && exitCode !== 0) return 'failed';",
    to: "if (exitCode === 130) return 'failed';",
    caughtBy: "a reviewer's output",
  },
  {
    name: 'what is not a number of dollars is spent',
    file: 'reviewers/claude.ts',
    from: "typeof cost === 'number' && cost >= 0 && Number.isFinite(cost)",
    to: "typeof cost === 'number'",
    caughtBy: "a reviewer's output",
  },
  {
    name: 'a message called constructor is explained',
    file: 'workflows/idle/cli/explain.ts',
    from: 'SAID.get(said.name)',
    to: '(Object.fromEntries(SAID) as Record<string, string>)[said.name]',
    caughtBy: 'a step in the journal, explained',
  },
  {
    name: 'ids may hold NUL',
    file: 'clients/fields.ts',
    from: "value?.includes('\\0') ? null : value",
    to: 'value',
    caughtBy: 'the payload of a stop',
  },
  {
    name: 'half a surrogate pair goes out',
    file: 'clients/encode.ts',
    from: 'text.toWellFormed()',
    to: 'text',
    caughtBy: 'the answer to a stop, whatever its text',
  },
  {
    name: 'a list is taken for objects',
    file: 'clients/fields.ts',
    from: 'value.map(asObject).filter((entry) => entry !== null)',
    to: 'value',
    caughtBy: 'a line of the transcript of claude-code',
  },
  {
    name: 'a marker may be anything',
    file: 'clients/uuid-line.ts',
    from: "entry && textField(entry, 'uuid')",
    to: 'entry && (entry.uuid as string)',
    caughtBy: 'a line of the transcript of claude-code',
  },
  {
    name: 'a script may be anything',
    file: 'clients/codex/transcript.ts',
    from: "scriptWorks(textField(item, 'input') ?? '')",
    to: 'scriptWorks(item.input as string)',
    caughtBy: 'a line of the transcript of codex',
  },
  {
    name: 'a line cut by the limit is given',
    file: 'text/backward.ts',
    from: 'if (floor === 0 && head !== undefined)',
    to: 'if (head !== undefined)',
    caughtBy: 'lines of a file, from its end',
  },
  {
    name: 'a round may be zero',
    file: 'workflows/claudex/state-format.ts',
    from: 'return Number(text) > 0 ? Number(text) : null;',
    to: 'return Number(text);',
    caughtBy: "claudex's state",
  },
  {
    name: 'a topic keeps its line breaks',
    file: 'workflows/claudex/state-format.ts',
    from: "topic: normaliseTopic(field('topic').replaceAll('\\0', ' ')),",
    to: "topic: field('topic'),",
    caughtBy: "claudex's state",
  },
  {
    name: 'severities are the keys of an object',
    file: 'engine/docket/severity-words.ts',
    from: "SEVERITIES.get(telling[0] ?? '')",
    to: "(Object.fromEntries(SEVERITIES) as Record<string, Severity>)[telling[0] ?? '']",
    caughtBy: "claudex's findings",
  },
  {
    name: 'frames are not looked at',
    file: 'workflows/idle/state-format.ts',
    from: '!Array.isArray(stack) || !stack.every(isObject)',
    to: '!Array.isArray(stack)',
    caughtBy: "idle's state in the topic",
  },
  {
    name: 'any number is a count',
    file: 'workflows/idle/state-format.ts',
    from: "typeof value === 'number' && Number.isSafeInteger(value) && value >= 0",
    to: "typeof value === 'number'",
    caughtBy: "idle's state in the topic",
  },
  {
    name: 'a torn last line is not ended',
    file: 'store/files.ts',
    from: "endsTorn(descriptor) ? '\\n' : ''",
    to: "''",
    caughtBy: "idle's topic log",
  },
  {
    name: 'of two keys the last is read and the first written',
    file: 'workflows/idle/fallback.ts',
    from: 'lines.flatMap(readField).reverse()',
    to: 'lines.flatMap(readField)',
    caughtBy: "idle's fallback file",
  },
  {
    name: 'a model may be a flag or hold blanks',
    file: 'workflows/taskie/state-format.ts',
    from: '/^(?!-)[\\x21-\\x7e]{1,200}$/.test(value)',
    to: "value !== ''",
    caughtBy: "taskie's state.json",
  },
  {
    name: 'a nested comma ends a field',
    file: 'workflows/taskie/edit-state.ts',
    from: "(depth === 1 && word === ',')",
    to: "word === ','",
    caughtBy: "taskie's state.json",
  },
  {
    name: 'any cell is an id',
    file: 'workflows/taskie/tasks-table.ts',
    from: 'rows.filter((row) => isTaskId(row.id))',
    to: 'rows',
    caughtBy: "taskie's tasks.md",
  },
  {
    name: 'an id becomes a path as it is',
    file: 'store/home.ts',
    from: '[A-Za-z0-9_-]{0,120}$/',
    to: '[A-Za-z0-9_./-]{0,120}$/',
    caughtBy: 'ids before they touch a path',
  },
  {
    name: 'a reviewer that failed may be clean',
    file: 'reviewers/claude.ts',
    from: 'const isBroken = exitCode !== null && exitCode !== 0;',
    to: 'const isBroken = exitCode === 130;',
    caughtBy: "a reviewer's output",
  },
  {
    name: "the project's limits win",
    file: 'config/config.ts',
    from: 'unmoved: Math.min(user.unmoved ?? defaults.unmoved, project.unmoved ?? Number.POSITIVE_INFINITY)',
    to: 'unmoved: project.unmoved ?? user.unmoved ?? defaults.unmoved',
    caughtBy: 'the config',
  },
  {
    name: "the project's timeout wins",
    file: 'config/settings.ts',
    from: 'if (project !== undefined && project < allowed)',
    to: 'if (project !== undefined)',
    caughtBy: 'the config',
  },
  {
    name: 'one bad key costs the others theirs',
    file: 'config/parse.ts',
    from: '[[name, taken] as const];\n  });\n  return Object.fromEntries(entries);',
    to: '[[name, taken] as const];\n  });\n  return problems.length > 0 ? {} : Object.fromEntries(entries);',
    caughtBy: 'the config',
  },
  {
    name: 'a wrong word for access gives all of it',
    file: 'config/parse.ts',
    from: '  return instead?.value;',
    to: '  return undefined;',
    caughtBy: 'the config',
  },
  {
    name: 'a broken config gives all access',
    file: 'config/parse.ts',
    from: '{ file: UNREADABLE, problems: [line], unknown: [] }',
    to: '{ file: {}, problems: [line], unknown: [] }',
    caughtBy: 'the config',
  },
  {
    name: 'what a config says reaches the terminal',
    file: 'config/parse.ts',
    from: ".replaceAll(/\\p{Cc}+/gu, ' ')",
    to: '',
    caughtBy: 'the config',
  },
  {
    name: 'a session called constructor is forgotten',
    file: 'store/parse-records.ts',
    from: "kind: 'ok', record }",
    to: "kind: 'ok', record: JSON.parse(JSON.stringify(record, (key, each) => (key in {} ? undefined : each))) }",
    caughtBy: "a run's sidecar",
  },
  {
    name: 'a signal called constructor is an outcome',
    file: 'workflows/idle/observe.ts',
    from: 'Object.hasOwn(modes[mode].signals, signal) ? (modes[mode].signals[signal] ?? null) : null',
    to: 'modes[mode].signals[signal] ?? null',
    caughtBy: "a run's sidecar",
  },
  {
    name: 'a journal line is believed',
    file: 'store/journal-lines.ts',
    from: "typeof time === 'string' && textOrNull(session)",
    to: "typeof time === 'string'",
    caughtBy: 'a line of the journal',
  },
  {
    name: 'a signal may stand anywhere in a line',
    file: 'text/signals.ts',
    from: 'startsLine(text, start) && endsLine(text, end)',
    to: 'endsLine(text, end)',
    caughtBy: 'a signal in a message',
  },
  {
    name: 'a slot may hold a pattern',
    file: 'text/render.ts',
    from: 'return String(value);',
    to: "return 'x'.replace('x', String(value));",
    caughtBy: 'a text in a slot of a message',
  },
];

describe('a defect in a reader', () => {
  test.each(inReaders.map((defect) => [defect.name, defect.file, defect] as const))(
    'is caught: %s (%s)',
    async (_, __, defect) => {
      const target = targets.find((each) => each.name === defect.caughtBy);
      if (target === undefined) throw new Error(`there is no target "${defect.caughtBy}"`);
      const planted = await readersWith(defect);
      const checked = fc.check(
        fc.asyncProperty(target.input, async (text) => target.check(text, planted)),
        { seed: SEED, numRuns: 3000, endOnFailure: true },
      );
      expect((await checked).failed).toBe(true);
    },
  );
});

const inStops: readonly (Defect & { workflow: string; owner: string; place: Place })[] = [
  {
    name: 'every run serves every session',
    file: 'engine/context.ts',
    from: 'if (isHandFired(stop)) return true;',
    to: 'if (stop !== null) return true;',
    workflow: 'idle',
    place: 'journal',
    owner: 'somebody-else',
  },
  {
    name: 'an unknown phase is the first one',
    file: 'workflows/claudex/state-format.ts',
    from: "names.find((name) => name === text) ?? 'unknown'",
    to: "names.find((name) => name === text) ?? names[0] ?? 'unknown'",
    workflow: 'claudex',
    place: 'state',
    owner: SESSION,
  },
  {
    name: "a sidecar that cannot be read is everybody's",
    file: 'store/sidecars.ts',
    from: 'if (parsed === null) return newSidecar(run);\n  if (parsed.kind',
    to: `if (parsed?.kind !== 'ok') return { ...newSidecar(run), sessions: ['${SESSION}'] };\n  if (parsed.kind as string`,
    workflow: 'taskie',
    place: 'sidecar',
    owner: SESSION,
  },
  {
    name: 'a bad payload throws',
    file: 'clients/fields.ts',
    from: '  } catch {\n    return null;\n  }',
    to: '  } finally {\n    line.trim();\n  }',
    workflow: 'idle',
    place: 'payload',
    owner: SESSION,
  },
  {
    name: 'a plan without a state waits for an answer',
    file: 'workflows/taskie/state-format.ts',
    from: "return isObject(value) ? understand(value) : { kind: 'broken' };",
    to: "return understand({ ...(isObject(value) ? value : {}), phase: 'plan-review', next_phase: 'post-plan-review' });",
    workflow: 'taskie',
    place: 'state',
    owner: SESSION,
  },
];

describe('a defect in a stop', () => {
  test.each(inStops.map((defect) => [defect.name, defect.file, defect] as const))(
    'is caught: %s (%s)',
    async (_, __, defect) => {
      const stage = stageOf(defect.workflow);
      const stopHere = await hookWith(defect);
      const checked = fc.check(
        fc.asyncProperty(brokenScene(stage, root, defect.owner, [defect.place]), async (scene) => {
          setUp(scene, root);
          assertSound(await stopHere(scene, root), stage, scene, root);
        }),
        { seed: SEED, numRuns: 400, endOnFailure: true },
      );
      expect((await checked).failed).toBe(true);
    },
  );
});

function stageOf(workflow: string): Stage {
  const stage = stages.find((each) => each.workflow === workflow);
  if (stage === undefined) throw new Error(`there is no stage for ${workflow}`);
  return stage;
}

/** For the real processes of a plugin, planted or not; true when what must not happen has happened. */
type Scenario = (plugin: string, patienceMs: number) => Promise<boolean>;

function prepared(workflow: string): { outside: string; payload: object } {
  setUp(soundScene(stageOf(workflow), root, SESSION, false), root);
  const outside = path.join(folder, 'outside');
  fs.rmSync(outside, { recursive: true, force: true });
  fs.mkdirSync(outside);
  return { outside, payload: { session_id: SESSION, cwd: root } };
}

function linked(place: string, to: string): Scenario {
  return async (plugin) => {
    const { outside, payload } = prepared('claudex');
    const target = path.resolve(outside, to.replace('ROOT', root));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, 'precious\n');
    fs.rmSync(path.join(root, place), { force: true });
    fs.symlinkSync(target, path.join(root, place));
    fs.writeFileSync(path.join(root, 'PLAN.md'), '# A plan\n');
    await fireHook(root, payload, { plugin });
    return fs.readFileSync(target, 'utf8') !== 'precious\n';
  };
}

const hangs =
  (place: string): Scenario =>
  async (plugin, timeoutMs) => {
    const { payload } = prepared('claudex');
    fs.rmSync(path.join(root, place), { recursive: true, force: true });
    execFileSync('mkfifo', [path.join(root, place)]);
    return (await fireHook(root, payload, { plugin, timeoutMs })).exitCode === null;
  };

const steersTerminalBy =
  (steering: string): Scenario =>
  async (plugin) => {
    prepared('claudex');
    const state = path.join(root, `.claude/claudex/${LOOP_ID}.state`);
    fs.writeFileSync(
      state,
      fs.readFileSync(state, 'utf8').replace(/^topic: .*$/m, `topic: ${JSON.stringify(steering)}`),
    );
    return (await runCli(root, ['claudex', 'status'], { plugin })).stdout.includes(steering);
  };

const inProcesses: readonly (Defect & { scenario: Scenario })[] = [
  {
    name: 'links out of the project are followed',
    file: 'store/open.ts',
    from: 'if (!isInside(real, root)) throw',
    to: 'if (!isInside(real, root) && root === "") throw',
    scenario: linked('.claude/claudex/log', 'log'),
  },
  {
    name: 'links into .git are followed',
    file: 'store/files.ts',
    from: ".includes('/.git/'))",
    to: ".includes('/.git/') && root === '')",
    scenario: linked('.claude/claudex/log', 'ROOT/.git/hooks/pre-commit'),
  },
  {
    name: 'a FIFO is waited for',
    file: 'store/open.ts',
    from: 'fs.openSync(wayOf(found), O_RDONLY | O_NONBLOCK)',
    to: 'fs.openSync(wayOf(found), O_RDONLY)',
    scenario: hangs(`.claude/claudex/${LOOP_ID}.state`),
  },
  {
    name: 'a FIFO in the place of a log is waited for',
    file: 'store/disk.ts',
    from: 'O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, mode',
    to: 'fs.constants.O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode',
    scenario: hangs('.claude/claudex/log'),
  },
  {
    name: 'a terminal is steered',
    file: 'text/printable.ts',
    from: "? character : ' ';",
    to: '? character : character;',
    scenario: steersTerminalBy('\u001b[2J'),
  },
  {
    name: 'a line is turned around',
    file: 'text/printable.ts',
    from: "'\\\\u2028-\\\\u202e',",
    to: '',
    scenario: steersTerminalBy('\u202e'),
  },
];

describe('a defect in the real hook or command line', () => {
  test.each(inProcesses.map((defect) => [defect.name, defect.file, defect] as const))(
    'is caught: %s (%s)',
    async (_, __, defect) => {
      const sound =
        process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
      expect(await defect.scenario(sound, 60_000)).toBe(false);
      expect(await defect.scenario(await pluginWith(defect), 4000)).toBe(true);
    },
  );
});
