import { describe, expect, it } from 'vitest';
import { NO_COUNTS } from '../../../test/support/shown-run.ts';
import type { ProjectView, RoundView, RunView } from '../../view/model.ts';
import { RUN_STATES } from '../../view/run-state.ts';
import { nameOf, overviewOf, projectsOf } from './cards.ts';

const NOTHING = { critical: 0, major: 0, minor: 0, nit: 0 } as unknown as RoundView['found'];

function run(id: string, over: Partial<RunView> = {}): RunView {
  return {
    ...{ id, name: `idle:${id}`, workflow: 'idle', run: id, status: 'running', needs: null, live: true },
    ...{ dismissed: false, unseen: false, reviewsGivenUp: null },
    ...{ stage: 'loop', state: null, progress: null, asked: 'Do it', holder: null, startedAt: 1, movedAt: 2 },
    ...{ end: null, waiting: null, work: [], stops: [], events: [], rounds: [], findings: null, checks: [] },
    ...{ proof: null, budget: null, forecast: null, files: ['a.md'], trouble: null, detail: { max: 4 } },
    counts: NO_COUNTS,
    ...over,
  };
}

function project(id: string, over: Partial<ProjectView> = {}): ProjectView {
  return {
    ...{ id, root: `/${id}`, name: id, runs: [], leftOut: 0, troubles: [], readBackTo: null },
    ...over,
  };
}

const model = (at: number, ...projects: ProjectView[]) => ({ at, projects });
const idsOf = (runs: readonly RunView[]) =>
  overviewOf([model(1, project('p', { runs }))]).cards.map(({ id }) => id);

describe('the order of the cards', () => {
  it('is by status first', () => {
    const states = RUN_STATES.toReversed();
    expect(idsOf(states.map((status, at) => run(status, { status, movedAt: 100 - at })))).toEqual(RUN_STATES);
  });

  it('is by what moved last within a status, and what never moved comes last', () => {
    const runs = [
      run('old', { movedAt: 5 }),
      run('never', { movedAt: null }),
      run('new', { movedAt: 9 }),
      run('mid', { movedAt: 7 }),
    ];
    expect(idsOf(runs)).toEqual(['new', 'mid', 'old', 'never']);
  });

  it('is by name where nothing else tells them apart', () => {
    expect(idsOf([run('b'), run('c'), run('a')])).toEqual(['a', 'b', 'c']);
    expect(idsOf([run('c'), run('b'), run('a')])).toEqual(['a', 'b', 'c']);
  });
});

describe('the overview', () => {
  it('has the time of the newest model, and each project once, as the first one has it', () => {
    const first = project('p', { runs: [run('a', { stage: 'first' })] });
    const again = project('p', { runs: [run('a', { stage: 'second' })] });
    const other = project('q', { runs: [run('b', { status: 'ended' })] });
    const models = [model(3, first), model(9, again, other), model(5)];
    expect(projectsOf(models)).toEqual([first, other]);
    const { at, cards, projects } = overviewOf(models);
    expect(at).toBe(9);
    expect(cards.map(({ id, stage, project: { root } }) => [id, stage, root])).toEqual([
      ['a', 'first', '/p'],
      ['b', 'loop', '/q'],
    ]);
    expect(projects.map(({ id }) => id)).toEqual(['p', 'q']);
  });

  it('names no project that has nothing to show', () => {
    const trouble = { file: '/t/x', why: 'torn', fix: 'remove it' } as unknown as ProjectView['troubles'][0];
    const { projects } = overviewOf([
      model(
        1,
        project('empty'),
        project('runs', { runs: [run('a')] }),
        project('troubles', { troubles: [trouble] }),
        project('older', { leftOut: 2 }),
      ),
    ]);
    expect(projects).toEqual([
      { id: 'runs', name: 'runs', root: '/runs', troubles: [], leftOut: 0 },
      { id: 'troubles', name: 'troubles', root: '/troubles', troubles: [trouble], leftOut: 0 },
      { id: 'older', name: 'older', root: '/older', troubles: [], leftOut: 2 },
    ]);
  });

  it('names a project by nothing else than its id, its name and its root', () => {
    expect(nameOf(project('p', { leftOut: 3 }))).toEqual({ id: 'p', name: 'p', root: '/p' });
  });
});

describe('a card', () => {
  const cardOf = (over: Partial<RunView>) =>
    overviewOf([model(1, project('p', { runs: [run('a', over)] }))]).cards[0];

  it('is the run without its lists', () => {
    const { stops, events, files, detail, ...rest } = run('a');
    expect(cardOf({})).toEqual({
      ...rest,
      project: { id: 'p', name: 'p', root: '/p' },
      ...{ rounds: [], findings: null, checks: [], budget: null, lastStop: null },
    });
  });

  it('has the newest twenty-four rounds, with what they found', () => {
    const round = (number: number): RoundView => ({
      ...{ number, about: '', reviewer: 'codex', model: null, verdict: 'clean', found: NOTHING, at: 1 },
      ...{ milliseconds: 1, usd: null, tokens: null, file: null, position: null },
    });
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => round(at + 1));
    expect(cardOf({ rounds: numbers(24) })?.rounds).toHaveLength(24);
    const shown = cardOf({ rounds: numbers(26) })?.rounds ?? [];
    expect(shown.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, at) => at + 3));
    expect(shown[0]).toEqual({ number: 3, verdict: 'clean', found: NOTHING });
  });

  it('counts findings, and has what each check said last, the budget without its burn, and the last stop', () => {
    const position = { file: 'journal', offset: 0 } as unknown as RunView['stops'][0]['position'];
    const counted = { file: 'docket', found: 3, fixed: 1, rejected: 1, open: 1, contested: 0 };
    const spent = { tokens: 5, timeMs: 0, reviews: 0, usd: 0, cacheRead: 0 };
    const limits = { tokens: 9, timeMs: null, reviews: null, usd: null };
    const budget = { stage: 'open', limits, spent, left: limits, iterations: 2, text: 'fine' } as const;
    const result = { at: 1, code: 0, milliseconds: 1, receipt: false, flaky: false, position };
    const stop = {
      position,
      moved: true,
      step: 'continue',
      state: null,
      client: 'codex',
      session: null,
      milliseconds: 3,
    };
    expect(
      cardOf({
        findings: { ...counted, list: [] },
        checks: [
          {
            name: 'types',
            results: [
              { ...result, end: 'failed' },
              { ...result, end: 'passed' },
            ],
            log: null,
          },
          { name: 'never', results: [], log: null },
        ],
        budget: { ...budget, burn: [{ at: 1, tokens: 5, timeMs: 0, reviews: 0, usd: 0 }] },
        stops: [
          { ...stop, at: 8, kind: 'held', why: 'newest' },
          { ...stop, at: 7, kind: 'allowed', why: 'older' },
        ],
      }),
    ).toMatchObject({
      findings: counted,
      checks: [{ name: 'types', end: 'passed' }],
      budget,
      lastStop: { at: 8, kind: 'held', why: 'newest' },
    });
    expect(cardOf({ findings: { ...counted, list: [] } })?.findings).toEqual(counted);
    expect(cardOf({ budget: { ...budget, burn: [] } })?.budget).toEqual(budget);
  });
});
