// The driver's own record of what it drives, in the user's state folder: written before each step, so that
// `holdfast run --continue` goes on from it after ^C, a crash or a reboot.

import type { Access } from '../clients/headless.ts';
import { STOPS_AT, type StopAt } from '../engine/driven.ts';
import type { EndByStop } from '../engine/driver/its-agent.ts';
import type { KnownProcess } from '../processes/known.ts';
import type { Environment } from '../store/environment.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { OUTCOMES } from '../store/journal-lines.ts';
import type { BudgetLimits } from '../store/records.ts';
import {
  type Check,
  hasShape,
  isAmount,
  isCount,
  isDate,
  isFlag,
  isListOf,
  isOneOf,
  isText,
  orNull,
} from '../store/shape.ts';
import { changeUserRecord, DRIVER_RECORDS, readUserRecord, userRecordsIn } from '../store/user-state.ts';
import type { Counts, Say } from './types.ts';

export type DriverRecord = {
  schema: 1;
  /** Its own, for as long as there is no run. */
  id: string;
  /** The project, and the run's name in it; null: its agent is to begin it, and has not yet. */
  root: string;
  run: string | null;
  workflow: string;
  /** What was asked for, in one line for people. */
  asked: string;
  /** The first prompt: what a session that cannot be resumed is given again. */
  prompt: string;
  options: DriveOptions;
  /** The session that the run belongs to; null: the client chooses it and has not yet. */
  session: string | null;
  /** Whose the run was when that session was started for it, until it is bound. Left out: it is. */
  former?: readonly string[] | undefined;
  counts: Counts;
  /** What the run looked like when it was last judged. */
  mark: string;
  /** What is to be done next, and when. `since`: when that was noted; left out: nobody knows. */
  next: { session: 'same' | 'new'; say: Say | 'first'; at: number | null; since?: number | undefined };
  /** The process that drives it, and the client that it started, for whoever finds them gone. */
  driver: KnownProcess;
  client: KnownProcess | null;
  spent: Spent;
  startedAt: number;
  /** The commit it began on; null: there is none. */
  commit: string | null;
  worktree: { path: string; branch: string; from: string } | null;
  /** How it ended; null: it goes on, or was left. */
  ended: { code: number; why: string; at: number } | null;
  /** When a person's command ended the run; left out: none did (engine/driver/its-agent.ts puts it there). */
  cancelled?: number | undefined;
  /** How a stop ended the run; left out: none did. From there, too. */
  stopped?: EndByStop | undefined;
};

export type DriveOptions = {
  client: string;
  access: Access;
  fresh: boolean;
  model: string | null;
  persist: number;
  stopAt: StopAt | null;
  unattended: boolean;
  /** For a run that its agent begins; one that a command starts has it from there. */
  budget: BudgetLimits;
  args: readonly string[];
};

export type Spent = {
  /** Money of sessions that are over, and what this one has reported so far: its totals are cumulative. */
  usdBefore: number;
  usdHere: number | null;
  turns: number;
  tools: number;
  sessions: number;
  /** Milliseconds in which a client worked. */
  workedMs: number;
  waitedMs: number;
};

export const NOTHING_SPENT: Spent = {
  usdBefore: 0,
  usdHere: null,
  turns: 0,
  tools: 0,
  sessions: 0,
  workedMs: 0,
  waitedMs: 0,
};

const isProcess = hasShape<KnownProcess>({ pid: isCount, start: orNull(isText) });

const isCounts = hasShape<Counts>({
  crashes: isCount,
  errors: isCount,
  limits: isCount,
  prompts: isCount,
  overflows: isCount,
  handed: isCount,
  persisted: isCount,
  toolsAlone: isCount,
});

const SAYS: readonly (Say | 'first')[] = [
  ...(['first', 'go-on', 'continue', 'after-limit', 'after-error'] as const),
  ...(['after-crash', 'compact', 'new-session', 'handed-over'] as const),
];

const isEndByStop = hasShape<EndByStop>({
  at: isDate,
  outcome: isOneOf(...OUTCOMES),
  proof: orNull(isOneOf('proven', 'unproven')),
  why: isListOf(isText),
});

export const isDriverRecord: Check<DriverRecord> = hasShape<DriverRecord>({
  schema: isOneOf(1),
  id: isText,
  root: isText,
  run: orNull(isText),
  workflow: isText,
  asked: isText,
  prompt: isText,
  options: hasShape<DriveOptions>({
    client: isText,
    access: isOneOf('edit', 'full'),
    fresh: isFlag,
    model: orNull(isText),
    persist: isCount,
    stopAt: orNull(isOneOf(...STOPS_AT)),
    unattended: isFlag,
    budget: hasShape<BudgetLimits>({
      tokens: orNull(isCount),
      timeMs: orNull(isCount),
      reviews: orNull(isCount),
      usd: orNull(isAmount),
    }),
    args: isListOf(isText),
  }),
  session: orNull(isText),
  former: (value): value is readonly string[] | undefined => value === undefined || isListOf(isText)(value),
  counts: isCounts,
  mark: isText,
  next: hasShape<DriverRecord['next']>({
    session: isOneOf('same', 'new'),
    say: isOneOf(...SAYS),
    at: orNull(isDate),
    since: (value): value is number | undefined => value === undefined || isDate(value),
  }),
  driver: isProcess,
  client: orNull(isProcess),
  spent: hasShape<Spent>({
    usdBefore: isAmount,
    usdHere: orNull(isAmount),
    turns: isCount,
    tools: isCount,
    sessions: isCount,
    workedMs: isCount,
    waitedMs: isCount,
  }),
  startedAt: isDate,
  commit: orNull(isText),
  worktree: orNull(hasShape({ path: isText, branch: isText, from: isText })),
  ended: orNull(hasShape({ code: isCount, why: isText, at: isDate })),
  cancelled: (value): value is number | undefined => value === undefined || isDate(value),
  stopped: (value): value is EndByStop | undefined => value === undefined || isEndByStop(value),
});

/** A run has one record. Before the agent has begun a run, the record's own id stands for it. */
export function recordName({ root, run, id }: Pick<DriverRecord, 'root' | 'run' | 'id'>): string {
  return fingerprint(`${root}\n${run ?? `id ${id}`}`);
}

/** In the user's state folder. */
export const recordPlace = (name: string): string => `${DRIVER_RECORDS}/${name}.json`;

export function saveRecord(env: Environment, name: string, record: DriverRecord | null): void {
  changeUserRecord(env, recordPlace(name), isDriverRecord, (there) =>
    record === null ? null : { ...record, ...putByOthers(there) },
  );
}

/** What a command or a stop may have put there meanwhile. */
export function putByOthers(there: DriverRecord | null): Pick<DriverRecord, 'cancelled' | 'stopped'> {
  const { cancelled, stopped } = there ?? {};
  return { ...(cancelled === undefined ? {} : { cancelled }), ...(stopped === undefined ? {} : { stopped }) };
}

export function readRecord(env: Environment, name: string): DriverRecord | null {
  return readUserRecord(env, recordPlace(name), isDriverRecord);
}

/** Of all of them, also of those that cannot be read. */
export function recordNames(env: Environment): string[] {
  return userRecordsIn(env, DRIVER_RECORDS).map((place) =>
    place.slice(DRIVER_RECORDS.length + 1, -'.json'.length),
  );
}

export type KnownRecord = { name: string; record: DriverRecord };

/** All of one project, the newest first. Those that cannot be read are left out: nothing is driven by them. */
export function recordsOf(env: Environment, root: string): KnownRecord[] {
  const all = recordNames(env).flatMap((name) => {
    const record = readRecord(env, name);
    const isOurs = record?.root === root || record?.worktree?.from === root;
    return record !== null && isOurs ? { name, record } : [];
  });
  return all.sort((one, other) => other.record.startedAt - one.record.startedAt);
}
