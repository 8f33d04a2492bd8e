// The record of the run that is driven, together with the locks that make it this process's alone.

import type { Environment } from '../store/environment.ts';
import type { HeldLock } from '../store/lock.ts';
import { holdRun } from './one-driver.ts';
import { processWith } from './process.ts';
import { type DriverRecord, recordName, saveRecord } from './record.ts';

export class Kept {
  readonly #env: Environment;
  readonly #locks: HeldLock[] = [];
  #record: DriverRecord;
  #name: string;

  /** Refused where another process drives the run. `name`: under which the record was found; left out: it is new. */
  constructor(env: Environment, record: DriverRecord, name?: string) {
    this.#env = env;
    this.#record = { ...record, driver: processWith(process.pid) };
    this.#name = name ?? recordName(record);
    this.#locks.push(holdRun(env, this.#name, record.run ?? record.asked));
    this.save({});
  }

  get record(): DriverRecord {
    return this.#record;
  }

  save(change: Partial<DriverRecord>): void {
    this.#record = { ...this.#record, ...change };
    saveRecord(this.#env, this.#name, this.#record);
  }

  spend(change: Partial<DriverRecord['spent']>): void {
    this.#record = { ...this.#record, spent: { ...this.#record.spent, ...change } };
  }

  /** The agent has begun its run: from now on the record is the run's. A crash in between leaves both of them. */
  named(run: string): void {
    const name = recordName({ ...this.#record, run });
    this.#locks.push(holdRun(this.#env, name, run));
    const before = this.#name;
    this.#name = name;
    this.save({ run });
    saveRecord(this.#env, before, null);
  }

  release(): void {
    for (const lock of this.#locks) lock.release();
  }
}
