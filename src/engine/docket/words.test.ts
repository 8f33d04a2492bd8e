import { describe, expect, it } from 'vitest';
import { byWeight, nextNumber, numberOf, readSeverity } from './ids.ts';
import { innermostObjects } from './innermost.ts';
import { indentOf, labelOfRow, readLines, titleOf } from './review-lines.ts';
import { isPlainTitle, isTally, labelOf, saysNone, severityInDetail, severityOf } from './severity-words.ts';
import { type Docket, EMPTY_DOCKET, type Entry } from './types.ts';
import { describeFinding, sayAccounts, sayClosing, sayOpen, sayWhereOpen } from './words.ts';

const entry = (number: number, more: Partial<Entry> = {}): Entry => ({
  ...{ id: `F${number}`, review: 'review-2.md', round: 2, by: 'opus', severity: 'high' },
  ...{ file: 'a.ts', line: 3, claim: `claim ${number}`, evidence: null },
  ...{ status: 'open', answer: null, earlier: [], others: {} },
  ...more,
});
const docketOf = (...findings: Entry[]): Docket => ({ ...EMPTY_DOCKET, last: findings.length, findings });
const about = { docket: 'docket.json', where: 'ANSWERS.md', review: 'review-2.md', cut: 0 };
const numbered = (count: number, more: Partial<Entry> = {}): Entry[] =>
  Array.from({ length: count }, (_, index) => entry(index + 1, more));
const listIn = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('- '));

describe('open findings', () => {
  it('are listed worst first, with how to answer the first', () => {
    const docket = docketOf(
      entry(1, { severity: 'low' }),
      entry(2),
      entry(3, { status: 'fixed' }),
      entry(4, { severity: 'medium', file: null }),
      entry(5, { line: null }),
    );
    expect(sayOpen(docket, about)).toBe(
      [
        'Open findings, the worst first (docket.json has them all):',
        '- F2 high a.ts:3: claim 2',
        '- F5 high a.ts: claim 5',
        '- F4 medium: claim 4',
        '- F1 low a.ts:3: claim 1',
        'Answer each in ANSWERS.md, on a line of its own outside code: `F2 fixed: <what you changed>` or `F2 rejected: <why>`. A rejection counts only with its reason.',
      ].join('\n'),
    );
  });

  it('are none: then only what was not read is said', () => {
    expect(sayOpen(EMPTY_DOCKET, about)).toBe('');
    expect(sayOpen(docketOf(entry(1, { status: 'rejected' })), { ...about, cut: 3 })).toBe(
      '3 more were listed than are read.',
    );
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

  it('are ten at most, and the rest is a number', () => {
    expect(listIn(sayOpen(docketOf(...numbered(10)), about))).toHaveLength(10);
    const more = listIn(sayOpen(docketOf(...numbered(11)), about));
    expect(more).toHaveLength(11);
    expect(more[10]).toBe('- and 1 more in docket.json');
  });

  it('stay within what a hold has room for, and one is always there', () => {
    const wide = numbered(10, { claim: '\u{1F600}'.repeat(240), file: null });
    // Ten of 240 characters of four bytes each would be more.
    expect(listIn(sayOpen(docketOf(...wide), about))).toHaveLength(5);
    const answers = Array.from({ length: 2 }, (_, index) =>
      entry(index + 2, { status: 'fixed', answer: '\u{1F600}'.repeat(120), claim: '\u{1F600}'.repeat(80) }),
    );
    const one = entry(1, { claim: '\u{1F600}'.repeat(240), earlier: ['F2', 'F3'] });
    expect(listIn(sayOpen(docketOf(one, ...answers), about))).toHaveLength(1);
  });

  it('that are raised again have the newest two answers beside them', () => {
    const docket = docketOf(
      entry(1, { status: 'fixed', answer: 'a' }),
      entry(2, { status: 'rejected', answer: 'it is\nmeant so' }),
      entry(3, { status: 'fixed', answer: null }),
      entry(4),
      entry(5, { earlier: ['F1', 'F2', 'F3', 'F4', 'F9'] }),
    );
    expect(sayOpen(docket, about).split('\n').slice(1, 5)).toEqual([
      '- F4 high a.ts:3: claim 4',
      '- F5 high a.ts:3: claim 5',
      '  raised again; earlier F2 (claim 2) was rejected: it is meant so',
      '  raised again; earlier F3 (claim 3) was fixed',
    ]);
  });

  it('are only pointed at in a hold that is given once more', () => {
    expect(sayWhereOpen('docket.json', 'ANSWERS.md')).toBe(
      'The findings are in docket.json. Answer each that is open in ANSWERS.md, on a line of its own outside code, such as `F7 fixed: <what you changed>` or `F7 rejected: <why>`. A rejection counts only with its reason.',
    );
  });

  it('are cut where they are long', () => {
    expect(describeFinding(entry(1, { claim: 'x'.repeat(11) }), 10)).toBe(
      `F1 high a.ts:3: ${'x'.repeat(9)}…`,
    );
    expect(describeFinding(entry(1, { file: 'y'.repeat(121) }), 10)).toBe(
      `F1 high ${'y'.repeat(119)}…:3: claim 1`,
    );
  });
});

describe('the accounts', () => {
  const rejected = (number: number, answer: string | null): Entry =>
    entry(number, { status: 'rejected', answer });

  it('are nothing where nothing was found', () => {
    expect(sayAccounts(EMPTY_DOCKET)).toBe('');
    expect(sayClosing(EMPTY_DOCKET, 'docket.json')).toBe('');
  });

  it('say what is contested, five at most, worst first', () => {
    const earlier = ['F1', 'F2', 'F3', 'F4', 'F5', 'F6'];
    const docket = docketOf(
      { ...rejected(1, 'so'), severity: 'low' },
      ...[2, 3, 4, 5].map((number) => rejected(number, 'so')),
      rejected(6, null),
      rejected(7, 'never raised again'),
      entry(8, { status: 'fixed', earlier }),
    );
    const line = (number: number, why: string): string =>
      `F${number} high a.ts:3: claim ${number} (rejected: ${why}).`;
    expect(sayAccounts(docket)).toBe(
      [
        'Findings: 8 found: 1 fixed, 7 rejected, 0 open.',
        'Contested, for you to judge (rejected by the agent, and raised again by a reviewer):',
        ...[2, 3, 4, 5].map((number) => line(number, 'so')),
        line(6, 'no reason is there'),
        'And 1 more.',
      ].join(' '),
    );
    const five = { ...docket, findings: docket.findings.filter(({ id }) => id !== 'F1') };
    expect(sayAccounts(five)).toMatch(/no reason is there\)\.$/);
  });

  it('stand before what is open still', () => {
    expect(sayClosing(docketOf(entry(1, { status: 'fixed' })), 'docket.json')).toBe(
      'Findings: 1 found: 1 fixed, 0 rejected, 0 open.',
    );
    expect(sayClosing(docketOf(entry(1)), 'docket.json')).toBe(
      'Findings: 1 found: 0 fixed, 0 rejected, 1 open.\n\nOpen, the worst first:\n- F1 high a.ts:3: claim 1',
    );
  });
});

describe('ids and weights', () => {
  it.each<[unknown, number | null]>([
    ['F1', 1],
    [' f12 ', 12],
    ['F999999999', 999_999_999],
    ['F1000000000', null],
    ['F0', null],
    ['F01', null],
    ['1', null],
    ['xF1', null],
    [1, null],
  ])('%j is number %s', (id, number) => {
    expect(numberOf(id)).toBe(number);
  });

  it('the next one is the first that nobody has', () => {
    expect(nextNumber(0, new Set())).toBe(1);
    expect(nextNumber(1, new Set(['F2', 'F3', 'F5']))).toBe(4);
  });

  it('a severity is one of three words', () => {
    expect([' High ', 'MEDIUM', 'low', 'critical', '', 3].map(readSeverity)).toEqual([
      ...['high', 'medium', 'low', null, null, null],
    ]);
  });

  it('the worst is first, and of the same weight the oldest', () => {
    const [old, recent, low] = [entry(2), entry(10), entry(1, { severity: 'low' })];
    expect([low, recent, old].sort(byWeight)).toEqual([old, recent, low]);
  });
});

describe('a severity', () => {
  it.each([
    ['High', 'high'],
    ['## High (2 findings)', 'high'],
    ['Critical issues', 'high'],
    ['Moderate risk', 'medium'],
    ['Minor', 'low'],
    ['High-level overview', null],
    ['High and low', null],
    ['Findings', null],
    ['constructor', null],
    ['', null],
  ])('in the title %j is %s', (title, severity) => {
    expect(severityOf(title)).toBe(severity);
  });

  it.each([
    ['[High] text', 'high', ' text'],
    ['**High**: text', 'high', ': text'],
    ['1. Low - text', 'low', 'text'],
    ['High severity: text', 'high', ' text'],
    ['High：text', 'high', 'text'],
    ['High — text', 'high', ' text'],
  ])('before the text in %j is %s', (text, severity, rest) => {
    expect(labelOf(text)).toEqual({ severity, rest });
  });

  it.each([
    'High latency',
    'high_water: x',
    'High: none',
    'High: 2 findings',
    'Highest: x',
    'High',
    'x: High',
  ])('is none in %j', (text) => {
    expect(labelOf(text)).toBeNull();
  });

  it.each([
    ['Severity: High', 'high'],
    ['  - **Severity:** low', 'low'],
    ['priority: **Medium** (why)', 'medium'],
    ['Severity: high-level', null],
    ['Severity: unknown', null],
    ['The severity: high', null],
  ])('in the detail %j is %s', (line, severity) => {
    expect(severityInDetail(line)).toBe(severity);
  });

  it.each([
    ['2 findings', true],
    ['High: 2, low: 1', true],
    ['findings', false],
    ['2 writers', false],
    ['', false],
  ])('%j only counts: %s', (text, isOne) => {
    expect(isTally(text)).toBe(isOne);
  });

  it.each([
    ['', true],
    ['—', true],
    ['None.', true],
    ['n/a', true],
    ['There are no high severity findings.', true],
    ['No issues found', true],
    ['No further issues were identified at this level', true],
    ['No findings about the lock', false],
    ['Nothing checks the input', false],
  ])('%j says that there is none: %s', (text, isOne) => {
    expect(saysNone(text)).toBe(isOne);
  });

  it.each([
    ['Findings', true],
    ['Round 1 findings', true],
    ['Code review: summary', true],
    ['The queue grows', false],
  ])('%j is the title of a list: %s', (text, isOne) => {
    expect(isPlainTitle(text)).toBe(isOne);
  });
});

describe('lines of a review', () => {
  it('leave fenced code out, whichever way it is fenced', () => {
    expect(readLines('a\r\n```\nb\n```\nc\r~~~~\nd\n~~~\ne\n~~~~\nf')).toEqual(['a', 'c', 'f']);
    expect(readLines('   ```ts\nb\n````\nc')).toEqual(['c']);
    expect(readLines('    ```\nb')).toEqual(['    ```', 'b']);
    expect(readLines('```\n~~~\nb')).toEqual([]);
  });

  it.each([
    ['## High', { text: ' High', level: 2, isHeading: true }],
    ['   ###### x', { text: ' x', level: 6, isHeading: true }],
    ['**High**', { text: '**High**', level: 7, isHeading: false }],
    ['- __High__: ', { text: '__High__:', level: 7, isHeading: false }],
    ['High:', { text: 'High:', level: 7, isHeading: false }],
    ['two words', null],
    ['    # code', null],
    ['', null],
  ])('%j as a title', (line, title) => {
    expect(titleOf(line)).toEqual(title);
  });

  it.each([
    ['', 0],
    ['a', 0],
    ['  a', 2],
    ['\t a', 5],
  ])('%j stands in by %d', (line, indent) => {
    expect(indentOf(line)).toBe(indent);
  });

  it.each([
    ['| High | SQL | a.ts |', '', { severity: 'high', rest: 'SQL | a.ts' }],
    ['| Low || b', '', { severity: 'low', rest: 'b' }],
    ['| High | Low |', '|---|:--|', null],
    ['| High | 2 |', '', null],
    ['| High | none |', '', null],
    ['| High |', '', null],
    ['| What | SQL |', '', null],
    ['| High | SQL |', '| | |', { severity: 'high', rest: 'SQL' }],
  ])('the row %j before %j', (line, next, label) => {
    expect(labelOfRow(line, next)).toEqual(label);
  });
});

describe('the innermost objects of a broken text', () => {
  it.each([
    ['', []],
    ['{}', ['{}']],
    ['}{"a":1}', ['{"a":1}']],
    ['{"a":{"b":1},"c":2}', ['{"b":1}']],
    ['{"a":"}"}', ['{"a":"}"}']],
    ['{"a":"\\"}"} {', ['{"a":"\\"}"}']],
    ['[{"a":1},{"b":2}', ['{"a":1}', '{"b":2}']],
  ])('%s', (text, found) => {
    expect(innermostObjects(text)).toEqual(found);
  });
});
