import { expect, it } from 'vitest';
import { docketText, parseDocket, salvageDocket } from './format.ts';
import { numberOf } from './ids.ts';
import { innermostObjects } from './innermost.ts';
import { EMPTY_DOCKET } from './types.ts';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const only = (entry: object) =>
  parseDocket(JSON.stringify({ findings: [{ claim: 'x', ...entry }] }))?.findings[0];

/** As a person may write it: with everything, and with what nobody can use. */
const place = { review: 'r.md', round: 2, by: 'opus', severity: 'low', file: 'a.ts', line: 3, claim: 'one' };
const bare = { review: '', round: null, by: null, severity: 'high', file: null, line: null, claim: 'two' };
const whole = {
  note: 'mine',
  last: 7,
  findings: [
    { id: 'F7', ...place, evidence: 'seen', status: 'fixed', answer: 'done', earlier: ['F1'], mine: true },
    { id: 'F2', ...bare, status: 'open' },
    'a word',
    { id: 'F3' },
  ],
};

it('a docket is written as it was read, with every field that somebody added, for people to read', () => {
  const docket = parseDocket(`\uFEFF${JSON.stringify(whole)}`);
  expect(docket).toMatchObject({ last: 7, strays: ['a word', { id: 'F3' }], others: { note: 'mine' } });
  expect(docket && docketText(docket)).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  expect(parseDocket(docketText(EMPTY_DOCKET))).toEqual(EMPTY_DOCKET);
});

it.each<[string, unknown, unknown]>([
  ['severity', 'HIGH', 'high'],
  ['status', ' Rejected ', 'rejected'],
  ['status', null, 'open'],
  ['severity', null, 'medium'],
  ['round', 0, 0],
  ['line', 12, 12],
  ['earlier', ['f2', 'x', 'F3'], ['F2', 'F3']],
  ['answer', '', ''],
  ...['review', 'by', 'file', 'evidence', 'answer'].map((name): [string, string, string] => [name, 'x', 'x']),
])('%s is read as %j: %j', (name, given, taken) => {
  expect(only({ [name]: given })).toMatchObject({ [name]: taken, others: {} });
});

it.each<[string, unknown, unknown]>([
  ['severity', 'huge', 'medium'],
  ['status', 'later', 'open'],
  ['round', -1, null],
  ['round', 1.5, null],
  ['line', '12', null],
  ['line', 2 ** 53, null],
  ['review', 5, ''],
  ['by', {}, null],
  ['answer', false, null],
  ['earlier', 'F1', []],
])('%s is kept as it stands where it is %j, and counts as %j', (name, given, taken) => {
  expect(only({ [name]: given })).toMatchObject({ [name]: taken, others: { [name]: given } });
});

it.each([
  ...[
    '',
    '3',
    'null',
    '[]',
    '{}',
    '{"findings":{}}',
    '{"findings":[',
    `{"findings":[],"x":${deep(100_000)}}`,
  ],
  ...[`{"findings":[{"claim":"a","x":${deep(100_000)}}]}`, `{"findings":[${deep(100_000)}]}`],
])('%.30j is no docket', (text) => {
  expect(parseDocket(text)).toBeNull();
});

it.each([
  [0, ['', 'F4', 'F4', 'x'], ['F5', 'F4', 'F6', 'F7'], 7],
  [9, ['', 'F4'], ['F10', 'F4'], 10],
  ['9', ['F1'], ['F1'], 1],
  [-3, ['F2'], ['F2'], 2],
  [1.5, [''], ['F1'], 1],
  [99_999_998, [''], ['F99999999'], 99_999_999],
  [99_999_999, ['F100000000', ''], ['F100000000', 'F100000001'], 100_000_001],
  [100_000_000, ['F2'], ['F2'], 2],
])('numbers go on from %j: %j become %j', (last, given, ids, next) => {
  const findings = given.map((id) => ({ id, claim: 'x' }));
  const docket = parseDocket(JSON.stringify({ last, findings }));
  expect(docket?.findings.map(({ id }) => id)).toEqual(ids);
  expect(docket?.last).toBe(next);
});

it.each<[unknown, number | null]>([
  ['F1', 1],
  [' f12 ', 12],
  ['F999999999', 999_999_999],
  ...['F1234567890', 'F0', 'F01', 'F', 'G1', 'xF1', 'F1x', 7].map((id): [unknown, null] => [id, null]),
])('the number in %j is %s', (id, number) => {
  expect(numberOf(id)).toBe(number);
});

it('each finding with an id is salvaged from a text that is broken, and every number', () => {
  const text =
    '{"findings":[{"id":"F2","claim":"a","x":1},{"claim":"b"},{"id":"F3"},,] F12 F013 xF99 F9x F123456789';
  const docket = salvageDocket(text);
  expect(docket).toMatchObject({ last: 12, strays: [], others: {} });
  expect(docket.findings.map(({ id, claim, others }) => [id, claim, others])).toEqual([
    ['F2', 'a', { x: 1 }],
  ]);
  const twice = docketText(parseDocket(JSON.stringify(whole)) ?? EMPTY_DOCKET);
  const conflict = salvageDocket(`<<<<<<< ours\n${twice}=======\n${twice}>>>>>>> theirs\n`);
  expect(new Set(conflict.findings.map(({ id }) => id)).size).toBe(4);
  expect(salvageDocket('nothing')).toEqual(EMPTY_DOCKET);
});

it('the numbers alone are salvaged from more than a megabyte, and what is made to be slow is read in one pass', () => {
  const text = '{"id":"F2","claim":"a"}'.padEnd(1024 * 1024);
  expect(salvageDocket(text).findings).toHaveLength(1);
  expect(salvageDocket(`${text} `)).toEqual({ ...EMPTY_DOCKET, last: 2 });
  // Seen from each brace, every later one is in a string.
  expect(salvageDocket('{"\\"'.repeat(50_000)).findings).toEqual([]);
}, 20_000);

it.each([
  ['{}', ['{}']],
  ['{"a":{"b":1},"c":2}', ['{"b":1}']],
  ['a{b}c{d}', ['{b}', '{d}']],
  ['{{}', ['{}']],
  ['}{', []],
  ['{"}"}', ['{"}"}']],
  ['{"\\"}"} {', ['{"\\"}"}']],
  ['{"\\\\"}', ['{"\\\\"}']],
  ['{"a"b"}', []],
  // As if the first quote were one too many.
  ['"{"a"}"}', ['{"a"}']],
  ['\\{"x\\y":"}"}', ['{"x\\y":"}"}']],
])('the innermost objects of %j are %j', (text, objects) => {
  expect(innermostObjects(text)).toEqual(objects);
});
