// The driver's record and the lock beside it, in a user's state folder of the test's own.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { bareProject } from '../../test/support/bare-project.ts';
import { NotNow } from '../engine/workflow-cli.ts';
import { processWith } from '../processes/known.ts';
import type { Environment } from '../store/environment.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { journalFromEnd } from '../store/journal.ts';
import { journalDrive } from './journal.ts';
import { Kept, takeRun } from './kept.ts';
import { driverOf, holdRun, isDriven, lockOf, namesOfLocks } from './one-driver.ts';
import {
  type DriverRecord,
  isDriverRecord,
  readRecord,
  recordName,
  recordNames,
  recordPlace,
  recordsOf,
  saveRecord,
} from './record.ts';

const ROOT = '/home/me/project';
const record = (given: Partial<DriverRecord> = {}): DriverRecord =>
  newRecord({ root: ROOT, run: 'idle:a', id: 'one', startedAt: Date.UTC(2026, 0, 31, 9, 30), ...given });
const stateIn = ({ XDG_STATE_HOME }: Environment): string => path.join(XDG_STATE_HOME ?? '', 'holdfast');

describe('a record', () => {
  it('has the name of its run, or of itself before there is one', () => {
    expect(recordName({ root: ROOT, run: 'idle:a', id: 'one' })).toBe(fingerprint(`${ROOT}\nidle:a`));
    expect(recordName({ root: ROOT, run: null, id: 'one' })).toBe(fingerprint(`${ROOT}\nid one`));
    expect(recordPlace('x')).toBe('driver/x.json');
  });

  it('is kept as it is, and gone where there is none', () => {
    const { env } = bareProject();
    expect(readRecord(env, 'x')).toBeNull();
    const full = record({
      ...{ session: 's', former: ['r'], client: { pid: 7, start: null }, commit: 'c' },
      ...{ worktree: { path: '/w', branch: 'b', from: ROOT }, ended: { code: 5, why: 'crashes', at: 1 } },
      next: { session: 'new', say: 'handed-over', at: 5, since: 4 },
    });
    saveRecord(env, 'x', full);
    expect(readRecord(env, 'x')).toEqual(full);
    expect(recordNames(env)).toEqual(['x']);
    saveRecord(env, 'x', null);
    expect(recordNames(env)).toEqual([]);
  });

  it('is one with every word that a driver says', () => {
    const says = ['first', 'go-on', 'continue', 'after-limit', 'after-error'] as const;
    const more = ['after-crash', 'compact', 'new-session', 'handed-over'] as const;
    for (const say of [...says, ...more])
      expect(isDriverRecord(record({ next: { session: 'same', say, at: null } }))).toBe(true);
    for (const access of ['edit', 'full'] as const)
      for (const stopAt of [null, 'plan', 'tasks', 'task'] as const)
        expect(isDriverRecord({ ...record(), options: { ...record().options, access, stopAt } })).toBe(true);
  });

  it('is none where a part of it is missing or of another kind', () => {
    const known = record({ session: 's', client: { pid: 7, start: '8' }, commit: 'c' });
    const parts: [string, object, (part: object) => object][] = [
      ['', known, (part) => part],
      ['options', known.options, (options) => ({ ...known, options })],
      ['budget', known.options.budget, (budget) => ({ ...known, options: { ...known.options, budget } })],
      ['counts', known.counts, (counts) => ({ ...known, counts })],
      ['next', known.next, (next) => ({ ...known, next })],
      ['driver', known.driver, (driver) => ({ ...known, driver })],
      ['client', { pid: 7, start: '8' }, (client) => ({ ...known, client })],
      ['spent', known.spent, (spent) => ({ ...known, spent })],
      ['worktree', { path: '/w', branch: 'b', from: '/' }, (worktree) => ({ ...known, worktree })],
      ['ended', { code: 5, why: 'x', at: 1 }, (ended) => ({ ...known, ended })],
    ];
    for (const [name, part, put] of parts) {
      expect(isDriverRecord(put(part)), name).toBe(true);
      for (const key of Object.keys(part))
        expect(isDriverRecord(put({ ...part, [key]: Symbol('other') })), `${name}.${key}`).toBe(false);
    }
    expect(isDriverRecord({ ...known, former: ['a'] })).toBe(true);
    expect(isDriverRecord({ ...known, former: [7] })).toBe(false);
    expect(isDriverRecord({ ...known, schema: 2 })).toBe(false);
  });

  it('of a project is found by it or by its worktree’s, the newest first', () => {
    const { env } = bareProject();
    const worktree = { path: '/w', branch: 'b', from: ROOT };
    saveRecord(env, 'old', record({ startedAt: 1 }));
    saveRecord(env, 'new', record({ startedAt: 3 }));
    saveRecord(env, 'tree', record({ startedAt: 2, root: '/w', worktree }));
    saveRecord(env, 'other', record({ root: '/other' }));
    fs.writeFileSync(path.join(stateIn(env), 'driver', 'broken.json'), 'broken');
    expect(recordsOf(env, ROOT).map(({ name }) => name)).toEqual(['new', 'tree', 'old']);
    expect(recordsOf(env, ROOT)[1]?.record).toEqual(record({ startedAt: 2, root: '/w', worktree }));
    expect(recordNames(env).sort()).toEqual(['broken', 'new', 'old', 'other', 'tree']);
  });
});

describe('one driver', () => {
  it('has a run; a second is told who', () => {
    const { env } = bareProject();
    expect(lockOf(env, 'x')).toBe(path.join(stateIn(env), 'driver-x.lock'));
    expect(isDriven(env, 'x')).toBe(false);
    const held = holdRun(env, 'x', 'idle:a');
    expect(isDriven(env, 'x')).toBe(true);
    const once = 'It can be driven by one at a time.';
    expect(() => holdRun(env, 'x', 'idle:a')).toThrow(new NotNow(`idle:a is driven already. ${once}`));
    saveRecord(env, 'x', record({ driver: { pid: 12, start: null } }));
    const who = ' by process 12 (`holdfast run`, asked for at 2026-01-31 09:30 UTC: idle loop Do it all)';
    expect(() => holdRun(env, 'x', 'idle:a')).toThrow(new NotNow(`idle:a is driven already${who}. ${once}`));
    expect(driverOf(record({ driver: { pid: 12, start: null } }))).toBe(who);
    expect(driverOf(null)).toBe('');
    held.release();
    expect(isDriven(env, 'x')).toBe(false);
  });

  it('leaves a lock that tells its record’s name', () => {
    const { env } = bareProject();
    for (const name of ['x', 'y.z']) holdRun(env, name, 'idle:a').release();
    for (const name of ['driver-.lock', 'driver-a.lock.lease', 'a-driver-b.lock', 'driver-alock'])
      fs.writeFileSync(path.join(stateIn(env), name), '');
    expect(namesOfLocks(env).sort()).toEqual(['x', 'y.z']);
  });

  it('keeps its record under the run’s name, once it has one', () => {
    const { env } = bareProject();
    const begun = record({ run: null });
    const before = recordName(begun);
    const kept = new Kept(env, begun);
    const driver = processWith(process.pid);
    expect(kept.record).toEqual({ ...begun, driver });
    expect(readRecord(env, before)).toEqual({ ...begun, driver });
    const other = 'idle loop Do it all is driven already';
    expect(() => takeRun(env, begun)).toThrow(other);
    kept.spend({ turns: 4 });
    expect(kept.record.spent).toEqual({ ...begun.spent, turns: 4 });
    expect(readRecord(env, before)?.spent.turns).toBe(0);
    kept.named('idle:a');
    const after = recordName(record());
    expect(recordNames(env)).toEqual([after]);
    expect(readRecord(env, after)).toEqual({ ...begun, driver, run: 'idle:a', spent: kept.record.spent });
    expect([isDriven(env, before), isDriven(env, after)]).toEqual([true, true]);
    expect(() => takeRun(env, record())).toThrow('idle:a is driven already');
    kept.save({ session: 's' });
    expect(readRecord(env, after)?.session).toBe('s');
    kept.release();
    kept.release();
    expect([isDriven(env, before), isDriven(env, after)]).toEqual([false, false]);
  });

  it('takes a record up under the name that it was found by', () => {
    const { env } = bareProject();
    const held = takeRun(env, record(), 'found');
    expect(held.name).toBe('found');
    const kept = new Kept(env, record(), held);
    expect(recordNames(env)).toEqual(['found']);
    kept.release();
    expect(isDriven(env, 'found')).toBe(false);
  });
});

describe('the journal of a drive', () => {
  it('has a line for what was done, with the run where there is one', () => {
    const { root } = bareProject();
    journalDrive(record({ root, session: 's' }), 0, 'waits', { why: 'x', until: 'then' });
    journalDrive(record({ root, run: null }), 1, 'left');
    const line = { schema: 2, event: 'drive', workflow: 'idle' };
    expect([...journalFromEnd(root)]).toEqual([
      { ...line, time: '1970-01-01T00:00:00.001Z', session: null, run: null, what: 'left' },
      {
        ...{ ...line, time: '1970-01-01T00:00:00.000Z', session: 's', run: 'a', what: 'waits' },
        ...{ why: 'x', until: 'then' },
      },
    ]);
  });

  it('never stops a run', () => {
    const { root } = bareProject();
    fs.writeFileSync(path.join(root, '.holdfast'), '');
    expect(() => journalDrive(record({ root }), 0, 'began')).not.toThrow();
  });
});
