import { describe, expect, it } from 'vitest';
import { decide } from '../decide.ts';
import { redecide } from './replay.ts';

const state = { mode: 'plan', phase: 'reviewing', round: 1, maxRounds: 3, signal: 'none' } as const;
const facts = {
  id: 'valid',
  cwd: 'inside',
  plan: 'unread',
  runner: 'idle',
  waited: 'no',
  lastReviewed: 1,
  reviewFiles: 'unread',
  unwarned: [],
} as const;

describe('deciding again from the journal', () => {
  it('comes to the same step', () => {
    const recorded = JSON.parse(
      JSON.stringify({ state, facts: { ...facts, verdict: null, failedReviews: 0 } }),
    );
    expect(redecide(recorded.state, recorded.facts)).toEqual(decide(state, facts));
  });

  it('answers null to what is not a record of claudex', () => {
    expect(redecide(null, {})).toBeNull();
    expect(redecide({ ...state, phase: 'dreaming' }, facts)).toBeNull();
  });
});
