import { expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { bareProject } from '../../test/support/bare-project.ts';
import { NotNow } from '../engine/workflow-cli.ts';
import { processWith } from '../processes/known.ts';
import { Kept, takeRun } from './kept.ts';
import { isDriven } from './one-driver.ts';
import { type DriverRecord, NOTHING_SPENT, readRecord, recordName, recordNames } from './record.ts';

const { root, env } = bareProject();
let number = 0;
/** Each test drives a run of its own. */
const recordOf = (given: Partial<DriverRecord> = {}): DriverRecord =>
  newRecord({ root, run: `idle:${++number}`, driver: { pid: 1, start: '1' }, ...given });
const OURS = processWith(process.pid);

it('a record is on disk as soon as it is kept, with this process as its driver', () => {
  const record = recordOf();
  const kept = new Kept(env, record);
  expect(kept.record).toEqual({ ...record, driver: OURS });
  expect(readRecord(env, recordName(record))).toEqual({ ...record, driver: OURS });
  kept.release();
});

it('what is saved is on disk at once, what is spent with what is saved next', () => {
  const record = recordOf();
  const kept = new Kept(env, record);
  kept.spend({ turns: 2 });
  kept.spend({ tools: 3 });
  const spent = { ...NOTHING_SPENT, turns: 2, tools: 3 };
  expect(kept.record.spent).toEqual(spent);
  expect(readRecord(env, recordName(record))?.spent).toEqual(NOTHING_SPENT);
  kept.save({ session: 'session-1' });
  expect(kept.record).toEqual({ ...record, driver: OURS, session: 'session-1', spent });
  expect(readRecord(env, recordName(record))).toEqual(kept.record);
  kept.release();
});

it('a run is one process’s for as long as it is kept', () => {
  const record = recordOf();
  const kept = new Kept(env, record);
  expect(isDriven(env, recordName(record))).toBe(true);
  expect(() => new Kept(env, record)).toThrow(NotNow);
  expect(() => takeRun(env, record)).toThrow(
    `${record.run} is driven already by process ${process.pid} (\`holdfast run\`, asked for at ${new Date(record.startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC: idle loop Do it all). It can be driven by one at a time.`,
  );
  kept.release();
  expect(isDriven(env, recordName(record))).toBe(false);
  kept.release();
  new Kept(env, record).release();
});

it('a run that is taken has its record’s name, and what has no run yet is named by what was asked', () => {
  const record = recordOf({ run: null, id: 'i1' });
  const held = takeRun(env, record);
  expect(held.name).toBe(recordName(record));
  expect(isDriven(env, held.name)).toBe(true);
  expect(() => takeRun(env, record)).toThrow(/^idle loop Do it all is driven already\. /);
  held.release();
  expect(isDriven(env, held.name)).toBe(false);
});

it('a record that was found under another name stays there', () => {
  const record = recordOf();
  const held = takeRun(env, record, 'another');
  expect(held.name).toBe('another');
  const kept = new Kept(env, record, held);
  kept.save({ mark: 'm' });
  expect(readRecord(env, 'another')).toMatchObject({ run: record.run, mark: 'm' });
  expect(readRecord(env, recordName(record))).toBeNull();
  kept.release();
  expect(isDriven(env, 'another')).toBe(false);
});

it('once the agent has begun its run, the record is the run’s, and both names are held', () => {
  const record = recordOf({ run: null, id: 'i2' });
  const kept = new Kept(env, record);
  const before = recordName(record);
  kept.named('idle:begun');
  const name = recordName({ ...record, run: 'idle:begun' });
  expect(kept.record.run).toBe('idle:begun');
  expect(readRecord(env, name)).toEqual({ ...record, driver: OURS, run: 'idle:begun' });
  expect(recordNames(env)).not.toContain(before);
  expect([before, name].map((each) => isDriven(env, each))).toEqual([true, true]);
  kept.save({ mark: 'later' });
  expect(readRecord(env, name)?.mark).toBe('later');
  expect(readRecord(env, before)).toBeNull();
  kept.release();
  expect([before, name].map((each) => isDriven(env, each))).toEqual([false, false]);
});

it('a run that another drives is not taken over by its name', () => {
  const other = takeRun(env, recordOf({ run: 'idle:taken' }));
  const record = recordOf({ run: null, id: 'i3' });
  const kept = new Kept(env, record);
  expect(() => kept.named('idle:taken')).toThrow(/^idle:taken is driven already\. /);
  expect(kept.record.run).toBeNull();
  expect(readRecord(env, recordName(record))).toMatchObject({ run: null });
  kept.release();
  other.release();
});
