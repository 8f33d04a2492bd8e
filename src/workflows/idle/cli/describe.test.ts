import { describe, expect, it } from 'vitest';
import { STALE_AFTER_MS } from '../decide.ts';
import type { Frame, Loop } from '../types.ts';
import { describeStage } from './describe.ts';

const NOW = 1_794_000_000_000;
const frame = (iter: Frame['iter'], max: Frame['max'] = 10, mode: Frame['mode'] = 'loop'): Frame => ({
  mode,
  iter,
  max,
  carryOn: false,
});
const loop = (stack: readonly Frame[], over: Partial<Loop> = {}): Loop => ({
  kind: 'loop',
  event: 'STATE',
  updatedAt: NOW,
  stack,
  ...over,
});

describe('where a loop stands', () => {
  it.each([
    ['nothing', 'no loop'],
    ['lost', 'its log is too long to find the state'],
    ['unreadable', 'its state cannot be read'],
  ] as const)('is said of a state that is %s', (kind, words) => {
    expect(describeStage({ kind }, NOW)).toBe(words);
  });

  it('is its mode and iteration', () => {
    expect(describeStage(loop([frame(3)]), NOW)).toBe('loop, iteration 3/10');
    expect(describeStage(loop([frame('corrupt', 'corrupt', 'unknown')]), NOW)).toBe(
      'unknown, iteration corrupt/corrupt',
    );
  });

  it('is that of the innermost, with how deep it is nested', () => {
    expect(describeStage(loop([frame(3, 100, 'grind'), frame(1, 5, 'issue')]), NOW)).toBe(
      'issue, iteration 1/5, 2 deep',
    );
  });

  it('is stale after two hours and a moment, or without a time', () => {
    const at = (updatedAt: number | null) => describeStage(loop([frame(3)], { updatedAt }), NOW);
    expect(at(NOW - STALE_AFTER_MS)).toBe('loop, iteration 3/10');
    expect(at(NOW - STALE_AFTER_MS - 1)).toBe('loop, iteration 3/10, stale');
    expect(at(null)).toBe('loop, iteration 3/10, stale');
    expect(at(NOW + STALE_AFTER_MS)).toBe('loop, iteration 3/10');
  });

  it('is that it ended, with what is kept for resume', () => {
    expect(describeStage(loop([], { event: 'DONE' }), NOW)).toBe('ended');
    expect(describeStage(loop([frame(1)], { event: 'DONE' }), NOW)).toBe('ended, 1 kept for resume');
    expect(describeStage(loop([frame(1), frame(2)], { event: 'DONE' }), NOW)).toBe(
      'ended, 2 kept for resume',
    );
    expect(describeStage(loop([frame(1)], { event: 'ABORT' }), NOW)).toBe('ended');
    expect(describeStage(loop([]), NOW)).toBe('ended');
  });
});
