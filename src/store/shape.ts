// Checks of our own small records: does a value that was parsed have the shape it should? What others write is read
// with valibot, which says what is wrong; these are read at every stop, of which that would be a thirtieth.

import { isObject } from './json.ts';

export type Check<T> = (value: unknown) => value is T;

export const isText: Check<string> = (value) => typeof value === 'string';
/** JSON has numbers that are none of ours (1e999): written again they would be null. */
export const isNumber: Check<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value);
/** Money, which is added up. */
export const isAmount: Check<number> = (value): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
/** Milliseconds since 1970. What is counted from such stays a number that can be written and read again. */
export const isTime: Check<number> = (value): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
/** A time that is shown: later than this there is no date. */
export const isDate: Check<number> = (value): value is number => isTime(value) && value <= 8.64e15;
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
export const isCount: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export function isOneOf<T>(...known: readonly T[]): Check<T> {
  return (value): value is T => known.some((each) => each === value);
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** Fields that earlier versions did not write. */
export function orAbsent<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function isListOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

/** By own keys alone: one may be called `constructor`. */
export function isTableOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every(check);
}

/** One check for each key; other keys are let pass. */
export function hasShape<T extends object>(checks: { [Key in keyof T]-?: Check<T[Key]> }): Check<T> {
  const list = Object.entries<Check<unknown>>(checks);
  return (value): value is T => isObject(value) && list.every(([key, check]) => check(value[key]));
}
