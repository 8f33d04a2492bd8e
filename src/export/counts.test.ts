import { expect, it } from 'vitest';
import { countCheck, countFindings } from './counts.ts';

const labels = { 'holdfast.project': 'p' };

it('a check that ran is counted with how long it took', () => {
  const all = { ...labels, 'holdfast.check': 'tests', 'holdfast.check.end': 'passed' };
  expect(countCheck({ name: 'tests', end: 'passed', from: 'run', milliseconds: 1500 }, labels)).toEqual([
    ['checks', 1, { ...all, 'holdfast.check.from': 'run' }],
    ['checkDuration', 1.5, all],
  ]);
});

it.each([
  ['receipt', 'receipt'],
  [null, 'none'],
] as const)('a check that did not run is counted alone, from %j as %s', (from, word) => {
  const check = { name: 'a/b', end: 'timed out', from, milliseconds: 5 };
  expect(countCheck(check, labels)).toEqual([
    [
      'checks',
      1,
      {
        ...labels,
        ...{ 'holdfast.check': 'other', 'holdfast.check.end': 'other', 'holdfast.check.from': word },
      },
    ],
  ]);
});

it('findings are counted by how bad they are', () => {
  const found = (severity: string, count: number) => [
    ...['findings', count, { ...labels, 'holdfast.severity': severity }],
  ];
  expect(countFindings({ low: 3, medium: 2, high: 1, other: 9 }, labels)).toEqual([
    found('high', 1),
    found('medium', 2),
    found('low', 3),
  ]);
  expect(countFindings({ low: 1, medium: 0, high: '7' }, labels)).toEqual([found('low', 1)]);
});

it.each([null, undefined, 5, 'high', [], { high: -1 }])('%j is no list of findings', (listed) => {
  expect(countFindings(listed, labels)).toEqual([]);
});
