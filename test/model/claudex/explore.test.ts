import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/workflows/claudex/decide.ts';
import { explore, report } from '../explorer/explorer.ts';
import { claudexModel } from './model.ts';

describe('every claudex loop there can be', () => {
  const explored = explore(claudexModel(decide));

  it('keeps every invariant at every stop', () => {
    expect(explored.violation, report(explored)).toBeNull();
  });

  it('is explored as a whole', () => {
    console.log('claudex', explored);
    expect(explored.states).toBe(0);
  });
});
