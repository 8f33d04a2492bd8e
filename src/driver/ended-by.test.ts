import { describe, expect, it } from 'vitest';
import type { EndByStop } from '../engine/driver/its-agent.ts';
import { type Attempt, newSidecar } from '../store/records.ts';
import { EndedBy } from './ended-by.ts';
import type { Seen } from './standing.ts';
import type { Stand } from './types.ts';

const seen = (stand: Stand, attempts: readonly Partial<Attempt>[] = []): Seen => ({
  ...{ stand, stage: '', mark: '', busy: false },
  sidecar: { ...newSidecar('toy:a'), attempts: attempts as Attempt[] },
});
const ACTIVE = seen({ kind: 'active' });
const over = (outcome: 'completed' | 'cancelled' | null, byJournal?: true): Seen =>
  seen({ kind: 'over', outcome, worth: null, ...(byJournal ? { byJournal } : {}) });
const STOPPED: EndByStop = { at: 1, outcome: 'completed', proof: 'unproven', why: [] };
const endedByWith = (more: Partial<ConstructorParameters<typeof EndedBy>[0]>): EndedBy =>
  new EndedBy({ isPersons: () => false, byStop: () => undefined, isUnderWay: () => true, ...more });

describe('a run that is gone', () => {
  it.each([
    ['is gone', null, false, 'shed'],
    ['was cancelled', 'cancelled', false, 'shed'],
    ['was cancelled by a person', 'cancelled', true, 'over'],
    ['ended by the state of its workflow', 'completed', false, 'over'],
  ] as const)('%s', (_, outcome, isPersons, kind) => {
    const endedBy = endedByWith({ isPersons: () => isPersons });
    endedBy.see(ACTIVE, 0);
    expect(endedBy.see(over(outcome), 1).stand.kind).toBe(kind);
  });

  it('is as the stop that ended it has put it down, and not as a line in the journal alone has it', () => {
    let stopped: EndByStop | undefined;
    const endedBy = endedByWith({ byStop: () => stopped });
    endedBy.see(ACTIVE, 0);
    expect(endedBy.see(over('completed', true), 1).stand).toEqual({ kind: 'shed' });
    stopped = STOPPED;
    expect(endedBy.see(over('completed', true), 2).stand).toEqual({
      ...{ kind: 'over', outcome: 'completed', worth: 'unproven' },
    });
  });

  it('before it was driven is no doing of its agent', () => {
    expect(endedByWith({}).see(over(null), 1).stand.kind).toBe('over');
  });

  it('is settled when it stays so, and not while a check of it may put it back', () => {
    const endedBy = endedByWith({});
    endedBy.see(seen({ kind: 'active' }, [{ status: 'running', deadline: 9_000 }]), 0);
    endedBy.see(over(null), 1_000);
    expect([1_000, 8_000, 9_000].map((now) => endedBy.isSettled(now))).toEqual([false, false, true]);
    endedBy.see(ACTIVE, 9_000);
    endedBy.see(over(null), 10_000);
    expect([12_999, 13_000].map((now) => endedBy.isSettled(now))).toEqual([false, true]);
  });

  it('is settled beside a check of which only its notes know', () => {
    const endedBy = endedByWith({ isUnderWay: () => false });
    endedBy.see(seen({ kind: 'active' }, [{ status: 'running', deadline: 8e15 }]), 0);
    endedBy.see(over(null), 0);
    expect(endedBy.isSettled(3_000)).toBe(true);
  });
});
