import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/workflows/idle/decide.ts';
import { explore, report } from '../explorer/explorer.ts';
import { idleModel } from './model.ts';

describe('every idle loop there can be', () => {
  const explored = explore(idleModel(decide));

  it('keeps every invariant at every stop', () => {
    expect(explored.violation, report(explored)).toBeNull();
  });

  it('is explored as a whole', () => {
    console.log('idle', explored);
    expect(explored.states).toBeGreaterThan(400_000);
  });
});
