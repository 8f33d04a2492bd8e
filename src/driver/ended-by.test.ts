import { describe, expect, it } from 'vitest';
import { type Attempt, newSidecar } from '../store/records.ts';
import { EndedBy } from './ended-by.ts';
import type { Seen } from './standing.ts';
import type { Stand } from './types.ts';

const seen = (stand: Stand, attempts: readonly Partial<Attempt>[] = []): Seen => ({
  ...{ stand, stage: '', mark: '', busy: false },
  sidecar: { ...newSidecar('toy:a'), attempts: attempts as Attempt[] },
});
const ACTIVE = seen({ kind: 'active' });
const over = (outcome: 'completed' | 'cancelled' | null): Seen =>
  seen({ kind: 'over', outcome, worth: null });

describe('a run that is gone', () => {
  it.each([
    ['is gone', null, false, 'shed'],
    ['was cancelled', 'cancelled', false, 'shed'],
    ['was cancelled by a person', 'cancelled', true, 'over'],
    ['was ended by a stop', 'completed', false, 'over'],
  ] as const)('%s', (_, outcome, isPersons, kind) => {
    const endedBy = new EndedBy(() => isPersons);
    endedBy.see(ACTIVE, 0);
    expect(endedBy.see(over(outcome), 1).stand.kind).toBe(kind);
  });

  it('before it was driven is no doing of its agent', () => {
    expect(new EndedBy(() => false).see(over(null), 1).stand.kind).toBe('over');
  });

  it('is settled when it stays so, and not while a check of it may put it back', () => {
    const endedBy = new EndedBy(() => false);
    endedBy.see(seen({ kind: 'active' }, [{ status: 'running', deadline: 9_000 }]), 0);
    endedBy.see(over(null), 1_000);
    expect([1_000, 8_000, 9_000].map((now) => endedBy.isSettled(now))).toEqual([false, false, true]);
    endedBy.see(ACTIVE, 9_000);
    endedBy.see(over(null), 10_000);
    expect([12_999, 13_000].map((now) => endedBy.isSettled(now))).toEqual([false, true]);
  });
});
