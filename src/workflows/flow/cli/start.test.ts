// `flow start`, as its source has it: what it prints, refuses and writes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../../../test/support/bare-project.ts';
import { called, type Given } from '../../../../test/support/call.ts';
import { definitionOf } from '../../../../test/support/flow-run.ts';
import { loadConfig } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import { giveTrust } from '../../../engine/proof/trust.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { writeDefinition } from '../definition-format.ts';
import { filesOf, listRuns } from '../files.ts';
import { readRun } from '../read-run.ts';
import { cancel } from './runs.ts';
import { start } from './start.ts';

const SIMPLE = `flow: simple
holds: 8
start: work
states:
  work:
    say: "Do {{task}} ({{visits}}, {{holds}})"
    leave: [{ when: { signal: done }, to: finished }]
  finished: { end: completed }
`;
const RUN = `simple-${NOW / 1000}-${process.pid}`;

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder(), { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
  flow('simple', SIMPLE);
});

const flow = (name: string, text: string): string => writeIn(project, `holdfast.flows/${name}.yaml`, text);
const started = (name: string, given: Given = {}, place = project): Promise<string[]> =>
  called(start, place, { ...given, words: [name, ...(given.words ?? [])] });
const read = (file: string): string => fs.readFileSync(file, 'utf8');
const said = (task: string, say: string, budget = 'no budget'): string =>
  `The flow simple (flow:${RUN}) holds this session, 8 times at most. To stop it: \`holdfast flow cancel\`. Its signals count on a line of their own in your last message, outside code.${task}\nBounds: 8 holds, ${budget}, no checks.\n\n${say}`;

describe('flow start', () => {
  it('prints the first text, and writes the definition, the task and the state', async () => {
    expect(await started('simple', { words: ['a', 'parser'] })).toEqual([
      '0',
      said('\nTask: a parser', 'Do a parser (1, 0)'),
    ]);
    const files = filesOf(project.root, RUN);
    expect(fs.readdirSync(files.folder).sort()).toEqual(['definition.json', 'state.json', 'task.md']);
    expect(read(files.definition)).toBe(writeDefinition(definitionOf(SIMPLE)));
    expect(read(files.task)).toBe('a parser\n');
    expect(JSON.parse(read(files.state))).toEqual({
      ...{ schema: 1, flow: 'simple', started: '2026-01-31T09:30:00.000Z' },
      ...{ from: 'holdfast.flows/simple.yaml', source: fingerprint(SIMPLE), ended: null },
      ...{ at: 'work', visits: { work: 1 }, stay: 0, held: 0, marks: {}, reviewed: {}, reviews: 0 },
    });
    for (const file of [files.definition, files.task, files.state])
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(readSidecar(project.root, `flow:${RUN}`)).toMatchObject({
      ...{ sessions: ['session-1'], saved: { seen: null, kept: null } },
    });
    expect(read(path.join(project.root, '.holdfast/.gitignore'))).toContain('\n*\n');
  });

  it('reads the task from standard input, and waits for the next session in a terminal', async () => {
    expect(await started('simple', { stdin: '  a lexer \n' }, projectIn(project.root))).toEqual([
      '0',
      expect.stringMatching(
        /^Armed for the next session here, for ten minutes: flow:.*\n +Task +simple: a lexer\n/,
      ),
    ]);
    expect(read(filesOf(project.root, RUN).task)).toBe('a lexer\n');
  });

  it.each([
    ['a state’s text', SIMPLE],
    [
      'a pause’s text',
      SIMPLE.replace('Do {{task}}', 'Do').replace('completed', 'completed, say: "{{task}}"'),
    ],
    [
      'a reviewer’s prompt',
      `${SIMPLE.replace('{{task}}', 'it').replace('signal: done', 'review: critic')}reviews: { critic: { prompt: "Is {{task}} done?" } }\n`,
    ],
  ])('is refused without a task where %s has it', async (_, text) => {
    flow('simple', text);
    expect(await started('simple', { stdin: ' \n' })).toEqual([
      'WrongUsage',
      'flow start: simple has a task in its texts, and none was given. Usage: holdfast flow start simple <task>, or the task on standard input.',
    ]);
    expect(fs.existsSync(path.join(project.root, '.holdfast'))).toBe(false);
  });

  it('needs no task where no text has it', async () => {
    flow('simple', SIMPLE.replace('{{task}}', 'it'));
    expect(await started('simple')).toEqual(['0', said('', 'Do it (1, 0)')]);
    expect(read(filesOf(project.root, RUN).task)).toBe('\n');
  });

  it('notes what the files are like that the first state watches', async () => {
    flow('simple', SIMPLE.replace('{ signal: done }', '{ file: { glob: a.txt, is: changed } }'));
    await started('simple', { words: ['x'] });
    expect(readRun(project.root, RUN)?.run?.marks).toEqual({ 'a.txt': fingerprint('[]') });
  });

  it('writes down what it may spend, and says so', async () => {
    const [code, text = ''] = await started('simple', { words: ['x'], flags: { reviews: '3' } });
    expect([code, text]).toEqual([
      '0',
      `${said('\nTask: x', 'Do x (1, 0)', '3 reviews')}\nIt may spend 3 reviews; then it is paused, and a person decides whether it goes on.`,
    ]);
    expect(readSidecar(project.root, `flow:${RUN}`)).toMatchObject({
      budget: { limits: { reviews: 3 }, startedAt: NOW },
    });
    expect(await started('simple', { words: ['x'], flags: { hours: 'many' } })).toEqual([
      'WrongUsage',
      expect.stringMatching(/^flow start: --hours takes .+, not "many"\.$/),
    ]);
  });

  it('takes a name, not a file', async () => {
    expect(await started('./holdfast.flows/simple.yaml', { words: ['x'] })).toEqual([
      'WrongUsage',
      'flow start: a flow is started by its name; put the file into holdfast.flows/ of the project.',
    ]);
  });

  it('refuses a flow with a mistake, by the first of them', async () => {
    flow('simple', SIMPLE.replace('to: finished', 'to: end').replace('completed', 'over'));
    expect(await started('simple', { words: ['x'] })).toEqual([
      'NotNow',
      'this flow is refused: holdfast.flows/simple.yaml:7:43: there is no state "end". `holdfast flow check simple` shows all of it.',
    ]);
    expect(listRuns(project.root)).toEqual([]);
  });
});

describe('a second flow', () => {
  const again = `flow:${RUN} goes on in this session already. \`holdfast flow cancel\` ends it, then start again.`;

  it('is refused in the same session until the first has ended', async () => {
    await started('simple', { words: ['x'] });
    expect(await started('simple', { words: ['y'] })).toEqual(['NotNow', again]);
    expect(read(filesOf(project.root, RUN).task)).toBe('x\n');
    cancel(project, RUN);
    expect((await started('simple', { words: ['y'] }))[0]).toBe('0');
  });

  it('begins in another session, and in a terminal beside a session’s', async () => {
    await started('simple', { words: ['x'] });
    const later = { now: NOW + 5000 };
    const other = projectIn(project.root, { ...later, env: { CLAUDE_CODE_SESSION_ID: 'session-2' } });
    expect((await started('simple', { words: ['y'] }, other))[0]).toBe('0');
    const terminal = projectIn(project.root, { now: NOW + 9000 });
    expect((await started('simple', { words: ['z'] }, terminal))[0]).toBe('0');
    expect(listRuns(project.root)).toHaveLength(3);
  });

  it('is refused in a terminal while the first waits for a session', async () => {
    const terminal = projectIn(project.root);
    await started('simple', { words: ['x'] }, terminal);
    expect(await started('simple', { words: ['y'] }, terminal)).toEqual(['NotNow', again]);
    const session = { ...project, now: NOW + 5000 };
    expect((await started('simple', { words: ['y'] }, session))[0]).toBe('0');
  });

  it('begins beside a folder in which there is no state', async () => {
    fs.mkdirSync(filesOf(project.root, 'left-1-1').folder, { recursive: true });
    expect((await started('simple', { words: ['x'] }))[0]).toBe('0');
  });

  it('begins in a terminal beside a run of which nobody has noted anything', async () => {
    const terminal = projectIn(project.root);
    await started('simple', { words: ['x'] }, terminal);
    fs.rmSync(path.join(project.root, '.holdfast/runs'), { recursive: true });
    expect((await started('simple', { words: ['y'] }, { ...terminal, now: NOW + 5000 }))[0]).toBe('0');
  });
});

describe('a flow with checks', () => {
  const withChecks = async (): Promise<Project> => ({
    ...project,
    config: await loadConfig(project.root, project.env),
  });
  const CHECKED = SIMPLE.replace('{ signal: done }', '{ signal: done, check: [test, lint] }');
  beforeEach(() => {
    flow('simple', CHECKED);
    const checks = { test: { run: 'touch ran.txt' }, lint: { run: 'true' }, other: { run: 'true' } };
    writeIn(project, 'holdfast.config.json', JSON.stringify({ checks }));
  });

  it('is refused while nobody trusts them, and nothing is run', async () => {
    expect(await started('simple', { words: ['x'] }, await withChecks())).toEqual([
      'NotNow',
      'the flow asks for checks that are not trusted here: test, lint. A person reads their commands and allows them with `holdfast trust` in a terminal; then start again.',
    ]);
    expect(fs.readdirSync(project.root).sort()).toEqual(['.git', 'holdfast.config.json', 'holdfast.flows']);
  });

  it('is refused for the one that is not trusted, and started when all are', async () => {
    const place = await withChecks();
    const named = (...names: readonly string[]) =>
      place.config.checks.filter(({ name }) => names.includes(name));
    giveTrust({ ...place, now: NOW - 1000 }, named('test'));
    expect((await started('simple', { words: ['x'] }, place))[1]).toContain(
      'not trusted here: lint. A person',
    );
    giveTrust({ ...place, now: NOW - 1000 }, named('test', 'lint'));
    const [code, text = ''] = await started('simple', { words: ['x'] }, place);
    expect([code, text.split('\n').at(-1)]).toEqual(['0', 'Do x (1, 0)']);
    expect(readSidecar(project.root, `flow:${RUN}`).proof?.asked).toEqual({ checks: null, off: false });
    expect(fs.existsSync(path.join(project.root, 'ran.txt'))).toBe(false);
  });

  it('is refused for a check of the user’s own that lies where an agent may write', async () => {
    fs.rmSync(path.join(project.root, 'holdfast.config.json'));
    const checks = { test: { run: 'true' }, lint: { run: 'true' } };
    const inside = path.join(project.root, 'home');
    writeIn(project, 'home/.config/holdfast/holdfast.config.json', JSON.stringify({ checks }));
    const env = { ...project.env, HOME: inside };
    const place = { ...project, env, config: await loadConfig(project.root, env) };
    expect((await started('simple', { words: ['x'] }, place))[1]).toContain(
      'not trusted here: test, lint. A person',
    );
  });

  it('does not mind checks that it does not ask for', async () => {
    flow('simple', SIMPLE);
    const [code] = await started('simple', { words: ['x'] }, await withChecks());
    expect(code).toBe('0');
  });
});
