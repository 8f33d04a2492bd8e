import { expect, it } from 'vitest';
import { docketText, parseDocket, salvageDocket } from './format.ts';
import { EMPTY_DOCKET } from './types.ts';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

it('is no docket where an entry, a stray or a field holds what is too deep to be written', () => {
  for (const levels of [10, 100_000]) {
    const isDocket = levels === 10;
    expect(parseDocket(`{"findings":[{"claim":"a","x":${deep(levels)}}]}`) !== null).toBe(isDocket);
    expect(parseDocket(`{"findings":[${deep(levels)}]}`) !== null).toBe(isDocket);
    expect(parseDocket(`{"findings":[],"x":${deep(levels)}}`) !== null).toBe(isDocket);
  }
});

it('salvages nothing from a text without a finding, and begins to count from the first', () => {
  expect(salvageDocket('nothing')).toEqual(EMPTY_DOCKET);
  expect(salvageDocket('{"id":"F1","claim":7}')).toEqual({ ...EMPTY_DOCKET, last: 1 });
});

it('is written and read as it is when it is empty', () => {
  expect(docketText(EMPTY_DOCKET)).toBe('{\n  "last": 0,\n  "findings": []\n}\n');
  expect(parseDocket(docketText(EMPTY_DOCKET))).toEqual(EMPTY_DOCKET);
});

/** As a person may write it: with everything, and with what nobody can use. */
const whole = {
  note: 'mine',
  last: 7,
  findings: [
    {
      ...{
        id: 'F7',
        review: 'r.md',
        round: 2,
        by: 'opus',
        severity: 'low',
        file: 'a.ts',
        line: 3,
        claim: 'one',
      },
      ...{ evidence: 'seen', status: 'fixed', answer: 'done', earlier: ['F1'], mine: true },
    },
    {
      id: 'F2',
      review: '',
      round: null,
      by: null,
      severity: 'high',
      file: null,
      line: null,
      claim: 'two',
      status: 'open',
    },
    'a word',
    { id: 'F3' },
  ],
};

const only = (entry: object) =>
  parseDocket(JSON.stringify({ findings: [{ claim: 'x', ...entry }] }))?.findings[0];

it('is written as it was read, with every field that somebody added', () => {
  const docket = parseDocket(`\uFEFF${JSON.stringify(whole)}`);
  expect(docket).toMatchObject({ last: 7, strays: ['a word', { id: 'F3' }], others: { note: 'mine' } });
  expect(docket && JSON.parse(docketText(docket))).toEqual(whole);
  expect(docket && Object.keys(JSON.parse(docketText(docket)).findings[0])).toEqual(
    Object.keys(whole.findings[0] ?? {}),
  );
});

it.each([
  ['severity', 'HIGH', 'high'],
  ['status', ' Rejected ', 'rejected'],
  ['status', null, 'open'],
  ['severity', null, 'medium'],
  ['round', 0, 0],
  ['line', 12, 12],
  ['earlier', ['f2', 'x', 'F3'], ['F2', 'F3']],
  ['answer', '', ''],
  ...['review', 'by', 'file', 'evidence', 'answer'].map((name): [string, string, string] => [name, 'x', 'x']),
])('reads %s as %j: %j', (name, given, taken) => {
  expect(only({ [name]: given })).toMatchObject({ [name]: taken, others: {} });
});

it.each([
  ['severity', 'huge', 'medium'],
  ['status', 'later', 'open'],
  ['status', 3, 'open'],
  ['round', -1, null],
  ['round', 1.5, null],
  ['line', '12', null],
  ['line', 2 ** 53, null],
  ['review', 5, ''],
  ['by', {}, null],
  ['file', ['a'], null],
  ['evidence', 1, null],
  ['answer', false, null],
  ['earlier', 'F1', []],
])('keeps %s as it stands where it is %j, and goes by %j', (name, given, taken) => {
  expect(only({ [name]: given })).toMatchObject({ [name]: taken, others: { [name]: given } });
});

it.each(['[]', '3', '{}', '{"findings":{}}', '{"findings":[]', ''])('is no docket in %j', (text) => {
  expect(parseDocket(text)).toBeNull();
});

it.each([
  [0, ['', 'F4', 'F4', 'x'], ['F5', 'F4', 'F6', 'F7'], 7],
  [9, ['', 'F4'], ['F10', 'F4'], 10],
  ['9', ['F1'], ['F1'], 1],
  [1.5, [''], ['F1'], 1],
  [undefined, ['', ''], ['F1', 'F2'], 2],
  [99_999_999, ['F100000000', ''], ['F100000000', 'F100000001'], 100_000_001],
])('counts on from %j: %j become %j', (last, given, ids, next) => {
  const findings = given.map((id) => ({ id, claim: 'x' }));
  const docket = parseDocket(JSON.stringify({ last, findings }));
  expect(docket?.findings.map(({ id }) => id)).toEqual(ids);
  expect(docket?.last).toBe(next);
});

it('counts on from an earlier one that an entry names', () => {
  const docket = parseDocket('{"findings":[{"id":"F1","claim":"a","earlier":["F8"]},{"claim":"b"}]}');
  expect(docket?.findings.map(({ id }) => id)).toEqual(['F1', 'F9']);
});

it('salvages each finding with an id from a text that is broken, and every number', () => {
  const text =
    '{"findings":[{"id":"F2","claim":"a","x":1},{"claim":"b"},{"id":"F3"},,] see F12 and F013, xF99';
  const docket = salvageDocket(text);
  expect(docket).toMatchObject({ last: 12, strays: [], others: {} });
  expect(docket.findings.map(({ id, claim, others }) => [id, claim, others])).toEqual([
    ['F2', 'a', { x: 1 }],
  ]);
});

it('salvages the numbers alone from a text of more than a megabyte', () => {
  const text = '{"id":"F2","claim":"a"}'.padEnd(1024 * 1024);
  expect(salvageDocket(text).findings).toHaveLength(1);
  expect(salvageDocket(`${text} `)).toEqual({ ...EMPTY_DOCKET, last: 2 });
});
