import { describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from '../../engine/proof/asked.ts';
import type { Proof } from '../../engine/proof/types.ts';
import type { EngineFacts } from '../../engine/step.ts';
import { decide } from './decide.ts';
import { postOf, REVIEWS, type Review } from './phases.ts';
import type { Facts, KnownState } from './types.ts';

const sound: KnownState = {
  kind: 'known',
  maxReviews: 8,
  currentTask: '1',
  phase: 'complete-task',
  iteration: 0,
  next: 'code-review',
  model: 'opus',
  clean: 0,
  tdd: false,
  unsound: [],
};

const around: Facts & EngineFacts = {
  plan: 'p',
  handFired: false,
  violations: [],
  folder: 'seal',
  planWritten: true,
  taskWritten: true,
  review: null,
  nextNumber: 1,
  tasks: { ids: ['1', '2'], leftOut: 0, plain: false },
  pending: { others: true, current: false },
  verdict: null,
  failedReviews: 0,
  proof: UNASKED,
  until: NO_UNTIL,
};

const decideOn = (state: Partial<KnownState>, facts: Partial<Facts & EngineFacts> = {}) =>
  decide({ ...sound, ...state }, { ...around, ...facts });

describe('a review that is due', () => {
  it.each(REVIEWS)(
    'asks for the %s with the state’s model and the next free number',
    { tags: ['T-hook-5', 'T-accept-3.1.2'] },
    (next) => {
      const step = decideOn({ next, model: 'haiku' }, { nextNumber: 4 });
      const names = {
        'plan-review': 'plan-review-4.md',
        'tasks-review': 'tasks-review-4.md',
        'code-review': 'task-1-review-4.md',
        'all-code-review': 'all-code-review-4.md',
      };
      const file = `.taskie/plans/p/${names[next]}`;
      expect(step).toEqual({
        kind: 'review',
        review: { reviewer: 'claude', kind: next, number: 4, file, model: 'haiku' },
      });
    },
  );

  it('takes the number of its iteration where no number was looked up', () => {
    expect(decideOn({ iteration: 2 }, { nextNumber: null })).toMatchObject({ review: { number: 3 } });
    expect(decideOn({ iteration: null }, { nextNumber: null })).toMatchObject({ review: { number: 1 } });
  });

  it('comes before the folder’s violations', () => {
    expect(decideOn({}, { violations: ['Files found in nested directories'] }).kind).toBe('review');
  });

  it('counts an iteration of null as none yet', () => {
    const step = decideOn({ iteration: null }, { verdict: 'findings', reviewNumber: 1 });
    expect(step).toMatchObject({ kind: 'hold', change: { iteration: 1 } });
  });

  it('is not asked for past the limit: the state stays and the user gets a notice', {
    tags: ['T-hook-6.a'],
  }, () => {
    const step = decideOn({ iteration: 3, maxReviews: 3 });
    expect(step).toMatchObject({
      kind: 'allow',
      change: null,
      notice: { name: 'limit-reached', slots: { max: 3, review: 'code-review' } },
    });
  });

  it.each([
    ['findings', { kind: 'hold', change: { iteration: 4, clean: 0 } }],
    ['clean', { kind: 'hold', change: { iteration: 4, clean: 1 } }],
    ['failed', { kind: 'allow', notice: { name: 'review-failed' } }],
  ] as const)('that ran counts, also when the limit was lowered meanwhile: %s', (verdict, step) => {
    expect(decideOn({ iteration: 3, maxReviews: 2, clean: 0 }, { verdict, reviewNumber: 4 })).toMatchObject(
      step,
    );
  });

  it('past the limit lets violations hold, and they carry the notice', { tags: ['T-hook-6.b'] }, () => {
    const step = decideOn({ iteration: 8 }, { violations: ['Invalid filename: x.md'] });
    expect(step).toMatchObject({
      kind: 'hold',
      message: { name: 'violations' },
      notice: { name: 'limit-reached' },
    });
  });

  it.each(['tasks-review', 'all-code-review'] as const)('reads the table before a %s', (next) => {
    expect(decideOn({ next }, { tasks: null })).toEqual({ kind: 'look', at: 'tasks' });
  });

  it.each(['tasks-review', 'all-code-review'] as const)(
    'without task rows a %s is skipped with a warning, whatever the structure',
    (next) => {
      const tasks = { ids: [], leftOut: 0, plain: false };
      expect(decideOn({ next }, { tasks, violations: ['x'] })).toMatchObject({
        kind: 'allow',
        change: null,
        notice: { name: 'no-tasks' },
      });
    },
  );

  it('skips a code review without a current task, or without its file, with a warning', () => {
    expect(decideOn({ currentTask: null })).toMatchObject({
      kind: 'allow',
      notice: { name: 'no-current-task' },
    });
    expect(decideOn({}, { taskWritten: false })).toMatchObject({
      kind: 'allow',
      notice: { name: 'no-task-file' },
    });
  });

  it('leaves a plan review without plan.md to the structure’s first rule', () => {
    const facts = { planWritten: false, violations: ['Missing required file: plan.md'] };
    expect(decideOn({ next: 'plan-review' }, facts)).toMatchObject({
      kind: 'hold',
      change: null,
      message: { name: 'violations' },
    });
  });
});

describe('a verdict', () => {
  it.each(REVIEWS)('of findings in a %s is written down and held for the post-review', (next) => {
    const step = decideOn(
      { next, clean: 1, iteration: 4, model: 'sonnet' },
      { verdict: 'findings', reviewNumber: 5 },
    );
    expect(step).toMatchObject({
      kind: 'hold',
      change: {
        phase: next,
        next: postOf(next),
        iteration: 5,
        model: 'opus',
        clean: 0,
        review: { kind: next, iteration: 5, number: 5 },
      },
      message: { name: `hold-${next}` },
    });
  });

  it('names the file the review really went to when numbers were taken', () => {
    const step = decideOn({}, { verdict: 'findings', reviewNumber: 7 });
    expect(step).toMatchObject({
      change: { iteration: 1, review: { iteration: 1, number: 7 } },
      message: { slots: { iteration: 1, review: 'task-1-review-7.md', post: 'task-1-post-review-7.md' } },
    });
  });

  it('of one clean review is held too: two in a row are needed', () => {
    const step = decideOn({ clean: 0 }, { verdict: 'clean', reviewNumber: 1 });
    expect(step).toMatchObject({ kind: 'hold', change: { clean: 1, next: 'post-code-review' } });
  });

  it.each(['none', 'failed'] as const)(
    'of %s changes nothing, names the log and checks the structure',
    (verdict) => {
      const notice = { name: 'review-failed', slots: { log: '.taskie/plans/p/.review-1.log' } };
      expect(decideOn({}, { verdict, reviewNumber: 1 })).toMatchObject({
        kind: 'allow',
        change: null,
        notice,
      });
      expect(decideOn({}, { verdict, reviewNumber: 1, violations: ['x'] })).toMatchObject({
        kind: 'hold',
        change: null,
        notice,
      });
    },
  );

  it('missing three times in a row ends the attempts until something changes', () => {
    const third = decideOn({}, { verdict: 'failed', reviewNumber: 1, failedReviews: 2 });
    const after = decideOn({}, { verdict: null, failedReviews: 3 });
    expect(third).toMatchObject({
      kind: 'allow',
      notice: { name: 'review-given-up', slots: { failures: 3 } },
    });
    expect(after).toEqual(third);
  });

  it('warns beside the hold about rows the reviewer was not given', () => {
    const state = { next: 'tasks-review' as const };
    const verdict = { verdict: 'findings' as const, reviewNumber: 1 };
    const tasks = { ids: ['1'], leftOut: 2, plain: false };
    expect(decideOn(state, { ...verdict, tasks })).toMatchObject({ notice: { name: 'table-rows-left-out' } });
    expect(decideOn(state, { ...verdict, tasks: { ...tasks, plain: true } })).toMatchObject({
      notice: { name: 'table-plain' },
    });
  });
});

describe('the floor', () => {
  const floor = { severity: 'high', from: 1 } as const;
  const light = { high: 0, medium: 1, low: 1 };
  const fails = { verdict: 'findings', reviewModel: 'opus', listed: light } as const;

  it('makes a review clean that listed only what lies below it, and says so', () => {
    const step = decideOn({ clean: 0 }, { ...fails, floor });
    expect(step).toMatchObject({
      kind: 'hold',
      change: { clean: 1, review: { by: 'opus' } },
      message: { slots: { floor: 'high', clean: 1 } },
    });
    expect(decideOn({ clean: 1 }, { ...fails, floor })).toMatchObject({
      kind: 'allow',
      change: { clean: 2, review: { by: 'opus' } },
      notice: { name: 'passed', slots: { floor: 'high' } },
    });
  });

  it.each([
    ['nothing was listed', { ...fails, listed: null, floor }],
    ['the list is empty', { ...fails, listed: { high: 0, medium: 0, low: 0 }, floor }],
    ['one lies on it', { ...fails, listed: { ...light, high: 1 }, floor }],
    ['one lies on a lower one', { ...fails, floor: { ...floor, severity: 'medium' as const } }],
    ['its round has not come', { ...fails, floor: { ...floor, from: 2 } }],
    ['there is none', fails],
    ['it is null', { ...fails, floor: null }],
  ])('leaves findings where %s', (_, facts) => {
    const step = decideOn({ clean: 1 }, facts);
    expect(step).toMatchObject({ kind: 'hold', change: { clean: 0 } });
    expect(JSON.stringify(step)).not.toContain('floor');
  });

  it('counts rounds by the cycle', () => {
    const late = { ...floor, from: 3 };
    expect(decideOn({ iteration: 1 }, { ...fails, floor: late })).toMatchObject({ change: { clean: 0 } });
    expect(decideOn({ iteration: 2 }, { ...fails, floor: late })).toMatchObject({ change: { clean: 1 } });
  });

  it('leaves a step as it always was where nothing was listed', () => {
    const step = decideOn({}, { verdict: 'findings', reviewModel: 'opus' });
    expect(step).toMatchObject({
      change: { review: { kind: 'code-review', task: '1', iteration: 1, number: 1 } },
    });
    expect(JSON.stringify(step)).not.toContain('"by"');
  });
});

describe('two clean reviews in a row', () => {
  const pass = (state: Partial<KnownState>, facts: Partial<Facts> = {}) =>
    decideOn({ clean: 1, iteration: 3, ...state }, { verdict: 'clean', reviewNumber: 4, ...facts });

  it.each([
    ['plan-review', false, 'create-tasks'],
    ['plan-review', true, 'create-tasks'],
    ['tasks-review', false, 'complete-task'],
    ['tasks-review', true, 'complete-task-tdd'],
    ['code-review', false, 'complete-task'],
    ['code-review', true, 'complete-task-tdd'],
    ['all-code-review', false, 'complete'],
    ['all-code-review', true, 'complete'],
  ] as const)('of %s (tdd %s) advance to %s with every field written', (next, tdd, target) => {
    expect(pass({ next, tdd })).toMatchObject({
      kind: 'allow',
      change: { phase: next, next: target, iteration: 4, model: 'sonnet', clean: 2 },
      notice: { name: 'passed' },
    });
  });

  it('of the last task’s code begin a fresh cycle for all code', () => {
    const step = pass({ model: 'sonnet' }, { pending: { others: false, current: false } });
    expect(step).toMatchObject({
      kind: 'allow',
      change: { phase: 'code-review', next: 'all-code-review', iteration: 0, model: 'opus', clean: 0 },
    });
  });

  it('of code ask for the rows that are left, after the review and not before', () => {
    expect(pass({}, { pending: null })).toEqual({ kind: 'look', at: 'pending' });
    expect(decideOn({}, { pending: null }).kind).toBe('review');
  });

  it('of code name the current task’s row when it still says pending', () => {
    const step = pass({}, { pending: { others: true, current: true } });
    expect(step).toMatchObject({ notice: { name: 'passed-row-pending', slots: { task: '1' } } });
  });

  it('tell of rows that could not be counted as tasks', () => {
    const table = { ids: ['1'], leftOut: 2, plain: false };
    const warning = { warning: 'table-rows-left-out', rows: 2 };
    expect(pass({}, { tasks: table })).toMatchObject({ notice: { name: 'passed', slots: warning } });
    expect(pass({}, { tasks: table, pending: { others: false, current: true } })).toMatchObject({
      notice: { name: 'passed-row-pending', slots: warning },
    });
    expect(decideOn({ maxReviews: 0 }, { tasks: table })).toMatchObject({
      notice: { name: 'reviews-off', slots: warning },
    });
    expect(pass({}, { tasks: { ...table, plain: true } })).toMatchObject({
      notice: { name: 'passed', slots: { warning: 'table-plain' } },
    });
  });

  it('follow any unknown model with opus', () => {
    expect(pass({ model: 'haiku' })).toMatchObject({ change: { model: 'opus' } });
  });
});

describe('max_reviews 0', () => {
  it.each([
    ['plan-review', 'create-tasks'],
    ['tasks-review', 'complete-task'],
    ['code-review', 'complete-task'],
    ['all-code-review', 'complete'],
  ] as const)('moves %s on to %s without a reviewer and without counting', (next, target) => {
    expect(decideOn({ next, maxReviews: 0, iteration: 5, model: 'sonnet', clean: 1 })).toMatchObject({
      kind: 'allow',
      change: { phase: next, next: target, iteration: 0, model: 'sonnet', clean: 1 },
      notice: { name: 'reviews-off' },
    });
  });

  it('begins a fresh cycle for all code after the last task', () => {
    const step = decideOn(
      { maxReviews: 0, model: 'sonnet', clean: 1 },
      { pending: { others: false, current: true } },
    );
    expect(step).toMatchObject({
      change: { next: 'all-code-review', iteration: 0, model: 'opus', clean: 0 },
    });
  });
});

describe('a post-review that is owed', () => {
  const owed = { phase: 'code-review', next: 'post-code-review', iteration: 2, clean: 1 } as const;

  it('holds again with the message of its review', () => {
    const held = decideOn({ iteration: 1, clean: 0 }, { verdict: 'clean', reviewNumber: 2 });
    const again = decideOn(owed, { review: { number: 2, answered: false } });
    expect(again).toMatchObject({ kind: 'hold', change: null, notice: null });
    expect('message' in again && 'message' in held && again.message).toEqual(
      'message' in held && held.message,
    );
  });

  it('fired by hand goes to the structure and only gives a notice', () => {
    const facts = { handFired: true, review: { number: 2, answered: false } };
    expect(decideOn(owed, facts)).toMatchObject({ kind: 'allow', notice: { name: 'outstanding' } });
    expect(decideOn(owed, { ...facts, violations: ['x'] })).toMatchObject({
      kind: 'hold',
      notice: { name: 'outstanding' },
    });
  });

  it('with reviews turned off gives a notice, no hold', () => {
    const facts = { review: { number: 2, answered: false } };
    expect(decideOn({ ...owed, maxReviews: 0 }, facts)).toMatchObject({
      kind: 'allow',
      notice: { name: 'outstanding' },
    });
  });

  it('whose file is there counts as recorded: the next review is asked for', () => {
    expect(decideOn(owed, { review: { number: 2, answered: true } })).toMatchObject({ kind: 'review' });
  });

  it('of a review that is gone lets the stop go with a warning', () => {
    expect(decideOn(owed, { review: null })).toMatchObject({
      kind: 'allow',
      notice: { name: 'review-missing' },
    });
  });

  it('does not swallow a verdict that is already there', () => {
    const facts = { review: { number: 3, answered: false }, verdict: 'findings', reviewNumber: 3 } as const;
    expect(decideOn(owed, facts)).toMatchObject({ kind: 'hold', change: { iteration: 3 } });
  });

  it.each(REVIEWS.map((review): [Review] => [review]))(
    'of a %s that is not the phase is not waited for',
    (review) => {
      const step = decideOn({ phase: 'new-plan', next: postOf(review) });
      expect(step).toMatchObject({ kind: 'allow', notice: { name: 'validated' } });
    },
  );
});

describe('otherwise the structure decides', () => {
  it.each([null, 'other', 'create-tasks', 'complete-task', 'complete-task-tdd', 'complete'] as const)(
    'with %s next',
    { tags: ['T-accept-3.1.3'] },
    (next) => {
      expect(decideOn({ next })).toMatchObject({
        kind: 'allow',
        change: null,
        notice: { name: 'validated', slots: { seal: 'seal' } },
        suppressOutput: true,
      });
      expect(decideOn({ next }, { violations: ['A', 'B'] })).toMatchObject({
        kind: 'hold',
        message: { name: 'violations', slots: { violations: 'A; B' } },
      });
    },
  );

  it('without state.json, with a broken one or with fields missing, warning but never holding', () => {
    expect(decide({ kind: 'absent' }, around)).toMatchObject({
      kind: 'allow',
      notice: { name: 'validated' },
    });
    expect(decide({ kind: 'broken' }, around)).toMatchObject({
      kind: 'allow',
      notice: { name: 'validated-state-broken' },
    });
    expect(decideOn({ next: null, unsound: ['tdd'] })).toMatchObject({
      kind: 'allow',
      notice: { name: 'validated-state-unsound', slots: { fields: 'tdd' } },
    });
  });
});

describe('a review of code that is due', () => {
  const refused: Proof = { ...UNASKED, claim: 'refused', worth: 'unproven' };

  it.each(['code-review', 'all-code-review'] as const)(
    'is a claim: the checks come before the %s',
    (next) => {
      expect(decideOn({ next }, { proof: null })).toEqual({ kind: 'prove', standsAfter: 3 });
      expect(decideOn({ next }, { proof: { ...UNASKED, worth: 'proven' } })).toMatchObject({
        kind: 'review',
      });
      expect(decideOn({ next }, { proof: { ...UNASKED, worth: 'unproven' } })).toMatchObject({
        kind: 'review',
      });
    },
  );

  it('starts no reviewer when the claim is refused', () => {
    expect(decideOn({}, { proof: refused })).toEqual({
      kind: 'hold',
      change: null,
      message: { name: 'checks-refused', slots: { plan: 'p', title: 'code review of task 1' } },
      notice: null,
    });
    expect(decideOn({}, { proof: refused, handFired: true })).toMatchObject({
      kind: 'allow',
      notice: { name: 'checks-refused' },
    });
  });

  it('claims nothing when no review would follow, and the other reviews never do', () => {
    expect(decideOn({ maxReviews: 0 }, { proof: null })).toMatchObject({ kind: 'allow' });
    expect(decideOn({ iteration: 8 }, { proof: null })).toMatchObject({ notice: { name: 'limit-reached' } });
    expect(decideOn({}, { proof: null, failedReviews: 3 })).toMatchObject({
      notice: { name: 'review-given-up' },
    });
    expect(decideOn({}, { proof: null, verdict: 'findings' })).toMatchObject({ kind: 'hold' });
    for (const next of ['plan-review', 'tasks-review'] as const)
      expect(decideOn({ next }, { proof: null })).toMatchObject({ kind: 'review' });
  });
});

describe('a plan that is complete', () => {
  const complete = { phase: 'complete', next: null } as const;

  it('asks whether what was proven still stands, and runs nothing', () => {
    expect(decideOn(complete, { proof: null })).toEqual({ kind: 'prove', receiptsOnly: true });
    expect(decideOn(complete, { proof: { ...UNASKED, worth: 'proven' } })).toMatchObject({
      kind: 'allow',
      completed: true,
      notice: { name: 'validated' },
    });
  });

  it('says nothing new without checks, nor while its folder is broken', () => {
    expect(decideOn(complete)).not.toHaveProperty('completed');
    expect(decideOn(complete, { proof: null, violations: ['no plan.md'] })).toMatchObject({ kind: 'hold' });
  });
});
