// The record of the run that is driven, together with the locks that make it this process's alone.

import { dropEndMarks, readEndMark } from '../engine/driver/end-mark.ts';
import { processWith } from '../processes/known.ts';
import type { Environment } from '../store/environment.ts';
import { isFull } from '../store/files.ts';
import type { HeldLock } from '../store/lock.ts';
import { messageOf } from '../text/message-of.ts';
import { holdRun } from './one-driver.ts';
import { type DriverRecord, putByOthers, readRecord, recordName, recordPlace, saveRecord } from './record.ts';

/** A run that no other process drives for as long as this is held. `name`: the record's. */
export type HeldRun = HeldLock & { name: string };

/** `name`: under which the record was found; left out: it is new. */
export function takeRun(env: Environment, record: DriverRecord, name = recordName(record)): HeldRun {
  const lock = holdRun(env, name, record.run ?? record.asked);
  return { name, release: () => lock.release() };
}

export class Kept {
  readonly #env: Environment;
  readonly #locks: HeldLock[] = [];
  #record: DriverRecord;
  #name: string;
  /** Why what stands here is not on the disk; null: it is. */
  unsaved: string | null = null;

  /** `held`: the lock of the record's name, where it is ours already. Else it is taken; refused where another has it. */
  constructor(env: Environment, record: DriverRecord, held: HeldRun = takeRun(env, record)) {
    this.#env = env;
    this.#record = { ...record, driver: processWith(process.pid) };
    this.#name = held.name;
    this.#locks.push(held);
    saveRecord(env, this.#name, this.#record);
    dropEndMarks(env, recordPlace(this.#name));
  }

  get record(): DriverRecord {
    return this.#record;
  }

  /** On a full disk it is kept here, and is written with the next one: the run must not be lost for our own notes. */
  save(change: Partial<DriverRecord>): void {
    this.#record = { ...this.#record, ...change };
    try {
      saveRecord(this.#env, this.#name, this.#record);
      this.unsaved = null;
    } catch (error) {
      if (!isFull(error)) throw error;
      this.unsaved = messageOf(error);
    }
  }

  spend(change: Partial<DriverRecord['spent']>): void {
    this.#record = { ...this.#record, spent: { ...this.#record.spent, ...change } };
  }

  /** Has a person's command ended the run since then? It stands in the record on disk alone. */
  isCancelledSince(time: number): boolean {
    const cancelled = readRecord(this.#env, this.#name)?.cancelled;
    return cancelled !== undefined && cancelled >= time;
  }

  /** How a stop ended the run, now or once; that, too, stands on disk alone, on a full one as a mark. */
  get stopped(): DriverRecord['stopped'] {
    return readEndMark(this.#env, recordPlace(this.#name)) ?? readRecord(this.#env, this.#name)?.stopped;
  }

  /** The agent has begun its run: from now on the record is the run's. A crash in between leaves both of them. */
  named(run: string): void {
    const name = recordName({ ...this.#record, run });
    this.#locks.push(holdRun(this.#env, name, run));
    const before = this.#name;
    this.#name = name;
    this.save({ run, ...putByOthers(readRecord(this.#env, before)) });
    saveRecord(this.#env, before, null);
  }

  release(): void {
    for (const lock of this.#locks.splice(0)) lock.release();
  }
}
