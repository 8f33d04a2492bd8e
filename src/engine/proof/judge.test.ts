import { describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from './asked.ts';
import { judge, judgeFinal, judgeReceipts, judgeUntil, type Memory, type Terms } from './judge.ts';
import type { CheckFact, Proof } from './types.ts';

const TERMS: Terms = { required: 1, off: false, refusals: 2, onProtected: 'hold' };
const FRESH: Memory = { refusals: 0, cannotRunSaid: false, protectedSaid: false };
const fact = (end: CheckFact['end'], more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name: 'a', code: null, milliseconds: null, from: 'run' },
  ...{ end, ...more },
});
const [passed, failed, missing, untrusted] = (['passed', 'failed', 'cannot-run', 'untrusted'] as const).map(
  (end) => fact(end),
) as [CheckFact, CheckFact, CheckFact, CheckFact];
const late = fact('timed-out');
const red = fact('failed', { failedBefore: true });
const accepted = fact('failed', { accepted: 'person' });
const kept = fact('failed', { from: 'receipt' });
const refused: Partial<Proof> = { claim: 'refused', worth: 'unproven' };
const unproven = (...why: Proof['why']): Partial<Proof> => ({ worth: 'unproven', why });
const proven: Partial<Proof> = { worth: 'proven' };

describe('a claim', () => {
  const said = { cannotRunSaid: true };
  it.each<[string, CheckFact[], number, Partial<Terms>, Partial<Memory>, Partial<Proof>, Partial<Memory>]>([
    [
      'passes: the count begins again',
      [passed],
      0,
      {},
      { refusals: 2, ...said },
      proven,
      { refusals: 0, cannotRunSaid: false },
    ],
    ['passes fewer than are required', [passed], 0, { required: 2 }, {}, unproven(), {}],
    ['has no checks', [], 0, { required: 0 }, {}, {}, {}],
    ['is off', [], 2, { off: true }, { refusals: 1 }, unproven('switched-off'), { refusals: 0 }],
    ['is off, and has no checks', [], 0, { off: true, required: 0 }, {}, {}, {}],
    ['fails', [failed, passed], 0, {}, {}, refused, { refusals: 1 }],
    ['is out of time', [late], 0, {}, {}, refused, { refusals: 1 }],
    ['fails for the last time', [failed], 0, {}, { refusals: 1 }, refused, { refusals: 2 }],
    [
      'fails too often',
      [failed],
      0,
      {},
      { refusals: 2 },
      { ...refused, why: ['refused-too-often'] },
      { refusals: 2 },
    ],
    [
      'failed before, by receipts',
      [kept, passed],
      0,
      {},
      {},
      { ...refused, unchanged: true },
      { refusals: 1 },
    ],
    ['fails now and by receipts', [kept, failed], 0, {}, {}, refused, { refusals: 1 }],
    ['failed before the run', [red], 0, {}, { refusals: 1 }, unproven('failed-before'), { refusals: 0 }],
    ['is red, and that was accepted', [accepted], 0, {}, {}, unproven('accepted-red'), {}],
    [
      'was red before the run too',
      [fact('failed', { redBefore: true })],
      0,
      {},
      {},
      refused,
      { refusals: 1 },
    ],
    ['is still red after so many', [failed], 0, { standsAfter: 2 }, { refusals: 2 }, unproven('failed'), {}],
    ['cannot run', [missing], 0, {}, {}, refused, { refusals: 1, cannotRunSaid: true }],
    ['cannot run, again', [missing], 0, {}, said, unproven('cannot-run'), said],
    ['is not trusted', [untrusted], 0, {}, {}, unproven('untrusted'), {}],
    [
      'has every reason',
      [red, missing, untrusted],
      0,
      {},
      said,
      unproven('untrusted', 'cannot-run', 'failed-before'),
      said,
    ],
    [
      'changed protected files',
      [passed],
      3,
      {},
      {},
      { ...refused, heldForProtected: true },
      { refusals: 1, protectedSaid: true },
    ],
    ['changed them, as was said', [passed], 1, {}, { protectedSaid: true }, proven, { protectedSaid: true }],
    ['changed them, for a notice', [passed], 1, { onProtected: 'notice' }, {}, proven, {}],
  ])('that %s', (_, checks, protectedChanged, terms, memory, proof, after) => {
    expect(judge(checks, protectedChanged, { ...TERMS, ...terms }, { ...FRESH, ...memory })).toEqual({
      proof: { ...UNASKED, checks, protectedChanged, ...proof },
      memory: { ...FRESH, ...after },
    });
  });
});

describe('at the end of a run', () => {
  it.each<[string, CheckFact[], Partial<Terms>, boolean, Partial<Proof>]>([
    ['all have a receipt', [passed], {}, false, proven],
    ['one has none', [], {}, false, unproven('changed-since')],
    ['one could not run', [], {}, true, unproven('cannot-run')],
    ['that is said already', [missing], { required: 2 }, true, unproven('cannot-run')],
    ['two reasons', [untrusted], { required: 2 }, false, unproven('untrusted', 'changed-since')],
    ['nothing is asked', [], { required: 0 }, false, {}],
    ['they are off', [], { off: true }, false, unproven('switched-off')],
    ['off, and none', [], { off: true, required: 0 }, false, {}],
  ])('receipts count: %s', (_, checks, terms, cannotRunSaid, worth) => {
    const proof = judgeReceipts(checks, 5, { ...TERMS, ...terms }, { ...FRESH, cannotRunSaid });
    expect(proof).toEqual({ ...UNASKED, checks, protectedChanged: 5, ...worth });
  });

  it.each<[CheckFact[], Partial<Terms>, Partial<Proof>]>([
    [[passed], {}, proven],
    [[failed, untrusted], {}, unproven('failed', 'untrusted')],
    [[late], {}, unproven('failed')],
    [[red], {}, unproven('failed-before')],
    [[missing], {}, unproven('cannot-run')],
    [[], { off: true }, unproven('switched-off')],
    [[], { required: 0 }, {}],
  ])('what is run refuses nothing: %j %j', (checks, terms, worth) => {
    const proof = { ...UNASKED, checks, protectedChanged: 3, ...worth };
    expect(judgeFinal(checks, 3, { ...TERMS, ...terms })).toEqual(proof);
  });
});

it.each<[string, CheckFact, boolean, Partial<Proof>, boolean]>([
  ['passes', passed, false, proven, false],
  ['fails', failed, false, refused, false],
  ['is out of time', late, false, refused, false],
  ['failed before', kept, false, { ...refused, unchanged: true }, false],
  ['cannot run', missing, false, refused, true],
  ['cannot run, again', missing, true, unproven('cannot-run'), true],
  ['is not trusted', untrusted, false, unproven('untrusted'), false],
])('a check that a frame waits for, and that %s', (_, check, cannotRunSaid, proof, saidAfter) => {
  expect(judgeUntil(check, { ...FRESH, cannotRunSaid })).toEqual({
    proof: { ...UNASKED, checks: [check], ...proof },
    memory: { ...FRESH, cannotRunSaid: saidAfter },
  });
  expect(judgeUntil(null, FRESH)).toEqual({ proof: NO_UNTIL, memory: FRESH });
});
