import { describe, expect, it } from 'vitest';
import type { Json } from '../../store/json.ts';
import { readRecordedGuard } from './recorded.ts';

const memory = { held: true, noProgress: 1, noTools: 2, toolsUnknown: 3, released: false };
const movement = { state: true, artifacts: false, tools: 'unknown', waited: true };
const limits = { unmoved: 3, tools: 12, unknown: 12 };
const GUARD = { memory, movement, limits, result: 'hold' };

describe('what the guard weighed, in the journal', () => {
  it('is read', () => {
    expect(readRecordedGuard(GUARD)).toEqual(GUARD);
    for (const tools of ['yes', 'no', 'unknown'])
      expect(readRecordedGuard({ ...GUARD, movement: { ...movement, tools } })?.movement.tools).toBe(tools);
    expect(readRecordedGuard({ ...GUARD, limits: { ...limits, tools: null } })?.limits.tools).toBeNull();
  });

  it('is read without a word on waiting, as of earlier versions', () => {
    const { waited: _, ...earlier } = movement;
    expect(readRecordedGuard({ ...GUARD, movement: earlier })?.movement.waited).toBe(false);
  });

  it.each([
    ['memory', { memory: {} }],
    ['memory', { memory: { ...memory, noTools: '1' } }],
    ['movement', { movement: { ...movement, tools: 'maybe' } }],
    ['movement', { movement: {} }],
    ['limits', { limits: {} }],
    ['limits', { limits: { ...limits, unmoved: null } }],
    ['result', { result: null }],
  ])('is none with another %s', (_, more) => {
    expect(readRecordedGuard({ ...GUARD, ...more } as Json)).toBeNull();
  });

  it('is none where it was not asked', () => {
    expect(readRecordedGuard(null)).toBeNull();
  });
});
