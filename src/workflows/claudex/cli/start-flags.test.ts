import { describe, expect, it } from 'vitest';
import { callIn } from '../../../../test/support/call.ts';
import type { Call } from '../../../engine/workflow-cli.ts';
import { readStartFlags, START_OPTIONS, START_USAGE } from './start-flags.ts';

const NONE = { tokens: null, timeMs: null, reviews: null, usd: null };
const read = (flags: Call['flags'], mode: 'plan' | 'review' = 'plan') =>
  readStartFlags(callIn('/p', { flags, env: {} }).call, mode);

describe('the flags of a start', () => {
  it('are these', () => {
    expect(START_USAGE).toBe(
      '[--rounds N] [--from-draft] [--skip-interview] [--interviewed] [--tokens N] [--hours N] [--reviews N]',
    );
    expect(START_OPTIONS).toEqual({
      ...{ rounds: { type: 'string' }, 'from-draft': { type: 'boolean' } },
      ...{ 'skip-interview': { type: 'boolean' }, interviewed: { type: 'boolean' } },
      ...{ tokens: { type: 'string' }, hours: { type: 'string' }, reviews: { type: 'string' } },
    });
  });

  it.each([
    [{}, {}],
    [{ 'skip-interview': true }, {}],
    [{ rounds: '12' }, { rounds: 12 }],
    [{ 'from-draft': true }, { fromDraft: true }],
    [{ interviewed: true }, { interviewed: true }],
    [{ 'from-draft': 'true', interviewed: 'true' }, {}],
    [{ hours: '2' }, { budget: { ...NONE, timeMs: 7_200_000 } }],
  ])('%j are read as %j', (flags: Call['flags'], over) => {
    expect(read(flags)).toEqual({
      rounds: null,
      fromDraft: false,
      interviewed: false,
      budget: NONE,
      ...over,
    });
  });

  it.each(['0', '-1', 'x', '', '1.5', true])('take no %j rounds', (rounds) => {
    const words = `: --rounds takes a whole number above 0, not "${rounds}".`;
    expect(() => read({ rounds })).toThrow(`claudex plan${words}`);
    expect(() => read({ rounds }, 'review')).toThrow(
      expect.objectContaining({ name: 'WrongUsage', message: `claudex review${words}` }),
    );
  });

  it('say in whose name a budget says nothing', () => {
    expect(() => read({ tokens: 'many' }, 'review')).toThrow(
      /^claudex review: --tokens takes .+, not "many"\.$/,
    );
  });
});
