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
