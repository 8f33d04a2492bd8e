import { describe, expect, it } from 'vitest';
import { judgeFinal, type Terms } from './judge.ts';
import type { CheckFact } from './types.ts';

const TERMS: Terms = { required: 2, off: false, refusals: 0, onProtected: 'hold' };
const fact = (name: string, end: CheckFact['end'], more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name, end, code: null, milliseconds: null, from: 'run', ...more },
});

describe('the end of a run that ends anyway', () => {
  it('is proven when all that is required passed', () => {
    const proof = judgeFinal([fact('a', 'passed'), fact('b', 'passed')], 0, TERMS);
    expect(proof).toMatchObject({ claim: 'stands', worth: 'proven', why: [] });
  });

  it('stands unproven where a check failed, whatever is allowed in refusals and for protected files', () => {
    const proof = judgeFinal([fact('a', 'passed'), fact('b', 'timed-out')], 3, TERMS);
    expect(proof).toMatchObject({ claim: 'stands', worth: 'unproven', why: ['failed'], protectedChanged: 3 });
  });

  it('says why else: not trusted, could not run, failed before, switched off', () => {
    const facts = [fact('a', 'untrusted'), fact('b', 'failed', { failedBefore: true })];
    expect(judgeFinal(facts, 0, TERMS).why).toEqual(['untrusted', 'failed-before']);
    expect(judgeFinal([fact('a', 'cannot-run')], 0, TERMS).why).toEqual(['cannot-run']);
    expect(judgeFinal([], 0, { ...TERMS, off: true }).why).toEqual(['switched-off']);
    expect(judgeFinal([], 0, { ...TERMS, required: 0 })).toMatchObject({ worth: 'unasked', why: [] });
  });
});
