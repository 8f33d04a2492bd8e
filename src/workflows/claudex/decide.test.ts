import { describe, expect, it } from 'vitest';
import type { Step } from '../../engine/step.ts';
import { decide } from './decide.ts';
import type { Change, Facts, State } from './types.ts';

const state = (over: Partial<State> = {}): State => ({
  mode: 'plan',
  phase: 'reviewing',
  round: 1,
  maxRounds: 3,
  signal: 'none',
  ...over,
});

const facts = (over: Partial<Facts> = {}): Facts => ({
  id: 'valid',
  cwd: 'inside',
  plan: 'unread',
  runner: 'idle',
  waited: 'no',
  lastReviewed: 1,
  reviewFiles: 'unread',
  unwarned: [],
  ...over,
});

describe('plan mode, row by row', () => {
  it.each(['missing', 'empty', 'unchanged'] as const)(
    'drafting, PLAN.md %s: hold and ask for the draft',
    (plan) => {
      const step = decide(state({ phase: 'drafting' }), facts({ plan }));
      expect(step).toMatchObject({ kind: 'hold', message: { name: 'draft', slots: { plan } } });
      expect(changeOf(step)).not.toHaveProperty('swap');
    },
  );

  it('drafting, PLAN.md there: swap to reviewing, write the runner of round 1, hold', () => {
    const step = decide(state({ phase: 'drafting' }), facts({ plan: 'drafted', lastReviewed: 0 }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'round', slots: { round: 1, max: 3 } } });
    expect(changeOf(step)).toMatchObject({
      swap: { from: 'drafting', to: 'reviewing' },
      runner: { round: 1, owedFrom: 1 },
    });
  });

  it('reviewing with no-material-findings: swap to summarizing, hold with the summary', () => {
    const step = decide(state({ signal: 'no-material-findings' }), facts({ runner: 'running' }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'complete' } });
    expect(changeOf(step)?.swap).toEqual({ from: 'reviewing', to: 'summarizing' });
  });

  it('reviewing, the runner among the background tasks: allow quietly, spend nothing', () => {
    const step = decide(state(), facts({ runner: 'in-background' }));
    expect(step).toMatchObject({ kind: 'allow', quiet: true, notice: null });
    expect(Object.keys(changeOf(step) ?? {})).toEqual(['log']);
  });

  it('reviewing, the runner running otherwise: hold once with wait', () => {
    const step = decide(state(), facts({ runner: 'running' }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'wait', slots: { round: 1 } } });
    expect(changeOf(step)).toMatchObject({ waited: 'held' });
    expect(changeOf(step)).not.toHaveProperty('round');
  });

  it('reviewing, the runner still running after that: allow, with a notice the first time', () => {
    const first = decide(state(), facts({ runner: 'running', waited: 'held' }));
    expect(first).toMatchObject({
      kind: 'allow',
      notice: { name: 'still-running' },
      change: { waited: 'notified' },
    });
    const second = decide(state(), facts({ runner: 'running', waited: 'notified' }));
    expect(second).toMatchObject({ kind: 'allow', notice: null });
    expect(second).not.toHaveProperty('over');
  });

  it('reviewing past max_rounds: signal max-reached, swap to summarizing, hold', () => {
    const step = decide(state({ round: 3 }), facts({ lastReviewed: 3 }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'stopped', slots: { round: 3, max: 3 } } });
    expect(changeOf(step)).toMatchObject({
      signal: 'max-reached',
      swap: { from: 'reviewing', to: 'summarizing' },
    });
    expect(changeOf(step)).not.toHaveProperty('round');
  });

  it('reviewing otherwise: the next round, its runner, hold', () => {
    const step = decide(state({ round: 1 }), facts({ lastReviewed: 1 }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'round', slots: { round: 2, max: 3 } } });
    expect(changeOf(step)).toMatchObject({ round: 2, runner: { round: 2, owedFrom: 2 } });
  });

  it('carries the questions of rounds that nobody reviewed', () => {
    const step = decide(state({ round: 2 }), facts({ lastReviewed: 0 }));
    expect(changeOf(step)?.runner).toEqual({ round: 3, owedFrom: 1 });
  });

  it('summarizing: swap to done, clean up, allow; the session still knows it, for the log', () => {
    const step = decide(state({ phase: 'summarizing' }), facts());
    expect(step).toMatchObject({ kind: 'allow', notice: null });
    expect(step).not.toHaveProperty('over');
    expect(changeOf(step)).toMatchObject({ swap: { from: 'summarizing', to: 'done' }, cleanUp: true });
  });

  it('done: clean up leftovers, allow', () => {
    const step = decide(state({ phase: 'done' }), facts());
    expect(step).toMatchObject({ kind: 'allow', change: { cleanUp: true } });
    expect(step).not.toHaveProperty('over');
  });

  it.each(['cancelled', 'errored'] as const)('%s: allow', (phase) => {
    expect(decide(state({ phase }), facts())).toMatchObject({ kind: 'allow', notice: null });
  });

  it('an unknown phase: allow, and say so in the log', () => {
    const step = decide(state({ phase: 'unknown' }), facts());
    expect(step).toMatchObject({ kind: 'allow', change: { log: { why: 'unknown-phase' } } });
    expect(step).not.toHaveProperty('over');
  });
});

describe('review mode, row by row', () => {
  it('reviewing: write the runner, swap to done, hold', { tags: ['C3.10'] }, () => {
    const step = decide(state({ mode: 'review' }), facts({ reviewFiles: 'missing' }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'review' } });
    expect(changeOf(step)).toMatchObject({
      swap: { from: 'reviewing', to: 'done' },
      runner: { round: 1, owedFrom: 1 },
    });
  });

  it('done, files there: clean up, allow', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ reviewFiles: 'written' }));
    expect(step).toMatchObject({ kind: 'allow', notice: null, change: { cleanUp: true } });
  });

  it('done, its end answered already: allow, and say no more', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ reviewFiles: 'unread' }));
    expect(step).toMatchObject({ kind: 'allow', notice: null, change: { log: { why: 'finished' } } });
  });

  it('done, files missing: say so, clean up, allow', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ reviewFiles: 'missing' }));
    expect(step).toMatchObject({
      kind: 'allow',
      notice: { name: 'review-missing' },
      change: { cleanUp: true },
    });
  });

  it('done, the runner still running: allow without cleaning up', () => {
    const step = decide(
      state({ mode: 'review', phase: 'done' }),
      facts({ runner: 'running', reviewFiles: 'missing' }),
    );
    expect(step).toMatchObject({ kind: 'allow', notice: { name: 'review-running' } });
    expect(changeOf(step)).not.toHaveProperty('cleanUp');
    const again = decide(
      state({ mode: 'review', phase: 'done' }),
      facts({ runner: 'running', waited: 'notified' }),
    );
    expect(again).toMatchObject({ kind: 'allow', notice: null });
  });

  it('done, the runner in the background: allow quietly without cleaning up', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ runner: 'in-background' }));
    expect(step).toMatchObject({ kind: 'allow', quiet: true });
    expect(changeOf(step)).not.toHaveProperty('cleanUp');
  });

  it.each(['drafting', 'summarizing', 'unknown'] as const)(
    '%s, which it does not know: allow',
    { tags: ['C3.10'] },
    (phase) => {
      expect(decide(state({ mode: 'review', phase }), facts())).toMatchObject({ kind: 'allow' });
    },
  );
});

describe('what an allowed stop says in the log and changes, and no more', () => {
  const of = (mode: State['mode'], phase: State['phase'], over: Partial<Facts> = {}) =>
    decide(state({ mode, phase }), facts(over));

  it.each([
    [
      'plan',
      'summarizing',
      {},
      'summary-given',
      { swap: { from: 'summarizing', to: 'done' }, cleanUp: true },
    ],
    ['plan', 'done', {}, 'finished', { cleanUp: true }],
    ['plan', 'cancelled', {}, 'cancelled', {}],
    ['plan', 'errored', {}, 'errored', {}],
    ['plan', 'unknown', {}, 'unknown-phase', {}],
    ['plan', 'reviewing', { runner: 'running', waited: 'notified' }, 'runner-running', {}],
    ['review', 'done', { reviewFiles: 'written' }, 'review-finished', { cleanUp: true }],
    ['review', 'done', { reviewFiles: 'unread' }, 'finished', { cleanUp: true }],
    ['review', 'done', { runner: 'running', waited: 'notified' }, 'runner-running', {}],
    ['review', 'cancelled', {}, 'cancelled', {}],
    ['review', 'errored', {}, 'errored', {}],
    ['review', 'drafting', {}, 'unknown-phase', {}],
    ['review', 'summarizing', {}, 'unknown-phase', {}],
    ['review', 'unknown', {}, 'unknown-phase', {}],
    ['unknown', 'reviewing', {}, 'unknown-mode', {}],
    ['plan', 'reviewing', { cwd: 'elsewhere' }, 'elsewhere', {}],
  ] as const)('%s mode, %s, %o: %s', (mode, phase, over, why, change) => {
    expect(of(mode, phase, over)).toEqual({
      kind: 'allow',
      notice: null,
      change: { log: { answer: 'allow', why }, ...change },
    });
  });

  it.each(['plan', 'review'] as const)('%s mode, the runner in the background', (mode) => {
    const phase = mode === 'plan' ? 'reviewing' : 'done';
    expect(of(mode, phase, { runner: 'in-background' })).toEqual({
      kind: 'allow',
      notice: null,
      change: { log: { answer: 'allow', why: 'runner-in-background' } },
      quiet: true,
    });
  });

  it.each([
    [
      'plan',
      'reviewing',
      { runner: 'running', waited: 'held' },
      'runner-running',
      'still-running',
      { round: 1 },
    ],
    ['review', 'done', { runner: 'running', waited: 'no' }, 'runner-running', 'review-running', {}],
    ['review', 'done', { runner: 'running', waited: 'held' }, 'runner-running', 'review-running', {}],
    ['review', 'done', { reviewFiles: 'missing' }, 'review-missing', 'review-missing', {}],
  ] as const)('%s mode, %s, %o: %s, with the notice %s', (mode, phase, over, why, name, slots) => {
    const change = why === 'review-missing' ? { cleanUp: true } : { waited: 'notified' };
    expect(of(mode, phase, over)).toEqual({
      kind: 'allow',
      notice: { name, slots },
      change: { log: { answer: 'allow', why }, ...change },
    });
  });

  it('a malformed id', () => {
    expect(of('plan', 'reviewing', { id: 'malformed', cwd: 'elsewhere' })).toEqual({
      kind: 'allow',
      notice: null,
      over: 'cancelled',
      change: { log: { answer: 'allow', why: 'malformed-id' }, setAside: true },
    });
  });
});

it.each([
  ['complete', { signal: 'no-material-findings', round: 2 }, {}],
  ['stopped', { round: 3 }, { lastReviewed: 3 }],
  ['round', { round: 2 }, {}],
  ['wait', { round: 2 }, { runner: 'running' }],
  ['draft', { phase: 'drafting' }, { plan: 'empty' }],
  ['review', { mode: 'review' }, {}],
] as const)('a stop held with %s has that message in the log, and no notice', (name, over, known) => {
  const step = decide(state(over), facts(known));
  const message = step.kind === 'hold' ? step.message : null;
  expect(step).toMatchObject({
    notice: null,
    message: { name },
    change: { log: { answer: 'hold', message } },
  });
  expect(message?.slots).toEqual(
    {
      complete: { round: 2, max: 3 },
      stopped: { round: 3, max: 3 },
      round: { round: 3, max: 3 },
      wait: { round: 2 },
      draft: { plan: 'empty' },
      review: {},
    }[name],
  );
});

it('several variables with garbage are reported together, but not over another notice', () => {
  const unwarned = ['ONE', 'TWO'];
  expect(decide(state(), facts({ unwarned })).kind).toBe('hold');
  expect(decide(state(), facts({ unwarned }))).toMatchObject({
    notice: { name: 'variables', slots: { names: 'ONE TWO' } },
    change: { warned: unwarned },
  });
  const other = decide(state(), facts({ runner: 'running', waited: 'held', unwarned }));
  expect(other).toMatchObject({ notice: { name: 'still-running' } });
  expect(changeOf(other)).not.toHaveProperty('warned');
});

describe('before any mode', () => {
  it('a malformed id: the file is set aside, allow', () => {
    const step = decide(state(), facts({ id: 'malformed' }));
    expect(step).toMatchObject({ kind: 'allow', over: 'cancelled', change: { setAside: true } });
  });

  it('a folder outside of repo_root: allow, with a log line and nothing else', () => {
    const step = decide(state(), facts({ cwd: 'elsewhere' }));
    expect(step).toMatchObject({ kind: 'allow', notice: null, change: { log: { why: 'elsewhere' } } });
  });

  it('an unknown mode: allow', () => {
    expect(decide(state({ mode: 'unknown' }), facts())).toMatchObject({ kind: 'allow' });
  });

  it('garbage in a variable is reported at a stop with no other notice, and remembered', () => {
    const step = decide(state(), facts({ unwarned: ['CLAUDEX_STALE_MINUTES'] }));
    expect(step).toMatchObject({
      kind: 'hold',
      notice: { name: 'variables', slots: { names: 'CLAUDEX_STALE_MINUTES' } },
      change: { warned: ['CLAUDEX_STALE_MINUTES'] },
    });
    const allowed = decide(state({ phase: 'done' }), facts({ unwarned: ['CLAUDEX_STALE_MINUTES'] }));
    expect(allowed).toMatchObject({
      kind: 'allow',
      notice: { name: 'variables', slots: { names: 'CLAUDEX_STALE_MINUTES' } },
      change: { warned: ['CLAUDEX_STALE_MINUTES'], cleanUp: true },
    });
    const quiet = decide(state(), facts({ runner: 'in-background', unwarned: ['CLAUDEX_STALE_MINUTES'] }));
    expect(quiet).toMatchObject({ notice: null });
  });
});

function changeOf(step: Step<Change>): Change | null {
  return step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
}
