// Runs of flows as commands, views and a status line show them, from files and without a process.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { builtIn } from '../built-in.ts';
import { writeDefinition } from '../definition-format.ts';
import { filesOf, listRuns } from '../files.ts';
import { comparePin, pinFlow } from '../pin.ts';
import { readRun } from '../read-run.ts';
import { liveRuns } from '../short.ts';
import { type RunState, writeRunState } from '../state-format.ts';
import { fillSay, taskOf } from '../texts.ts';
import type { Definition } from '../types.ts';
import { newestRun, unfinishedRuns } from '../unfinished-runs.ts';
import { whyNoVerdict } from '../why-no-verdict.ts';
import { demo } from './demo.ts';
import { diagram } from './diagram.ts';
import { findFlow } from './find-flow.ts';
import { cli } from './index.ts';
import { list } from './list.ts';
import { cancel, runs } from './runs.ts';
import { stateOf } from './shown.ts';
import { status } from './status.ts';

const RUN = 'tdd-1-1';
const TDD = builtIn.get('tdd') ?? '';

const DEFINITION: Definition = {
  schema: 1,
  flow: 'tdd',
  about: null,
  holds: 60,
  start: 'red',
  states: {
    red: {
      kind: 'work',
      say: 'Write a test.',
      leave: [
        { when: [{ kind: 'check', name: 'test', is: 'failed' }], to: 'green' },
        {
          when: [
            { kind: 'visits', least: 3 },
            { kind: 'signal', name: 'stuck' },
          ],
          to: 'ask',
        },
      ],
      holds: 1,
      otherwise: 'ask',
    },
    green: {
      kind: 'work',
      say: 'Make it pass.',
      leave: [
        { when: [{ kind: 'review', name: 'look', is: 'findings' }], to: 'red' },
        { when: [{ kind: 'review', name: 'look', is: 'clean' }], to: 'done' },
        { when: [{ kind: 'file', glob: 'a;b:c#d', is: 'exists' }], to: 'done' },
      ],
      holds: 5,
      otherwise: 'ask',
    },
    ask: { kind: 'pause', say: null, leave: [{ when: [{ kind: 'visits', least: 1 }], to: 'red' }] },
    done: { kind: 'end', end: 'completed', say: null },
  },
  reviews: { look: { prompt: 'Look.', files: ['**'] } },
};
const STATE: RunState = {
  ...{ schema: 1, flow: 'tdd', started: '2026-01-31T09:30:00Z', from: 'built in', source: fingerprint(TDD) },
  ...{ ended: null, at: 'red', visits: { red: 1 }, stay: 0, held: 3, marks: {}, reviewed: {}, reviews: 0 },
};

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});

function put(state: Partial<RunState> | string = {}, run = RUN, time = NOW): void {
  const files = filesOf(root, run);
  fs.mkdirSync(files.folder, { recursive: true });
  fs.writeFileSync(files.definition, writeDefinition(DEFINITION));
  fs.writeFileSync(files.state, typeof state === 'string' ? state : writeRunState({ ...STATE, ...state }));
  fs.utimesSync(files.state, time / 1000, time / 1000);
}
const file = (name: string): string => path.join(filesOf(root, RUN).folder, name);

describe('the runs of flows', () => {
  it('are none where none was started', () => {
    expect(runs(project)).toEqual([]);
    expect([newestRun(project), unfinishedRuns(project), liveRuns(project)]).toEqual([null, [], []]);
  });

  it('are listed with where each stands and what views show', () => {
    put({ at: 'green', visits: { red: 1, green: 2 } });
    fs.writeFileSync(file('task.md'), ' Fix it.\n');
    fs.writeFileSync(file('.hidden'), 'x');
    const [run, ...more] = runs(project);
    expect(more).toEqual([]);
    expect(run).toEqual({
      run: RUN,
      live: true,
      stage: 'tdd: in green, visit 2, hold 3 of 60',
      shown: expect.any(Function),
      file: file('state.json'),
      detail: {
        ...{ flow: 'tdd', started: '2026-01-31T09:30:00Z', from: 'built in', state: 'green' },
        ...{ visits: { red: 1, green: 2 }, held: 3, most: 60, ended: null, differs: true },
      },
    });
    expect(run?.shown?.()).toEqual({
      state: 'green',
      progress: { unit: 'hold', at: 3, of: 60 },
      asked: 'Fix it.',
      startedAt: NOW,
      files: expect.arrayContaining([file('definition.json'), file('state.json'), file('task.md')]),
    });
    expect(run?.shown?.().files).toHaveLength(3);
  });

  it('are shown without what is not known of them', () => {
    put({ started: 'some day', ended: 'limit' });
    expect(runs(project)[0]).toMatchObject({
      live: false,
      stage: 'tdd: ended in red, limit',
      detail: { most: null },
    });
    expect(runs(project)[0]?.shown?.()).toMatchObject({ progress: null, asked: null, startedAt: null });
  });

  it.each([
    ['state', () => put('{'), 'state.json'],
    [
      'definition',
      () => {
        put();
        fs.writeFileSync(file('definition.json'), '{}');
      },
      'definition.json',
    ],
  ])('say of a %s that is none which file it is', (what, arrange, name) => {
    arrange();
    expect(runs(project)[0]).toMatchObject({
      live: false,
      stage: `its ${what} cannot be read`,
      file: file(name),
      detail: { unreadable: `it is no ${what} of a flow` },
    });
  });

  it('are unreadable in a state that the definition does not have, or that is its end', () => {
    for (const at of ['blue', 'done', 'constructor']) {
      put({ at });
      expect(readRun(root, RUN)?.state).toEqual({ kind: 'unreadable', what: 'state' });
    }
  });

  it('come the one that changed last first, of two at once the later name', () => {
    put({}, 'a-1', NOW);
    put({}, 'c-1', NOW - 1000);
    put({}, 'b-1', NOW - 1000);
    fs.mkdirSync(path.join(root, '.holdfast/flow/No Run'));
    fs.writeFileSync(path.join(root, '.holdfast/flow/file'), 'x');
    expect(listRuns(root)).toEqual(['a-1', 'c-1', 'b-1']);
    expect(newestRun(project)).toBe('a-1');
  });

  it('go on where they are in a state, and are adopted by name', () => {
    put();
    put({ ended: 'completed' }, 'a-1');
    expect(unfinishedRuns(project)).toEqual([{ run: `flow:${RUN}`, adopt: `holdfast adopt flow:${RUN}` }]);
    expect(liveRuns(project)).toEqual([{ run: RUN, stands: 'tdd red 3/60' }]);
  });

  it('are five in a status line, the newest', () => {
    for (let index = 0; index < 6; index++) put({}, `r-${index}`, NOW + index * 1000);
    expect(liveRuns(project).map(({ run }) => run)).toEqual(['r-5', 'r-4', 'r-3', 'r-2', 'r-1']);
  });

  it('are none by a name that is none', () => {
    put();
    expect([readRun(root, '../x'), readRun(root, 'none-1')]).toEqual([null, null]);
  });
});

describe('runs that cannot be read', () => {
  it('are listed with why, beside the others', () => {
    put({}, 'b-1');
    put();
    const looped = filesOf(root, 'a-1');
    fs.mkdirSync(looped.folder, { recursive: true });
    fs.writeFileSync(looped.state, '{}');
    fs.utimesSync(looped.state, NOW / 1000 + 1, NOW / 1000 + 1);
    const read = vi.spyOn(fs, 'readFileSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    });
    onTestFinished(() => read.mockRestore());
    const [first, ...others] = runs(project);
    expect(first).toEqual({
      ...{ run: 'a-1', live: false, stage: 'its state cannot be read', file: looped.state },
      detail: { unreadable: 'EIO: i/o error, read' },
    });
    expect(others.map(({ run }) => run)).toEqual([RUN, 'b-1']);
  });

  it('have nothing to tell where there is no state, and no folder', () => {
    put('{');
    expect(runs(project)[0]?.detail).toEqual({ unreadable: 'it is no state of a flow' });
    const found = runs(project)[0];
    fs.rmSync(filesOf(root, RUN).folder, { recursive: true });
    expect(found?.shown?.()).toEqual({
      ...{ state: null, progress: null, asked: null, startedAt: null, files: [] },
    });
    fs.mkdirSync(filesOf(root, RUN).folder, { recursive: true });
    expect(runs(project)).toEqual([]);
  });
});

describe('a run’s states as views draw them', () => {
  it('are its definition’s, with all ways from one to another', () => {
    put();
    expect(diagram(project, RUN)).toEqual({
      start: 'red',
      states: { red: 'red', green: 'green', ask: 'ask', done: 'done' },
      ways: [
        { from: 'red', to: 'green', by: 'test failed' },
        { from: 'red', to: 'ask', by: 'visit 3 or later, says stuck' },
        { from: 'red', to: 'ask', by: 'after 1 hold' },
        { from: 'green', to: 'red', by: 'look has findings' },
        { from: 'green', to: 'done', by: 'look clean' },
        { from: 'green', to: 'done', by: 'a b c d exists' },
        { from: 'green', to: 'ask', by: 'after 5 holds' },
        { from: 'ask', to: 'red', by: 'always' },
      ],
    });
  });

  it('are not known without a run or its definition', () => {
    expect(diagram(project, RUN)).toBeNull();
    put();
    fs.rmSync(file('definition.json'));
    expect(diagram(project, RUN)).toBeNull();
  });
});

describe('flow cancel', () => {
  it('ends a run that goes on', () => {
    put();
    expect(cancel(project, RUN)).toBe(`flow:${RUN} is cancelled; the agent is let go at its next stop.`);
    expect(readRun(root, RUN)?.state).toEqual({ kind: 'ended', outcome: 'cancelled' });
    expect(() => cancel(project, RUN)).toThrow(
      `flow:${RUN} has ended already, so there is nothing to cancel.`,
    );
  });

  it('is refused where there is no such run', () => {
    expect(() => cancel(project, RUN)).toThrow(`there is no run flow:${RUN} here.`);
  });

  it('puts a state aside that nobody can read', () => {
    put('{');
    expect(cancel(project, RUN)).toContain('is cancelled');
    expect(fs.readdirSync(filesOf(root, RUN).folder).sort()).toEqual([
      'definition.json',
      'state.json.unreadable',
    ]);
  });
});

describe('flow status', () => {
  it('says that nothing goes on', async () => {
    const none = ['0', 'No flow goes on here. `holdfast flow list` shows which can be started.'];
    expect(await called(status, null)).toEqual(none);
    expect(await called(status, project)).toEqual(none);
    expect(await called(status, null, { flags: { json: true } })).toEqual([
      '0',
      JSON.stringify({ runs: [] }, null, 2),
    ]);
  });

  it('lists what goes on, counts what has ended, and lists that too with --all', async () => {
    const { shown: from } = findFlow('tdd', project, root);
    put({ from });
    put({ from, ended: 'limit' }, 'a-1', NOW - 1000);
    expect(await called(status, project)).toEqual([
      '0',
      `flow:${RUN}  tdd: in red, hold 3 of 60`,
      'One run has ended (--all lists them).',
    ]);
    put({ from, ended: 'limit' }, 'b-1', NOW - 2000);
    expect((await called(status, project)).at(-1)).toBe('2 runs have ended (--all lists them).');
    expect(await called(status, project, { flags: { all: true } })).toEqual([
      '0',
      `flow:${RUN}  tdd: in red, hold 3 of 60`,
      'flow:a-1  tdd: ended in red, limit',
      'flow:b-1  tdd: ended in red, limit',
    ]);
  });

  const OURS = 'tdd (built in)';
  const THEIRS = 'holdfast.flows/tdd.yaml';
  it.each<[string, Partial<RunState> & { nearer?: true }, string, string]>([
    ['edited', { from: OURS, source: 'x' }, `${OURS} differs from`, 'uses the file as it is now.'],
    ['deleted', { from: 'holdfast.flows/mine.yaml', flow: 'mine' }, 'mine.yaml is gone.', 'needs that file'],
    ['deleted, and another is found', { from: THEIRS }, `${THEIRS} is gone.`, `uses ${OURS}.`],
    ['behind a nearer one', { from: OURS, nearer: true }, `${THEIRS} now comes before ${OURS}.`, 'uses it.'],
  ])('says of a run what became of its file: %s', async (_, { nearer = false, ...state }, what, next) => {
    if (nearer) fs.mkdirSync(path.join(root, 'holdfast.flows'));
    if (nearer) fs.writeFileSync(path.join(root, THEIRS), TDD);
    put(state);
    const [, , line = ''] = await called(status, project);
    expect(line).toContain(what);
    expect(line).toMatch(/ The run goes on by its own copy; `holdfast flow start (tdd|mine)` /);
    expect(line).toContain(next);
    expect(runs(project)[0]?.detail.differs).toBe(true);
  });

  it('is the runs as data, by their whole names', async () => {
    put({ from: findFlow('tdd', project, root).shown });
    const [code, text = ''] = await called(status, project, { flags: { json: true } });
    expect(code).toBe('0');
    expect(JSON.parse(text)).toMatchObject({
      runs: [{ run: `flow:${RUN}`, live: true, detail: { differs: false } }],
    });
  });

  it('shows a pause as one', async () => {
    put({ at: 'ask', visits: { ask: 1 } });
    expect((await called(status, project))[1]).toBe(`flow:${RUN}  tdd: paused in ask, hold 3 of 60`);
  });
});

describe('flow list', () => {
  it('has every flow as data', async () => {
    const [code, text = ''] = await called(list, project, { flags: { json: true } });
    expect(code).toBe('0');
    const { flows } = JSON.parse(text);
    expect(flows.map(({ name }: { name: string }) => name).sort()).toEqual([...builtIn.keys()].sort());
  });
});

describe('the state of a recorded stop of a flow', () => {
  it.each([
    [{ at: 'red' }, 'red'],
    [{ at: 7 }, null],
    [null, null],
  ])('of %j is %s', (state, words) => {
    expect(stateOf(state)).toBe(words);
  });
});

describe('the slots of a flow’s texts', () => {
  const place = () => ({ project, run: RUN });
  const world = (run: RunState | null) => ({ run }) as Parameters<typeof fillSay>[2];
  const filled = (text: string, slots = {}, run: RunState | null = STATE, more: object = {}): string =>
    fillSay(text, slots, world(run), { ...place(), ...more });

  it('are the visits and the holds, of the stop before those of the state', () => {
    expect(filled('{{visits}} {{holds}}', { visits: 4, hold: 9 })).toBe('4 9');
    expect(filled('{{visits}} {{holds}}')).toBe('1 3');
    expect(filled('{{visits}} {{holds}}', {}, null)).toBe('1 0');
    expect(filled('{{visits}}', {}, { ...STATE, visits: {} })).toBe('1');
    expect(filled('{{other}} {{holds}}  \n')).toBe('{{other}} 3');
  });

  it('are the task, cut where it is long, and not filled again', () => {
    put();
    expect(filled('Do: {{task}}')).toBe('Do:');
    fs.writeFileSync(file('task.md'), ' {{holds}} \n');
    expect(filled('Do: {{task}}')).toBe('Do: {{holds}}');
    fs.writeFileSync(file('task.md'), 'y'.repeat(2048));
    expect(taskOf(root, RUN)).toBe('y'.repeat(2048));
    fs.writeFileSync(file('task.md'), 'y'.repeat(2049));
    expect(taskOf(root, RUN)).toBe(
      `${'y'.repeat(2048)} […]\n\n(The task goes on in .holdfast/flow/${RUN}/task.md.)`,
    );
  });

  it('are what failing checks printed', () => {
    const printed = [
      { name: 'test', log: 'a.log', tail: 'not ok\n' },
      { name: 'lint', log: 'b.log', tail: '' },
    ];
    expect(filled('{{checks}}', {}, STATE, { printed })).toBe(
      'test failed. All it printed: a.log\n    not ok\n\nlint failed. All it printed: b.log',
    );
    expect(filled('none: {{checks}}')).toBe('none:');
  });

  it('are the findings of this stop’s review, else of the last one that had some', () => {
    put();
    fs.writeFileSync(file('review-1-look.md'), 'Old.\n');
    fs.writeFileSync(file('review-2-deep.md'), 'New.\n');
    const said = (verdict: 'clean' | 'findings', number: number) => ({ content: 'c', verdict, number });
    const both = { ...STATE, reviewed: { look: said('findings', 1), deep: said('findings', 2) } };
    const of = (name: string): string => `(The review is in .holdfast/flow/${RUN}/${name}.)`;
    expect(filled('{{findings}}', {}, both)).toBe(`New.\n\n${of('review-2-deep.md')}`);
    expect(filled('{{findings}}', { review: 'look', number: 1 }, both)).toBe(
      `Old.\n\n${of('review-1-look.md')}`,
    );
    expect(
      filled('{{findings}}', {}, { ...both, reviewed: { ...both.reviewed, deep: said('clean', 2) } }),
    ).toBe('');
    expect(filled('{{findings}}')).toBe('');
    expect(filled('{{findings}}', {}, { ...STATE, reviewed: { gone: said('findings', 3) } })).toBe('');
    fs.writeFileSync(file('review-2-deep.md'), 'y'.repeat(4000));
    expect(filled('{{findings}}', {}, both)).toBe(`${'y'.repeat(4000)}\n\n${of('review-2-deep.md')}`);
    fs.writeFileSync(file('review-2-deep.md'), 'y'.repeat(4001));
    expect(filled('{{findings}}', {}, both)).toBe(`${'y'.repeat(4000)} […]\n\n${of('review-2-deep.md')}`);
  });
});

describe('the pin of a flow', () => {
  it('is none before the first stop, and that of this run and project alone', () => {
    expect(comparePin(project, RUN, 'a')).toBe('none');
    expect(pinFlow(project, RUN, 'a')).toBe('same');
    expect(comparePin(project, RUN, 'b')).toBe('differs');
    expect(pinFlow(project, RUN, 'b')).toBe('differs');
    expect(comparePin(project, 'other-1', 'a')).toBe('none');
    expect(comparePin({ ...project, root: path.dirname(root) }, RUN, 'a')).toBe('none');
  });

  it('differs where nobody can read it', () => {
    pinFlow(project, RUN, 'a');
    const folder = path.join(root, '../state/holdfast/pins');
    for (const name of fs.readdirSync(folder)) {
      fs.rmSync(path.join(folder, name));
      fs.mkdirSync(path.join(folder, name));
    }
    expect(comparePin(project, RUN, 'a')).toBe('differs');
  });
});

describe('why a review had no verdict', () => {
  it('is not written down where the cause is none that is known', () => {
    expect(whyNoVerdict({})).toBe('not written down');
    expect(whyNoVerdict({ cause: 'other' })).toBe('not written down');
    expect(whyNoVerdict({ cause: 'not-logged-in' })).toBe(
      '`claude` is not logged in; run `claude` in a terminal and log in',
    );
    expect(whyNoVerdict({ cause: 'not-logged-in', reviewer: 'codex' })).toBe(
      '`codex` is not logged in; run `codex` in a terminal and log in',
    );
    expect(whyNoVerdict({ cause: 'not-logged-in', reviewer: 'nobody' })).toContain('`claude`');
    expect(whyNoVerdict({ cause: 'exit-code', code: 7 })).toBe('it ended with exit code 7');
    expect(whyNoVerdict({ cause: 'exit-code', code: '7' })).toBe('it ended with exit code unknown');
  });
});

describe('flow at the command line', () => {
  it('has its commands, where its runs are, and a demo', async () => {
    expect(cli.commands.map(({ name }) => name)).toEqual(['new', 'list', 'check', 'start', 'status']);
    expect(cli.places?.(project)).toEqual([{ path: path.join(root, '.holdfast/flow'), kind: 'folder' }]);
    expect(await cli.demo?.()).toBe(demo);
  });

  it('shows the runs by a command that writes nothing', () => {
    const { run: _, ...rest } = status;
    expect(rest).toEqual({
      name: 'status',
      summary: 'the runs of this project, and where each stands',
      usage: '[--all] [--json]',
      help: 'Runs that have ended are only counted; --all lists them too.',
      options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
      writes: false,
      words: { least: 0, most: 0 },
    });
  });
});
