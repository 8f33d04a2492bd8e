import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import {
  heldBy,
  journalIn,
  putToy,
  reviewing,
  runtimeIn,
  SESSION,
  stoppedIn,
} from '../../../test/support/stop-here.ts';
import { toy, toy2 } from '../../../test/toy/workflow.ts';
import type { Stop } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { sidecarPath } from '../../store/home.ts';
import type { Waiting } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { budgetPlace } from '../budget/place.ts';
import { readBudget } from '../budget/record.ts';
import type { Runtime } from '../context.ts';
import type { Project } from '../project.ts';
import { NO_NOTES } from '../proof/asked.ts';
import { Interrupted } from '../work/interrupted.ts';
import type { AnyWorkflow } from '../workflow.ts';
import { openProject } from './find-project.ts';
import type { RunHere } from './find-runs.ts';
import { type ServedRuns, serveRuns } from './serve-runs.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
});

const here = (name: string, over: Partial<AnyWorkflow> = {}): RunHere => {
  const [workflow, run = ''] = name.split(':');
  return { workflow: { ...(workflow === 'toy' ? toy : toy2), ...over }, run };
};
const serve = (
  runs: readonly (RunHere | string)[],
  stop: Partial<Stop> = {},
  runtime: Partial<Runtime> = {},
): Promise<ServedRuns> =>
  serveRuns(
    runs.map((run) => (typeof run === 'string' ? here(run) : run)),
    stoppedIn(project, stop, runtime),
  );
const names = (runs: readonly RunHere[]): string[] =>
  runs.map(({ workflow, run }) => `${workflow.name}:${run}`);
const deciding = (step: object): Partial<AnyWorkflow> => ({
  decide: () => step as ReturnType<AnyWorkflow['decide']>,
});
const allowing = (more: object = {}) => deciding({ kind: 'allow', change: null, notice: null, ...more });
const failing = (error: unknown): Partial<AnyWorkflow> => ({
  observe: () => {
    throw error;
  },
});
const saved = (run: string): unknown => readSidecar(project.root, run).saved;
const note = (run: string, waiting: Waiting): void =>
  writeSidecar(project.root, { ...readSidecar(project.root, run), waiting });
const errors = (): unknown[] =>
  journalIn(project).flatMap(({ error, workflow, run }) => (error ? [[workflow, run, error]] : []));
const NOTHING = { said: [], over: [], unserved: [], complaints: [], news: [] };

describe('the runs of a stop', () => {
  it('are nothing to write about where there are none', async () => {
    expect(await serve([])).toEqual({ ...NOTHING, last: null });
    expect(fs.existsSync(project.home)).toBe(false);
  });

  it('that are gone, or another session’s, are passed over', async () => {
    putToy(project, 'toy:b', {}, 'another');
    fs.rmSync(path.join(project.home), { recursive: true });
    expect(await serve(['toy:gone', 'toy:b'])).toEqual({ ...NOTHING, last: null });
    expect(fs.existsSync(project.home)).toBe(true);
    expect(journalIn(project)).toEqual([]);
  });

  it('are served until one holds; the others keep what was signalled for them', async () => {
    for (const name of ['toy:a', 'toy:b', 'toy2:c', 'toy2:d']) putToy(project, name);
    const result = await serve([here('toy:a', allowing()), 'toy:b', 'toy2:c', 'toy2:d']);
    expect(result).toMatchObject({ ...NOTHING, unserved: expect.anything() });
    expect(result.last).toMatchObject({
      answer: { kind: 'hold', reason: heldBy('go-on {"left":9} a note'), notice: null },
      record: { workflow: 'toy', run: 'b' },
    });
    expect(names(result.unserved)).toEqual(['toy2:c', 'toy2:d']);
    expect(journalIn(project).map(({ run, answer }) => [run, answer])).toEqual([
      ['a', 'allow'],
      ['b', 'hold'],
    ]);
  });

  it('are served until one asks for quiet', async () => {
    for (const name of ['toy:a', 'toy:b', 'toy:c']) putToy(project, name);
    const result = await serve([here('toy:a', allowing({ quiet: true })), 'toy:b']);
    expect(result.last?.answer.kind).toBe('allow');
    expect(names(result.unserved)).toEqual(['toy:b']);
  });

  it('are all served where each allows it, and say what they have to', async () => {
    for (const name of ['toy:a', 'toy:b', 'toy:c']) putToy(project, name);
    const said = (name: string, more: object = {}): Partial<AnyWorkflow> =>
      allowing({ notice: { name, slots: {} }, ...more });
    const result = await serve([
      here('toy:a', said('first', { over: 'completed' })),
      here('toy:b', allowing()),
      here('toy:c', said('third', { over: 'released' })),
    ]);
    expect(result).toMatchObject({
      ...{ said: ['first {} a note', 'third {} a note'], over: ['toy:a', 'toy:c'], unserved: [] },
      last: { record: { run: 'c' } },
    });
  });

  it('complain of a review without a verdict', async () => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    const { complaints } = await serve(['toy:a'], {}, reviewing({ does: 'echo hm' }));
    expect(complaints).toEqual([
      'Holdfast: toy:a: the review into .toy/review-1.md ended without a verdict: it ran to its end but gave no verdict.',
    ]);
  });

  it('keep the signals of later ones before a review begins', async () => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    putToy(project, 'toy2:b');
    const does =
      'grep -q kept .holdfast/runs/toy2-b.json && ! grep -q kept .holdfast/runs/toy-a.json && echo FAIL; echo found >"$1"';
    const result = await serve(
      ['toy:a', 'toy2:b'],
      { lastMessage: 'FINISHED FINISHED2' },
      reviewing({ does }),
    );
    expect(result.last?.answer.kind).toBe('hold');
    expect(saved('toy2:b')).toBe('kept');
  });

  it('keep all signals, their own too, before a check runs', async () => {
    const kept = (file: string): string => `grep -q kept .holdfast/runs/${file}.json`;
    const checks = { test: { run: `${kept('toy-a')} && ${kept('toy2-b')}` } };
    const file = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ checks }));
    project = await openProject(project.root, runtimeIn(project));
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b');
    const proof = { ...NO_NOTES, asked: { checks: ['test'], off: false } };
    writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), proof });
    const claiming: Partial<AnyWorkflow> = {
      claims: true,
      decide(_, { proof }) {
        if (proof === null) return { kind: 'prove' };
        return { kind: 'allow', change: null, notice: { name: proof.worth, slots: {} }, quiet: true };
      },
    };
    const runs = [here('toy:a', claiming), 'toy2:b'];
    const { last } = await serve(runs, { lastMessage: 'FINISHED FINISHED2' });
    expect(last?.answer.notice).toMatch(/^proven \{\} a note/);
  });
});

describe('a run that cannot be served', () => {
  const FAILED =
    'Holdfast: hit an error, so this stop was allowed: no such luck. Run `holdfast doctor` to see what is wrong.';

  it('is explained, and the others are still served', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b');
    const result = await serve([here('toy:a', failing(new Error('no such luck'))), 'toy2:b']);
    expect(result.said).toEqual([FAILED]);
    expect(result.last).toMatchObject({ answer: { kind: 'hold' }, record: { workflow: 'toy2' } });
    expect(errors()).toEqual([['toy', 'a', 'Error: no such luck']]);
  });

  it('keeps its signal beside its sidecar', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b');
    const runs = [here('toy:a', failing(new Error('no such luck'))), 'toy2:b'];
    expect((await serve(runs, { lastMessage: 'FINISHED' })).said).toEqual([FAILED]);
    expect(saved('toy:a')).toBeUndefined();
    expect(fs.readdirSync(project.home).filter((name) => name.startsWith('kept-'))).toEqual([
      'kept-toy-a~kept',
    ]);
  });

  it('ends the whole stop where the hook is asked to end', async () => {
    putToy(project, 'toy:a');
    const error = new Interrupted();
    await expect(serve([here('toy:a', failing(error))])).rejects.toBe(error);
    expect(journalIn(project)).toEqual([]);
  });
});

describe('a question', () => {
  const asked = (more: Partial<Waiting> = {}): Waiting => ({
    ...{ for: 'person', since: project.now - 10, until: project.now + 60_000, what: 'Which?', shown: null },
    ...more,
  });
  const waiting = (run: string): Waiting | undefined => readSidecar(project.root, run).waiting;

  it('that one run shows is shown by the later ones', async () => {
    for (const name of ['toy:a', 'toy:b']) {
      putToy(project, name);
      note(name, asked());
    }
    const result = await serve(['toy:a', 'toy:b'], { turn: 't1' });
    expect(result.last).toMatchObject({ answer: { kind: 'allow' }, quiet: true });
    expect(waiting('toy:a')?.shown).toEqual({ marker: null, turn: 't1' });
    expect(waiting('toy:b')).toEqual(asked({ shown: { marker: null, turn: 't1' } }));
  });

  it('that is answered is open nowhere', async () => {
    const shown = { marker: null, turn: 't1' };
    for (const name of ['toy:a', 'toy:b']) {
      putToy(project, name);
      note(name, asked({ shown }));
    }
    await serve(['toy:a', 'toy:b'], { turn: 't2' });
    expect([waiting('toy:a'), waiting('toy:b')]).toEqual([undefined, undefined]);
  });

  it('leaves a later run alone that asks nothing', async () => {
    for (const name of ['toy:a', 'toy:b']) putToy(project, name);
    note('toy:a', asked());
    const before = fs.readFileSync(sidecarPath(project.home, 'toy:b'), 'utf8');
    await serve(['toy:a', 'toy:b'], { turn: 't1' });
    expect(fs.readFileSync(sidecarPath(project.home, 'toy:b'), 'utf8')).toBe(before);
    note('toy:a', asked());
    expect(names((await serve(['toy:a'], { turn: 't1' })).unserved)).toEqual([]);
  });

  it('that a claim waits for keeps the signal of its own run, too', async () => {
    for (const name of ['toy:a', 'toy:b']) putToy(project, name);
    note('toy:a', asked());
    const claiming = { claims: true as const, ...deciding({ kind: 'prove' }) };
    writeSidecar(project.root, {
      ...readSidecar(project.root, 'toy:a'),
      committed: { before: 'x', after: 'y' },
      proof: { ...NO_NOTES, pinned: true },
    });
    expect(names((await serve([here('toy:a', claiming), 'toy:b'])).unserved)).toEqual(['toy:a', 'toy:b']);
  });
});

describe('a budget', () => {
  const HOUR = 3_600_000;
  const give = (name: string): void =>
    giveBudget(project, budgetOf(project, name, { limits: { timeMs: HOUR } }));
  const isHeld = (name: string): boolean | undefined => readBudget(project, name)?.meter.isHeld;

  it('of another run than the one that holds stands still from now on', async () => {
    for (const name of ['toy:a', 'toy:b', 'toy:c']) {
      putToy(project, name);
      give(name);
    }
    putToy(project, 'toy:d');
    await serve([here('toy:a', allowing()), 'toy:b', 'toy:c', 'toy:d']);
    expect(['toy:a', 'toy:b', 'toy:c'].map(isHeld)).toEqual([false, true, false]);
    expect(readBudget(project, 'toy:b')?.clock.still).toBeNull();
  });

  it('of another run goes on where nobody is held', async () => {
    for (const name of ['toy:a', 'toy:b']) {
      putToy(project, name);
      give(name);
    }
    await serve([here('toy:a', allowing({ quiet: true })), 'toy:b']);
    expect(isHeld('toy:b')).toBe(true);
  });

  it('of another run that cannot be read is journalled, and the hold stands', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy:b');
    give('toy:b');
    const file = path.join(
      ...[project.env.XDG_STATE_HOME ?? '', 'holdfast', budgetPlace(project.root, 'toy:b')],
    );
    fs.writeFileSync(file, 'broken');
    expect((await serve(['toy:a', 'toy:b'])).last?.answer.kind).toBe('hold');
    expect(errors()).toEqual([['toy', 'b', expect.stringMatching(/is not readable as the budget of toy:b/)]]);
  });
});

describe('news', () => {
  const over = allowing({ over: 'completed', change: { phase: 'done', left: 0, reviews: 0 } });

  it('are what happened, where somebody is to be called', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy:b');
    project = { ...project, config: { ...project.config, notify: [['true']] as never } };
    const state = fingerprint(fs.readFileSync(path.join(project.root, '.toy/a.json'), 'utf8'));
    const { news } = await serve([here('toy:a', over), here('toy:b', allowing())]);
    expect(news).toMatchObject([{ event: 'done', run: 'toy:a', cause: `done completed ${state}` }]);
  });

  it('are none where nobody is', async () => {
    putToy(project, 'toy:a');
    expect((await serve([here('toy:a', over)])).news).toEqual([]);
  });
});

it('a session’s own id is what its runs are served by', async () => {
  putToy(project, 'toy:a');
  expect((await serve(['toy:a'], { session: 'another' })).last).toBeNull();
  expect((await serve(['toy:a'], { session: SESSION })).last).not.toBeNull();
});
