import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { tryHold } from '../store/lock.ts';
import { userStateFolder } from '../store/user-state.ts';
import { takeRun } from './kept.ts';
import { lockOf, namesOfLocks } from './one-driver.ts';
import { type DriverRecord, readRecord, recordName, recordNames, recordPlace, saveRecord } from './record.ts';
import { sweepDrivers } from './tidy.ts';

const DAY = 24 * 3600_000;
let temp: TempProject;
let env: { HOME: string };
beforeEach(() => {
  temp = tempProject('project', { emptyHome: true });
  env = { HOME: temp.home };
});
afterEach(() => temp.remove());

/** As a driver leaves it that ended so many days ago, or was ended. Answers with its name. */
function leave(run: string, days: number, change: Partial<DriverRecord> = {}): string {
  const record = newRecord({ root: temp.root, run, ...change });
  const name = recordName(record);
  takeRun(env, record).release();
  saveRecord(env, name, record);
  age(path.join(userStateFolder(env), recordPlace(name)), days);
  age(lockOf(env, name), days);
  return name;
}

function age(file: string, days: number): void {
  const time = (Date.now() - days * DAY) / 1000;
  fs.utimesSync(file, time, time);
}

const ended = (why: string, code = 0): Partial<DriverRecord> => ({ ended: { code, why, at: 0 } });
const sweep = (): void => sweepDrivers(env, Date.now());

it('removes what came to its end a month ago, with its lock', () => {
  leave('idle:done', 31, ended('completed'));
  leave('idle:unproven', 31, ended('unproven', 4));
  leave('idle:gone', 31, { root: path.join(temp.root, 'gone') });
  const kept = leave('idle:young', 29, ended('completed'));
  sweep();
  expect(recordNames(env)).toEqual([kept]);
  expect(namesOfLocks(env)).toEqual([kept]);
});

it('keeps for a year what may be gone on with', () => {
  const all = [
    leave('idle:left', 364),
    leave('idle:paused', 364, ended('paused', 7)),
    leave('idle:asked', 364, ended('question', 6)),
  ];
  sweep();
  expect(recordNames(env)).toEqual(all.toSorted());
  leave('idle:left', 366);
  sweep();
  expect(recordNames(env)).toHaveLength(2);
});

it('removes nothing that is driven', () => {
  const name = leave('idle:driven', 400);
  const held = tryHold(lockOf(env, name));
  sweep();
  expect(readRecord(env, name)).not.toBeNull();
  held?.release();
  sweep();
  expect(recordNames(env)).toEqual([]);
});

it('removes a lock whose record is gone, and nothing else that looks alike', () => {
  const alone = leave('idle:alone', 40);
  saveRecord(env, alone, null);
  const young = leave('idle:alone-but-young', 20);
  saveRecord(env, young, null);
  const other = path.join(userStateFolder(env), 'driver-client.json');
  fs.writeFileSync(other, '{"program":"claude"}');
  age(other, 400);
  sweep();
  expect(namesOfLocks(env)).toEqual([young]);
  expect(fs.existsSync(other)).toBe(true);
});

it('takes the folder of a lease along', () => {
  const name = leave('idle:lease', 31, ended('completed'));
  process.env.HOLDFAST_LOCK = 'lease';
  try {
    tryHold(lockOf(env, name))?.release();
  } finally {
    delete process.env.HOLDFAST_LOCK;
  }
  expect(fs.existsSync(`${lockOf(env, name)}.lease`)).toBe(true);
  sweep();
  expect(fs.readdirSync(userStateFolder(env)).filter((file) => file.startsWith('driver-'))).toEqual([]);
});

it('leaves a record that cannot be read for as long as any, and is not stopped by it', () => {
  const broken = leave('idle:broken', 100);
  const file = path.join(userStateFolder(env), recordPlace(broken));
  fs.writeFileSync(file, '{');
  age(file, 100);
  leave('idle:done', 31, ended('completed'));
  sweep();
  expect(recordNames(env)).toEqual([broken]);
  age(file, 366);
  sweep();
  expect(recordNames(env)).toEqual([]);
});
