import { describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from './asked.ts';
import {
  holdsForProtected,
  isRefusing,
  judge,
  judgeFinal,
  judgeReceipts,
  judgeUntil,
  type Memory,
  type Terms,
} from './judge.ts';
import type { CheckFact } from './types.ts';

const TERMS: Terms = { required: 1, off: false, refusals: 2, onProtected: 'notice' };
const FRESH: Memory = { refusals: 0, cannotRunSaid: false, protectedSaid: false };
const fact = (end: CheckFact['end'], more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name: 'a', end, code: null, milliseconds: null, from: 'run', ...more },
});
const passed = fact('passed');
const failed = fact('failed');
const missing = fact('cannot-run');
const untrusted = fact('untrusted');
const red = fact('failed', { failedBefore: true });

describe('a claim', () => {
  it('stands proven where all that is required passed, and begins the count again', () => {
    const memory = { refusals: 2, cannotRunSaid: true, protectedSaid: true };
    expect(judge([passed], 4, TERMS, memory)).toEqual({
      proof: { claim: 'stands', worth: 'proven', why: [], checks: [passed], protectedChanged: 4 },
      memory: { refusals: 0, cannotRunSaid: false, protectedSaid: true },
    });
  });

  it('is not proven by fewer checks than are required', () => {
    expect(judge([passed], 0, { ...TERMS, required: 2 }, FRESH).proof.worth).toBe('unproven');
  });

  it('of a run without checks is the agent’s word', () => {
    expect(judge([], 0, { ...TERMS, required: 0 }, FRESH).proof).toEqual(UNASKED);
  });

  it('stands where the checks are off, unproven where there are some', () => {
    const off = { ...TERMS, off: true };
    expect(judge([], 2, off, { ...FRESH, refusals: 1 })).toEqual({
      proof: { ...UNASKED, protectedChanged: 2, worth: 'unproven', why: ['switched-off'] },
      memory: FRESH,
    });
    expect(judge([], 0, { ...off, required: 0 }, FRESH).proof).toEqual(UNASKED);
  });

  it('is refused where a check failed, and counted', () => {
    for (const check of [failed, fact('timed-out')])
      expect(judge([check, passed], 1, TERMS, FRESH)).toEqual({
        proof: {
          ...{ claim: 'refused', worth: 'unproven', why: [], checks: [check, passed], protectedChanged: 1 },
        },
        memory: { ...FRESH, refusals: 1 },
      });
  });

  it('is refused so many times in a row, and then too often', () => {
    expect(judge([failed], 0, TERMS, { ...FRESH, refusals: 1 })).toMatchObject({
      proof: { why: [] },
      memory: { refusals: 2 },
    });
    expect(judge([failed], 0, TERMS, { ...FRESH, refusals: 2 })).toMatchObject({
      proof: { claim: 'refused', worth: 'unproven', why: ['refused-too-often'] },
      memory: { refusals: 2 },
    });
  });

  it('knows that nothing was run again where every failure is from a receipt', () => {
    const kept = fact('failed', { from: 'receipt' });
    expect(judge([kept, passed], 0, TERMS, FRESH).proof.unchanged).toBe(true);
    expect(judge([kept, failed], 0, TERMS, FRESH).proof).not.toHaveProperty('unchanged');
  });

  it('stands where a check was red before the run began', () => {
    expect(judge([red], 0, TERMS, FRESH).proof).toMatchObject({
      ...{ claim: 'stands', worth: 'unproven', why: ['failed-before'] },
    });
    expect([isRefusing(failed), isRefusing(red), isRefusing(passed), isRefusing(missing)]).toEqual([
      ...[true, false, false, false],
    ]);
  });

  it('is refused once for a check that cannot run', () => {
    const first = judge([missing], 0, TERMS, FRESH);
    expect(first).toMatchObject({
      proof: { claim: 'refused', why: [] },
      memory: { refusals: 1, cannotRunSaid: true },
    });
    expect(judge([missing], 0, TERMS, first.memory)).toMatchObject({
      proof: { claim: 'stands', worth: 'unproven', why: ['cannot-run'] },
      memory: { refusals: 0, cannotRunSaid: true },
    });
  });

  it('is never refused for a check that nobody trusts', () => {
    expect(judge([untrusted], 0, TERMS, FRESH).proof).toMatchObject({
      ...{ claim: 'stands', worth: 'unproven', why: ['untrusted'] },
    });
  });

  it('says every reason, in one order', () => {
    const memory = { ...FRESH, cannotRunSaid: true };
    expect(judge([red, missing, untrusted], 0, TERMS, memory).proof.why).toEqual([
      ...['untrusted', 'cannot-run', 'failed-before'],
    ]);
  });
});

describe('protected files', () => {
  const hold = { ...TERMS, onProtected: 'hold' } as const;

  it.each<[string, number, Partial<Terms>, Partial<Memory>, boolean]>([
    ['that changed', 1, {}, {}, true],
    ['of which none changed', 0, {}, {}, false],
    ['that are only to be noticed', 1, { onProtected: 'notice' }, {}, false],
    ['that were spoken of already', 1, {}, { protectedSaid: true }, false],
    ['of a run whose checks are off', 1, { off: true }, {}, false],
  ])('%s (%d) hold: %j %j %s', (_, changed, terms, memory, holds) => {
    expect(holdsForProtected(changed, { ...hold, ...terms }, { ...FRESH, ...memory })).toBe(holds);
  });

  it('refuse a claim once, whatever the checks say', () => {
    const first = judge([passed], 3, hold, FRESH);
    expect(first).toEqual({
      proof: {
        ...{ claim: 'refused', worth: 'unproven', why: [], checks: [passed], protectedChanged: 3 },
        heldForProtected: true,
      },
      memory: { refusals: 1, cannotRunSaid: false, protectedSaid: true },
    });
    expect(judge([passed], 3, hold, first.memory).proof).toMatchObject({ claim: 'stands', worth: 'proven' });
  });
});

describe('at the end of a run', () => {
  it.each<[string, readonly CheckFact[], Partial<Terms>, boolean, object]>([
    ['all have a receipt', [passed], {}, false, { worth: 'proven', why: [] }],
    ['one has none', [], {}, false, { worth: 'unproven', why: ['changed-since'] }],
    ['one could not run', [], {}, true, { worth: 'unproven', why: ['cannot-run'] }],
    ['that is said already', [missing], { required: 2 }, true, { worth: 'unproven', why: ['cannot-run'] }],
    [
      'two reasons',
      [untrusted],
      { required: 2 },
      false,
      { worth: 'unproven', why: ['untrusted', 'changed-since'] },
    ],
    ['nothing is asked', [], { required: 0 }, false, { worth: 'unasked', why: [] }],
    ['they are off', [], { off: true }, false, { worth: 'unproven', why: ['switched-off'] }],
    ['off, and none', [], { off: true, required: 0 }, false, { worth: 'unasked', why: [] }],
  ])('receipts count: %s', (_, checks, terms, cannotRunSaid, worth) => {
    const proof = judgeReceipts(checks, 5, { ...TERMS, ...terms }, { ...FRESH, cannotRunSaid });
    expect(proof).toEqual({ ...UNASKED, checks, protectedChanged: 5, ...worth });
  });

  it('a check that fails makes it unproven', () => {
    expect(judgeFinal([failed, untrusted], 0, TERMS).why).toEqual(['failed', 'untrusted']);
    expect(judgeFinal([red], 0, TERMS).why).toEqual(['failed-before']);
  });
});

describe('the check that a frame waits for', () => {
  it('is none of the run’s: the frame goes on', () => {
    expect(judgeUntil(null, FRESH)).toEqual({ proof: NO_UNTIL, memory: FRESH });
  });

  it('ends it when it passes', () => {
    const proof = { ...UNASKED, checks: [passed], worth: 'proven' };
    expect(judgeUntil(passed, FRESH)).toEqual({ proof, memory: FRESH });
  });

  it.each(['failed', 'timed-out'] as const)('leaves it open while it has %s', (end) => {
    const open = { ...UNASKED, claim: 'refused', worth: 'unproven' };
    const ran = fact(end);
    expect(judgeUntil(ran, FRESH)).toEqual({ proof: { ...open, checks: [ran] }, memory: FRESH });
    const kept = fact(end, { from: 'receipt' });
    expect(judgeUntil(kept, FRESH).proof).toEqual({ ...open, checks: [kept], unchanged: true });
  });

  it('that cannot run leaves it open once', () => {
    const first = judgeUntil(missing, FRESH);
    expect(first).toEqual({
      proof: { ...UNASKED, checks: [missing], claim: 'refused', worth: 'unproven' },
      memory: { ...FRESH, cannotRunSaid: true },
    });
    expect(judgeUntil(missing, first.memory)).toEqual({
      proof: { ...UNASKED, checks: [missing], worth: 'unproven', why: ['cannot-run'] },
      memory: first.memory,
    });
  });

  it('that nobody trusts ends it, unproven', () => {
    const proof = { ...UNASKED, checks: [untrusted], worth: 'unproven', why: ['untrusted'] };
    expect(judgeUntil(untrusted, FRESH)).toEqual({ proof, memory: FRESH });
  });
});
