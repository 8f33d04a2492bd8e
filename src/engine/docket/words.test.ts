import { describe, expect, it } from 'vitest';
import { byWeight, readSeverity } from './ids.ts';
import { type Docket, EMPTY_DOCKET, type Entry } from './types.ts';
import { describeFinding, sayAccounts, sayClosing, sayOpen } from './words.ts';

const PLACE = {
  review: 'review-2.md',
  round: 2,
  by: 'opus',
  severity: 'high',
  file: 'a.ts',
  line: 3,
} as const;
const OPEN = { evidence: null, status: 'open', answer: null, earlier: [], others: {} } as const;
const entry = (number: number, more: Partial<Entry> = {}): Entry => ({
  ...PLACE,
  ...OPEN,
  id: `F${number}`,
  claim: `claim ${number}`,
  ...more,
});
const docketOf = (...findings: Entry[]): Docket => ({ ...EMPTY_DOCKET, last: findings.length, findings });
const about = { docket: 'docket.json', where: 'ANSWERS.md', review: 'review-2.md', cut: 0 };
const numbered = (count: number, more: Partial<Entry> = {}): Entry[] =>
  Array.from({ length: count }, (_, index) => entry(index + 1, more));
const listIn = (text: string): string[] => text.split('\n').filter((line) => /^ *(?:- |raised)/.test(line));
const [fixed, rejected] = [{ status: 'fixed' }, { status: 'rejected' }] as const;

describe('open findings', () => {
  it('are listed worst first, and of the same weight what was found first', () => {
    const others = [entry(3, fixed), entry(4, { severity: 'medium', file: null }), entry(5, { line: null })];
    const text = sayOpen(docketOf(entry(1, { severity: 'low' }), entry(10), entry(2), ...others), about);
    expect(listIn(text)).toEqual([
      '- F2 high a.ts:3: claim 2',
      '- F5 high a.ts: claim 5',
      '- F10 high a.ts:3: claim 10',
      '- F4 medium: claim 4',
      '- F1 low a.ts:3: claim 1',
    ]);
    expect(text).toContain('`F2 fixed: <what you changed>` or `F2 rejected: <why>`');
    expect([entry(10), { id: 'x', severity: 'high' as const }].sort(byWeight)[0]?.id).toBe('x');
    expect([' High ', 'MEDIUM', 'low', 'critical', 3].map(readSeverity)).toEqual([
      'high',
      'medium',
      'low',
      null,
      null,
    ]);
  });

  it('are none: then only what was not read is said', () => {
    expect(sayOpen(EMPTY_DOCKET, about)).toBe('');
    const text = sayOpen(docketOf(entry(1, rejected)), { ...about, cut: 3 });
    expect(text).toBe('3 more were listed than are read.');
  });

  it('of earlier reviews are named as left without an answer, ten of them', () => {
    const left = (count: number): string => {
      const text = sayOpen(docketOf(...numbered(count, { review: 'review-1.md' })), { ...about, cut: 1 });
      return text.split('with its reason.')[1] ?? '';
    };
    expect(left(2)).toBe(' Left without an answer before: F1, F2. 1 more were listed than are read.');
    expect(left(10)).toContain('before: F1, F2, F3, F4, F5, F6, F7, F8, F9, F10. ');
    expect(left(12)).toContain(', F10 and 2 more. ');
  });

  it('are ten at most, and within what a hold has room for, but one is always there', () => {
    expect(listIn(sayOpen(docketOf(...numbered(10)), about))).toHaveLength(10);
    expect(listIn(sayOpen(docketOf(...numbered(11)), about)).slice(10)).toEqual([
      '- and 1 more in docket.json',
    ]);
    const wide = numbered(10, { claim: '\u{1F600}'.repeat(240), file: null });
    // Ten of 240 characters of four bytes each would be more.
    expect(listIn(sayOpen(docketOf(...wide), about))).toHaveLength(5);
  });

  it('that are raised again have the newest two answers beside them', () => {
    const answered = [
      entry(1, { ...fixed, answer: 'a' }),
      entry(2, { ...rejected, answer: 'it is\nmeant so' }),
    ];
    const again = entry(5, { earlier: ['F1', 'F2', 'F3', 'F4', 'F9'] });
    expect(listIn(sayOpen(docketOf(...answered, entry(3, fixed), entry(4), again), about)).slice(1)).toEqual([
      '- F5 high a.ts:3: claim 5',
      '  raised again; earlier F2 (claim 2) was rejected: it is meant so',
      '  raised again; earlier F3 (claim 3) was fixed',
    ]);
  });

  it('are cut where they are long', () => {
    expect(describeFinding(entry(1, { claim: 'x'.repeat(11) }), 10)).toBe(
      `F1 high a.ts:3: ${'x'.repeat(9)}…`,
    );
    const file = 'y'.repeat(121);
    expect(describeFinding(entry(1, { file }), 10)).toBe(`F1 high ${file.slice(0, 119)}…:3: claim 1`);
  });
});

it('the accounts name what is contested, five at most, the worst first, and what is open still', () => {
  const docket = docketOf(
    entry(1, { ...rejected, answer: 'so', severity: 'low' }),
    ...[2, 3, 4, 5].map((number) => entry(number, { ...rejected, answer: 'so' })),
    ...[entry(6, rejected), entry(7, rejected)],
    entry(8, { ...fixed, earlier: ['F1', 'F2', 'F3', 'F4', 'F5', 'F6'] }),
  );
  const said = sayAccounts(docket);
  expect(said).toMatch(/^Findings: 8 found: 1 fixed, 7 rejected, 0 open\. Contested, for you to judge/);
  expect(
    [...said.matchAll(/F(\d) \w+ a.ts:3: claim \d \(rejected: ([^)]+)\)\./g)].map(([, id]) => id),
  ).toEqual([...'23456']);
  expect(said).toMatch(/\(rejected: no reason is there\)\. And 1 more\.$/);
  expect(sayAccounts({ ...docket, findings: docket.findings.slice(1) })).toMatch(/no reason is there\)\.$/);
  expect(sayClosing(docketOf(entry(1, fixed)), 'd')).toBe('Findings: 1 found: 1 fixed, 0 rejected, 0 open.');
  expect(sayClosing(docketOf(entry(1)), 'd')).toContain('Open, the worst first:\n- F1 high a.ts:3: claim 1');
  expect([sayAccounts(EMPTY_DOCKET), sayClosing(EMPTY_DOCKET, 'd')]).toEqual(['', '']);
});
