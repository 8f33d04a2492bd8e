import { describe, expect, it } from 'vitest';
import { answerIn, countFindings, findingsIn, verdictIn } from './read-answer.ts';

const one = {
  severity: 'high',
  file: 'src/a.ts',
  line: 12,
  claim: 'The sum leaves out the last row.',
  evidence: 'total([1, 2]) is 1',
};

/** The one finding that comes of this. */
const read = (given: unknown) => findingsIn({ findings: [given] })?.list[0];

describe('what a reviewer lists', () => {
  it('is read as it was given', () => {
    const second = { severity: 'low', file: null, line: null, claim: 'A name is unclear.', evidence: null };
    expect(findingsIn({ findings: [one, second] })).toEqual({ list: [one, second], cut: 0 });
  });

  it.each([[null], [[]], [undefined], [{}], ['none']])('is nothing where it gives %j', (findings) => {
    expect(findingsIn({ verdict: 'PASS', findings })).toBeNull();
  });

  it.each([
    ['HIGH', 'high'],
    [' Medium ', 'medium'],
    ['low', 'low'],
    // Nobody said that it is less.
    ['critical', 'high'],
    [undefined, 'high'],
    [3, 'high'],
  ])('has a severity: %j is %s', (severity, expected) => {
    expect(read({ ...one, severity })?.severity).toBe(expected);
  });

  it.each([
    [7, 7],
    ['12', 12],
    ['L12-20', 12],
    [0, null],
    [-1, null],
    [1.5, null],
    [1e300, null],
    ['soon', null],
    [null, null],
    [1, 1],
    ['0', null],
    [' :7', 7],
    ['ab12', 12],
    ['abc12', null],
    ['999999999', 999_999_999],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [2 ** 53, null],
  ])('has a line or none: %j is %j', (line, expected) => {
    expect(read({ ...one, line })?.line).toBe(expected);
  });

  it('is what can be read of it: what says nothing is counted as cut', () => {
    const given = [{ severity: 'low' }, null, 7, [], { claim: ' ' }, 'a bare claim', { evidence: 'seen' }];
    const { list, cut } = findingsIn({ findings: given }) ?? { list: [], cut: 0 };
    expect(list.map(({ claim, evidence, severity }) => [claim, evidence, severity])).toEqual([
      ['a bare claim', null, 'high'],
      ['seen', null, 'high'],
    ]);
    expect(cut).toBe(5);
  });

  it('is cut after 200, and each field after 2,000 characters', () => {
    const long = '😀'.repeat(1500);
    const many = Array.from({ length: 203 }, () => ({ ...one, severity: 'low', claim: long, file: long }));
    const findings = findingsIn({ findings: many });
    expect(findings?.list).toHaveLength(200);
    expect(findings?.cut).toBe(3);
    for (const { claim, file } of findings?.list ?? [])
      for (const text of [claim, file ?? '']) {
        expect(text.length).toBeLessThanOrEqual(2000);
        expect(text.endsWith('😀…')).toBe(true);
      }
    // What nobody read may be anything.
    expect(findings && countFindings(findings)).toEqual({ high: 3, medium: 0, low: 200 });
  });

  it('is whole up to both limits', () => {
    const claim = 'x'.repeat(2000);
    const many = Array.from({ length: 200 }, () => ({ claim }));
    const findings = findingsIn({ findings: many });
    expect(findings).toMatchObject({ cut: 0 });
    expect(findings?.list).toHaveLength(200);
    expect(findings?.list.every((each) => each.claim === claim)).toBe(true);
    expect(read({ claim: `${claim}y` })?.claim).toBe(`${'x'.repeat(1999)}…`);
    expect(read({ claim: `${' '.repeat(2000)}y` })).toBeUndefined();
    expect(read({ claim: ' a ', evidence: ' b ', file: ' c ' })).toMatchObject({
      claim: 'a',
      evidence: 'b',
      file: 'c',
    });
  });

  it('is counted by severity', () => {
    const list = ['high', 'low', 'low', 'medium'].map((severity) => ({ ...one, severity }));
    const findings = findingsIn({ findings: list });
    expect(findings && countFindings(findings)).toEqual({ high: 1, medium: 1, low: 2 });
    expect(findingsIn(null)).toBeNull();
  });

  it('steers no terminal, and a file is one line', () => {
    const finding = read({
      ...one,
      claim: 'a\u001b[2Jb\u202ec',
      evidence: 'd\u0007e\nf',
      file: 'src/\n a.ts',
    });
    expect(finding).toMatchObject({ claim: 'a [2Jb c', evidence: 'd e\nf', file: 'src/ a.ts' });
  });
});

describe('an answer', () => {
  it.each([
    [{ verdict: 'PASS' }, 'clean'],
    ['{"verdict":"FAIL","findings":7}', 'findings'],
    ['{"verdict":"MAYBE"}', null],
    ['[]', null],
    ['no JSON', null],
    [null, null],
  ])('%j has the verdict %j, whatever its findings are', (place, verdict) => {
    expect(verdictIn(answerIn(place))).toBe(verdict);
  });
});
