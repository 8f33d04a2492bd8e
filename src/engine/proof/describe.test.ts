import { describe, expect, it } from 'vitest';
import { UNASKED } from './asked.ts';
import { describeFact, describeProof, describeWorth, WHY } from './describe.ts';
import { duration, inWords, listOf, shown } from './in-words.ts';
import { readProof } from './recorded.ts';
import { refusedText } from './refused-text.ts';
import type { CheckFact, Proof, Unproven } from './types.ts';
import { untilText } from './until-text.ts';

const fact = (more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name: 'test', end: 'passed', code: 0, milliseconds: 3200, from: 'run', ...more },
});
const proofOf = (more: Partial<Proof>): Proof => ({ ...UNASKED, worth: 'unproven', ...more });

describe('a check in words', () => {
  it.each<[Partial<CheckFact>, string]>([
    [{}, 'test passed (3.2 s)'],
    [{ milliseconds: null }, 'test passed'],
    [{ end: 'failed', code: 1 }, 'test failed (exit code 1, 3.2 s)'],
    [{ end: 'failed', code: null }, 'test failed (3.2 s)'],
    [{ end: 'timed-out', code: null }, 'test ran out of time (3.2 s)'],
    [{ end: 'cannot-run', why: 'not-found' }, 'test cannot run (its program was not found)'],
    [{ end: 'cannot-run' }, 'test cannot run'],
    [{ end: 'untrusted', milliseconds: null, from: null }, 'test is not trusted'],
    [{ why: 'not-found' }, 'test passed (3.2 s)'],
    [{ from: 'receipt' }, 'test passed (3.2 s, on this very content before)'],
    [{ flaky: true }, 'test passed (3.2 s, flaky)'],
    [
      { end: 'failed', code: 2, from: 'receipt', flaky: true, failedBefore: true },
      'test failed (exit code 2, 3.2 s, on this very content before, flaky, failed before this run too)',
    ],
  ])('%j', (more, said) => {
    expect(describeFact(fact(more))).toBe(said);
  });
});

describe('a proof in words', () => {
  it('names each check, then what no check shows', () => {
    const checks = [fact(), fact({ name: 'lint', end: 'failed', code: 1 })];
    const why: Unproven[] = ['untrusted', 'cannot-run', 'failed', 'failed-before', 'changed-since'];
    expect(describeProof(proofOf({ checks, why }))).toBe(
      'test passed (3.2 s), lint failed (exit code 1, 3.2 s). Something changed since the checks ran.',
    );
  });

  it.each(['switched-off', 'not-pinned', 'changed-since', 'refused-too-often'] as const)(
    'says why where nothing was run: %s',
    (why) => {
      expect(describeProof(proofOf({ why: [why] }))).toBe(`${WHY[why]}.`);
    },
  );

  it('says what was changed and that nothing was', () => {
    expect(describeProof(proofOf({ heldForProtected: true, protectedChanged: 1 }))).toBe(
      '1 protected file changed.',
    );
    expect(describeProof(proofOf({ heldForProtected: true, protectedChanged: 2, unchanged: true }))).toBe(
      '2 protected files changed. Nothing changed since, so nothing was run again.',
    );
    expect(describeProof(proofOf({ protectedChanged: 2 }))).toBe('');
  });

  it('is short where a line is about the whole run', () => {
    expect(describeWorth('proven', [])).toBe('proven');
    expect(describeWorth('unproven', ['untrusted', 'changed-since'])).toBe(
      'unproven (not trusted, files changed since)',
    );
    expect(describeWorth('unproven', ['constructor'])).toBe('unproven (constructor)');
  });

  it('is part of what the user reads of a refused claim', () => {
    expect(refusedText(proofOf({ checks: [fact({ end: 'failed', code: 1 })] }))).toContain(
      'test failed (exit code 1, 3.2 s).',
    );
  });
});

describe('the check that a frame waits for', () => {
  const proof = proofOf({ claim: 'refused', checks: [fact({ end: 'failed', code: 1 })] });
  const open =
    'This loop is done when the check test passes. At this stop it did not: test failed (exit code 1, 3.2 s).';

  it('is nothing to speak of where the run has no such check', () => {
    expect(untilText(UNASKED, [])).toBeNull();
  });

  it('is said with the end of what it printed, where it printed something', () => {
    const log = '.holdfast/checks/test.log';
    expect(untilText(proof, [])).toBe(open);
    expect(untilText(proof, [{ name: 'test', tail: ' \n', log }])).toBe(open);
    expect(untilText(proof, [{ name: 'test', tail: '\nnot ok 3\n', log }])).toBe(
      `${open}\n\nThe end of what it printed (all of it is in ${log}):\n\nnot ok 3`,
    );
  });
});

describe('lists, names and times', () => {
  it.each<[readonly string[], number, string]>([
    [[], 3, ''],
    [['a'], 3, 'a'],
    [['a', 'b'], 3, 'a and b'],
    [['a', 'b', 'c'], 3, 'a, b and c'],
    [['a', 'b', 'c', 'd'], 3, 'a, b, c and 1 more'],
    [['a', 'b', 'c', 'd'], 1, 'a and 3 more'],
  ])('%j, of which %d are named: %s', (parts, most, said) => {
    expect(inWords(parts, most)).toBe(said);
  });

  it.each<[readonly string[], string]>([
    [[], ''],
    [['a', 'b'], '- a\n- b'],
    [['a', 'b', 'c'], '- a\n- b\n- and 1 more'],
  ])('%j line by line', (parts, said) => {
    expect(listOf(parts, 2)).toBe(said);
  });

  it('a name is one line, and no longer than it may be', () => {
    expect(shown('a\n\t b')).toBe('a b');
    expect(shown('x'.repeat(60))).toBe('x'.repeat(60));
    expect(shown('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
    expect(shown('abcdef', 5)).toBe('abcd…');
    // Only so much is looked at: what follows many blanks is not seen.
    expect(shown(`a${' '.repeat(9)}b`, 5)).toBe('a ');
  });

  it.each([
    [0, '0.1 s'],
    [432, '0.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [119_499, '119 s'],
    [119_500, '2 min'],
    [200_000, '3 min 20 s'],
    [600_000, '10 min'],
  ])('%d milliseconds are %s', (milliseconds, said) => {
    expect(duration(milliseconds)).toBe(said);
  });
});

describe('a proof in the journal', () => {
  const whole = proofOf({
    ...{ why: ['failed-before'], checks: [fact({ flaky: true, failedBefore: true, why: 'no-time' })] },
    ...{ heldForProtected: true, unchanged: true, protectedChanged: 3 },
  });

  it('is read as it was written, under its own name', () => {
    expect(readProof({ proof: whole })).toEqual(whole);
    expect(readProof({ until: whole }, 'until')).toEqual(whole);
    expect(readProof({ until: whole })).toBeNull();
  });

  it.each([
    [null],
    [{}],
    [{ proof: null }],
    [{ proof: { ...whole, claim: 'maybe' } }],
    [{ proof: { ...whole, worth: 'much' } }],
    [{ proof: { ...whole, why: ['x'] } }],
    [{ proof: { ...whole, checks: [{ name: 'a' }] } }],
    [{ proof: { ...whole, unchanged: false } }],
    [{ proof: { ...whole, protectedChanged: '3' } }],
  ])('%j says nothing', (facts) => {
    expect(readProof(facts)).toBeNull();
  });
});
