// What each stop means for a flow: every condition, every place a line leads to, and what a verdict is good for.

import { describe, expect, it } from 'vitest';
import { UNASKED } from '../../engine/proof/asked.ts';
import { decide, type Known } from './decide.ts';
import { type At, type Change, type Condition, NO_SIGNAL, type Target, UNREAD } from './types.ts';

const DONE = { to: 'done', is: 'let-go', visits: 0, watches: false } as const;

const STATE: At = {
  ...{ kind: 'at', flow: 'critic', at: 'work', pause: false, limit: null },
  lines: [
    {
      when: [
        { kind: 'signal', name: 'go' },
        { kind: 'review', name: 'critic', is: 'clean' },
      ],
      target: DONE,
    },
  ],
  ...{ visits: 1, stay: 0, held: 0, most: 10 },
};

const LEFT: Known = {
  ...{ run: 'critic-1-1', pinned: 'same', signal: 'go', nearMiss: 'none', seen: null, files: null },
  ...{ content: null, reviewed: null, reviews: 0, marks: null, failedReviews: 0, proof: null, until: null },
  ...{ verdict: 'clean', reviewNumber: 1, reviewContent: 'as it was' },
};

describe('a verdict', () => {
  it('counts once the content has been looked at, and is stored with it', () => {
    expect(decide(STATE, LEFT)).toEqual({ kind: 'look', at: 'content' });
    const reviewed = { name: 'critic', content: 'as it was', verdict: 'clean', number: 1 };
    expect(decide(STATE, { ...LEFT, content: 'as it was' })).toMatchObject({
      ...{ kind: 'allow', over: 'stuck', change: { to: 'done', reviewed } },
    });
  });

  it('of other content is passed over: another review is asked for, beside its file', () => {
    expect(decide(STATE, { ...LEFT, content: 'changed since' })).toMatchObject({
      kind: 'review',
      review: { number: 2, content: 'changed since', file: expect.stringContaining('review-2-critic') },
    });
  });

  it('that nobody asks about at this stop is stored with the content it saw', () => {
    expect(decide(STATE, { ...LEFT, signal: NO_SIGNAL })).toMatchObject({
      ...{ kind: 'hold', change: { reviewed: { content: 'as it was', verdict: 'clean' } } },
    });
  });
});

const WORK = { to: 'other', is: 'work', visits: 2, watches: false } as const;
const PAUSE = { to: 'ask', is: 'pause', visits: 0, watches: false } as const;
const COMPLETED = { to: 'finished', is: 'completed', visits: 0, watches: false } as const;

const at = (when: readonly Condition[], target: Target = DONE, over: Partial<At> = {}): At => ({
  ...{ ...STATE, lines: [{ when, target }], visits: 3, stay: 1, held: 4 },
  ...over,
});
const FACTS: Known = {
  ...{ run: 'critic-1-1', pinned: 'same', signal: NO_SIGNAL, nearMiss: 'none', seen: 'line', files: null },
  ...{ content: null, reviewed: null, reviews: 0, marks: null, failedReviews: 0, proof: null, until: null },
  verdict: null,
};
const SIGNAL: Condition = { kind: 'signal', name: 'go' };
const TEST: Condition = { kind: 'check', name: 'test', is: 'passed' };
const REVIEW: Condition = { kind: 'review', name: 'critic', is: 'clean' };
const NOTHING: Change = {
  ...{ to: null, by: null, held: false, ended: null, marks: {}, reviewed: null, seen: 'line' },
};
const HELD = {
  kind: 'hold',
  change: { ...NOTHING, held: true },
  message: { name: 'say', slots: { state: 'work', visits: 3, hold: 5, most: 10 } },
  notice: null,
};
const GONE = {
  ...{ kind: 'allow', notice: { name: 'let-go', slots: { state: 'done' } }, over: 'stuck' },
  change: { ...NOTHING, to: 'done', by: 0, ended: 'stuck' },
};

describe('a line', () => {
  it.each<[string, Condition, Partial<Known>]>([
    ['enough visits', { kind: 'visits', least: 3 }, {}],
    ['its signal', SIGNAL, { signal: 'go' }],
    ['its file', { kind: 'file', glob: 'a', is: 'exists' }, { files: { 'exists a': true } }],
  ])('holds with %s', (_, condition, facts) => {
    expect(decide(at([condition]), { ...FACTS, ...facts })).toEqual(GONE);
  });

  it.each<[string, Condition, Partial<Known>]>([
    ['too few visits', { kind: 'visits', least: 4 }, {}],
    ['another signal', SIGNAL, { signal: 'other' }],
    ['no signal', SIGNAL, {}],
    ['no file', { kind: 'file', glob: 'a', is: 'exists' }, { files: { 'exists a': false } }],
    ['a file that nobody knows of', { kind: 'file', glob: 'a', is: 'exists' }, { files: {} }],
  ])('does not hold with %s: the agent is held', (_, condition, facts) => {
    expect(decide(at([condition]), { ...FACTS, ...facts })).toEqual(HELD);
  });

  it('asks for what nobody has looked at, and no sooner than the parts before it hold', () => {
    const file: Condition = { kind: 'file', glob: 'a', is: 'exists' };
    expect(decide(at([SIGNAL, file]), { ...FACTS, signal: UNREAD })).toEqual({ kind: 'look', at: 'signal' });
    expect(decide(at([SIGNAL, file]), FACTS)).toEqual(HELD);
    expect(decide(at([SIGNAL, file]), { ...FACTS, signal: 'go' })).toEqual({ kind: 'look', at: 'files' });
    expect(decide(at([SIGNAL, TEST]), { ...FACTS, signal: 'go' })).toEqual({ kind: 'prove', check: 'test' });
  });

  it('is the first that holds', () => {
    const state = at([SIGNAL]);
    const lines = [...state.lines, { when: [{ kind: 'visits', least: 1 } as const], target: COMPLETED }];
    expect(decide({ ...state, lines }, { ...FACTS, signal: 'go' })).toEqual(GONE);
    expect(decide({ ...state, lines }, FACTS)).toEqual({ kind: 'prove', final: true });
  });
});

describe('a check of a line', () => {
  const CHECK = { name: 'test', code: null, milliseconds: null, from: null };
  const ended = (end: 'passed' | 'failed' | 'timed-out' | 'cannot-run' | 'untrusted', more = {}): Known => ({
    ...FACTS,
    checks: { test: { ...CHECK, end, ...more } },
  });
  const failing: Condition = { kind: 'check', name: 'test', is: 'failed' };

  it.each([
    ['passed', GONE, HELD],
    ['failed', HELD, GONE],
    ['timed-out', HELD, GONE],
  ] as const)('that has %s', (end, passing, broken) => {
    expect(decide(at([TEST]), ended(end))).toEqual(passing);
    expect(decide(at([failing]), ended(end))).toEqual(broken);
  });

  it('is asked for where others are known, and a property of every object is none', () => {
    const named: Condition = { kind: 'check', name: 'constructor', is: 'passed' };
    expect(decide(at([named]), ended('passed'))).toEqual({ kind: 'prove', check: 'constructor' });
  });

  it.each(['cannot-run', 'untrusted'] as const)('that is %s ends the run', (end) => {
    expect(decide(at([TEST]), ended(end))).toEqual({
      ...{ kind: 'allow', change: { ...NOTHING, ended: 'released' }, over: 'released' },
      notice: { name: 'check-lost', slots: { check: 'test', end } },
    });
  });

  it('that had no time changes nothing, and a pause goes on', () => {
    const allow = { kind: 'allow', change: null, notice: { name: 'no-time', slots: { check: 'test' } } };
    const facts = ended('cannot-run', { why: 'no-time' });
    expect(decide(at([TEST]), facts)).toEqual(allow);
    expect(decide(at([TEST], DONE, { pause: true }), facts)).toEqual({ ...allow, awaits: 'person' });
  });
});

describe('where a line leads', () => {
  const go = (target: Target, facts: Partial<Known> = {}, over: Partial<At> = {}) =>
    decide(at([SIGNAL], target, over), { ...FACTS, signal: 'go', ...facts });
  const LIMIT = {
    ...{ kind: 'allow', change: { ...NOTHING, ended: 'limit' }, over: 'limit' },
    notice: { name: 'limit', slots: { state: 'work', most: 10 } },
  };

  it('is a state with work: the agent is held there, in one more visit', () => {
    expect(go(WORK, { nearMiss: 'code' })).toEqual({
      ...{ kind: 'hold', change: { ...NOTHING, to: 'other', by: 0, held: true }, notice: null },
      message: { name: 'say', slots: { state: 'other', visits: 3, hold: 5, most: 10 } },
    });
  });

  it('is a pause: the turn is a person’s', () => {
    expect(go(PAUSE)).toEqual({
      ...{ kind: 'allow', change: { ...NOTHING, to: 'ask', by: 0 }, awaits: 'person' },
      notice: { name: 'paused', slots: { state: 'ask', visits: 1 } },
    });
  });

  it('is the goal: once the proof was asked for', () => {
    expect(go(COMPLETED)).toEqual({ kind: 'prove', final: true });
    expect(go(COMPLETED, { proof: UNASKED })).toEqual({
      ...{ kind: 'allow', over: 'completed', notice: { name: 'completed', slots: { state: 'finished' } } },
      change: { ...NOTHING, to: 'finished', by: 0, ended: 'completed' },
    });
  });

  it.each([WORK, PAUSE])('is looked at first where it watches files: %j', (target) => {
    const watching = { ...target, watches: true };
    const { to } = target;
    expect(go(watching)).toEqual({ kind: 'look', at: `marks ${to}` });
    expect(go(watching, { marks: { of: 'elsewhere', marks: { a: '1' } } })).toEqual({
      ...{ kind: 'look', at: `marks ${to}` },
    });
    expect(go(watching, { marks: { of: to, marks: { a: '1' } } })).toMatchObject({
      change: { to, marks: { a: '1' } },
    });
    expect(go(target, { marks: { of: 'elsewhere', marks: { a: '1' } } })).toMatchObject({
      change: { to, marks: {} },
    });
  });

  it('is the end where the run has used up its holds, but a pause holds nobody', () => {
    expect(go(WORK, {}, { held: 10 })).toEqual(LIMIT);
    expect(go({ ...WORK, watches: true }, {}, { held: 10 })).toEqual(LIMIT);
    expect(go(WORK, {}, { held: 9 })).toMatchObject({ kind: 'hold' });
    expect(go(PAUSE, {}, { held: 10 })).toMatchObject({ awaits: 'person' });
    expect(decide(at([SIGNAL], DONE, { held: 10 }), FACTS)).toEqual(LIMIT);
  });

  it('is elsewhere once the holds of the visit are used up', () => {
    const limit = { holds: 2, otherwise: DONE };
    expect(decide(at([SIGNAL], WORK, { limit, stay: 1 }), FACTS)).toEqual(HELD);
    expect(decide(at([SIGNAL], WORK, { limit, stay: 2 }), FACTS)).toEqual({
      ...GONE,
      change: { ...GONE.change, by: 'otherwise' },
    });
  });
});

describe('a hold', () => {
  it.each(['place', 'code', 'spelling'] as const)('hints at a signal that came near: %s', (nearMiss) => {
    expect(decide(at([SIGNAL]), { ...FACTS, nearMiss })).toEqual({
      ...HELD,
      message: { name: 'say', slots: { ...HELD.message.slots, nearMiss } },
    });
  });

  it('tells which review found something', () => {
    const facts = {
      ...FACTS,
      verdict: 'findings',
      reviewNumber: 4,
      reviewContent: 'c',
      content: 'c',
    } as const;
    expect(decide(at([REVIEW]), facts)).toEqual({
      ...HELD,
      change: { ...HELD.change, reviewed: { name: 'critic', content: 'c', verdict: 'findings', number: 4 } },
      message: { name: 'say', slots: { ...HELD.message.slots, review: 'critic', number: 4 } },
    });
  });
});

describe('a pause', () => {
  const paused = at([SIGNAL], DONE, { pause: true });
  const STILL = { kind: 'allow', change: null, notice: null };

  it('waits for a person, and then looks at its lines', () => {
    expect(decide(paused, { ...FACTS, signal: 'go', waitsForPerson: true })).toEqual(STILL);
    expect(decide(paused, { ...FACTS, signal: 'go' })).toEqual(GONE);
    expect(decide(at([SIGNAL]), { ...FACTS, signal: 'go', waitsForPerson: true })).toEqual(GONE);
  });

  it('goes on where no line holds, and a signal was heard once', () => {
    expect(decide(paused, FACTS)).toEqual({ ...STILL, awaits: 'person' });
    expect(decide(paused, { ...FACTS, signal: 'other' })).toEqual({
      ...STILL,
      change: NOTHING,
      awaits: 'person',
    });
    const deaf = at([{ kind: 'visits', least: 9 }], DONE, { pause: true });
    expect(decide(deaf, { ...FACTS, signal: UNREAD })).toEqual({ ...STILL, awaits: 'person' });
  });

  it('stores what a review said', () => {
    const facts = {
      ...FACTS,
      verdict: 'findings',
      reviewNumber: 1,
      reviewContent: 'c',
      content: 'c',
    } as const;
    const reviewed = { name: 'critic', content: 'c', verdict: 'findings', number: 1 };
    expect(decide(at([REVIEW], DONE, { pause: true }), facts)).toEqual({
      ...{ ...STILL, change: { ...NOTHING, reviewed }, awaits: 'person' },
    });
  });
});

describe('a review of a line', () => {
  const asked = (facts: Partial<Known>, is: 'clean' | 'findings' = 'clean') =>
    decide(at([{ ...REVIEW, is }]), { ...FACTS, content: 'c', ...facts });
  const request = (number: number, model: string) => ({
    kind: 'review',
    review: {
      ...{ reviewer: 'claude', kind: 'critic', number, model, content: 'c' },
      file: `.holdfast/flow/critic-1-1/review-${number}-critic.md`,
    },
  });

  it('is asked for by turns, the next number each', () => {
    expect(asked({ content: null })).toEqual({ kind: 'look', at: 'content' });
    expect(asked({})).toEqual(request(1, 'opus'));
    expect(asked({ reviews: 1 })).toEqual(request(2, 'sonnet'));
    expect(asked({ reviews: 2 })).toEqual(request(3, 'opus'));
    expect(asked({ reviews: 1, verdict: 'clean', reviewNumber: 4, reviewContent: 'old' })).toEqual(
      request(5, 'opus'),
    );
    expect(asked({ reviews: 2, verdict: 'findings', reviewNumber: 1, reviewContent: 'old' })).toEqual(
      request(3, 'opus'),
    );
    expect(asked({ reviews: 1, verdict: 'clean', reviewContent: 'old' })).toEqual(request(2, 'sonnet'));
  });

  it('is by the user’s pair, and by who stands in for Claude Code', () => {
    const by = (reviewers: Known['reviewers'], reviews = 0) =>
      asked({ reviewers, reviews } as Partial<Known>);
    const standIn = { pair: ['opus', 'sonnet'], standIn: 'codex' } as const;
    const { review } = request(1, 'opus');
    expect(by(standIn)).toEqual({
      kind: 'review',
      review: { ...review, reviewer: 'codex', model: '', named: 'opus' },
    });
    const own = { pair: ['haiku', 'not fit for it'], standIn: null } as const;
    expect(by(own)).toEqual({ kind: 'review', review: { ...review, model: 'haiku' } });
    expect(by(own, 1)).toEqual(request(2, 'not fit for it'));
    expect(asked({ reviewers: standIn, verdict: 'none' } as Partial<Known>)).toMatchObject({
      notice: { slots: { reviewer: 'codex' } },
    });
  });

  it('is not asked for again of the same content', () => {
    const reviewed = { content: 'c', verdict: 'findings', number: 1 } as const;
    expect(asked({ reviewed })).toEqual(HELD);
    expect(asked({ reviewed }, 'findings')).toEqual(GONE);
    expect(asked({ reviewed: { ...reviewed, content: 'old' } })).toEqual(request(1, 'opus'));
  });

  it.each([
    ['clean', 'clean', 'stuck'],
    ['findings', 'findings', 'stuck'],
    ['clean', 'findings', undefined],
    ['findings', 'clean', undefined],
  ] as const)('that is %s, where the line asks for %s', (verdict, is, over) => {
    const facts = { verdict, reviewNumber: 1, reviewContent: 'c' };
    expect(asked(facts, is)).toMatchObject(over === undefined ? { kind: 'hold' } : { over });
  });

  it('is numbered after the others where nobody said its number', () => {
    expect(asked({ verdict: 'clean', reviews: 6, reviewContent: 'c' })).toMatchObject({
      change: { reviewed: { number: 7 } },
    });
  });

  it.each(['none', 'failed'] as const)('with the verdict %s is tried again, three times', (verdict) => {
    const slots = { review: 'critic', failures: 1, cause: 'no-verdict', reviewer: 'claude' };
    expect(asked({ verdict, content: null })).toEqual({
      ...{ kind: 'allow', change: null, notice: { name: 'review-failed', slots } },
    });
    expect(asked({ verdict, failedReviews: 1, noVerdict: { kind: 'exit-code', code: 7 } })).toEqual({
      ...{ kind: 'allow', change: null },
      notice: { name: 'review-failed', slots: { ...slots, failures: 2, cause: 'exit-code', code: 7 } },
    });
    const givenUp = {
      ...{ kind: 'allow', change: { ...NOTHING, ended: 'released' }, over: 'released' },
      notice: { name: 'review-given-up', slots: { ...slots, failures: 3 } },
    };
    expect(asked({ verdict, failedReviews: 2 })).toEqual(givenUp);
    expect(asked({ verdict, failedReviews: 7 })).toEqual(givenUp);
    expect(asked({ failedReviews: 3 })).toEqual(givenUp);
    expect(asked({ failedReviews: 2 })).toEqual(request(1, 'opus'));
  });
});
