// The lines of the journal: what each event says, and how a line is read. Lines of earlier versions are turned into
// today's form here, so nothing else knows that there was another.

import type { FindingCounts, Tokens } from '../reviewers/findings.ts';
import { type OtherEntry, readOther } from './journal-events.ts';
import { isObject, type Json, parseJson } from './json.ts';
import { guardMemoryFromSchema1 } from './old-records.ts';
import type { BudgetLimits } from './records.ts';

export const OUTCOMES = ['completed', 'released', 'cancelled', 'stuck', 'limit', 'paused'] as const;

/** How a run ended. `paused`: its budget is spent, and only a person brings it back. */
export type Outcome = (typeof OUTCOMES)[number];

/** Characters of a task that a line keeps. */
export const LONGEST_TASK = 200;

type Line = { schema: 2; time: string; session: string | null };

/** One for each run served at a stop, or for the stop alone when it concerned none. */
export type StopEntry = Line & {
  event: 'stop';
  client: string;
  turn: string | null;
  workflow: string | null;
  run: string | null;
  state: Json;
  facts: Json;
  guard: Json;
  step: Json;
  answer: 'hold' | 'allow';
  /** A review was due, and the stop was allowed without one: why. */
  unstepped?: string;
  /** Whether the run waits was asked, and what came of it (engine/waiting/recorded.ts). Left out: it was not asked. */
  waiting?: Json;
  /** Whether the run's budget allows it was asked, and what came of it (engine/budget/recorded.ts). */
  budget?: Json;
  /** Whether the user was given one. */
  notice: boolean;
  error: string | null;
  milliseconds: number;
};

/**
 * What a person's or an agent's command did to a run. Its session is null in a plain terminal. `task`: the first line of
 * what was asked for, cut; so that a run is known by it when a later one has its files' place.
 */
export type CommandEntry = Line & { event: CommandEvent; workflow: string; run: string; task?: string };
export type CommandEvent = 'start' | 'adopt' | 'cancel';

/** A stop ended the run. The outcome is null where the workflow does not say how. */
export type EndEntry = Line & {
  event: 'end';
  workflow: string;
  run: string;
  outcome: Outcome | null;
  /** As a start's. */
  task?: string;
  /** What the last claim was worth; absent where nobody asked for checks, or none was made. */
  proof?: Worth;
  /** Why it is unproven, in the words of docs/contracts/proof.md. */
  why?: readonly string[];
};

/** What `holdfast run` did for a run; its run is null until its agent has begun one. */
export type DriveEntry = Line & {
  event: 'drive';
  workflow: string;
  run: string | null;
  what: DriveEvent;
  /** In a few words of ours, or a number: never what a client or an agent said. */
  why?: string;
  /** When a wait is over. */
  until?: string;
};
export type DriveEvent = 'began' | 'client-began' | 'client-ended' | 'waits' | 'left' | 'finished';

/** A review ended: with a verdict or without one, applied or overtaken by an edit. One line for each attempt. */
export type ReviewEntry = Line & {
  event: 'review';
  workflow: string;
  run: string;
  attempt: string;
  reviewer: string;
  /** Empty: the program's default. */
  model: string;
  /** The review file, relative to the project. */
  file: string;
  verdict: string | null;
  /** What it cost, as far as its program says. */
  usd: number | null;
  tokens: Tokens | null;
  /** How long it took; null: nobody knows. */
  milliseconds: number | null;
  /** How many findings it listed; left out: it listed none, or an earlier version wrote the line. */
  listed?: FindingCounts;
};

/** What became of a run's budget: it was set, it is spent, or a person granted more. `limits`: as it is from then on. */
export type BudgetEntry = Line & {
  event: 'budget';
  workflow: string;
  run: string;
  what: BudgetEvent;
  limits: BudgetLimits;
};
export type BudgetEvent = 'set' | 'spent' | 'raised';

export type Worth = 'proven' | 'unproven';

export type JournalEntry =
  | StopEntry
  | CommandEntry
  | EndEntry
  | ReviewEntry
  | BudgetEntry
  | DriveEntry
  | OtherEntry;

/** Null: torn, foreign, or an event that only a newer version knows. */
export function parseJournalLine(text: string): JournalEntry | null {
  const value = parseJson(text);
  if (!isObject(value) || !isLine(value)) return null;
  const line: Value & { schema: 2 } = { ...value, schema: 2 };
  switch (eventOf(value)) {
    case 'stop':
      return isStop(line) ? { ...line, ...fitToShow(line), guard: guardInTodaysWords(line.guard) } : null;
    case 'start':
    case 'adopt':
    case 'cancel':
      return isAboutRun(line) ? (withTask(line) as Value & CommandEntry) : null;
    case 'end':
      return isAboutRun(line) ? asEnd(withTask(line)) : null;
    case 'drive':
      return isDrive(line) ? line : null;
    case 'review':
      return isAboutRun(line) ? asReview(line) : null;
    case 'budget':
      return isAboutRun(line) ? asBudget(line) : null;
    default:
      return isAboutRun(line) ? readOther(line) : null;
  }
}

/** Anyone may have written it there. */
function withTask({ task, ...line }: Value): Value {
  return typeof task === 'string' ? { ...line, task: task.slice(0, LONGEST_TASK) } : line;
}

/** Only what is plainly a worth is one: a line that says more than that says nothing. */
function asEnd({ proof, why, ...line }: Value): EndEntry {
  const end = { ...line, outcome: outcomeOf(line.outcome) } as EndEntry;
  if (proof !== 'proven' && proof !== 'unproven') return end;
  const reasons = Array.isArray(why) ? why.filter((reason) => typeof reason === 'string') : [];
  return { ...end, proof, ...(reasons.length === 0 ? {} : { why: reasons }) };
}

/** Readers put these into a sentence and add them up, so each is what it should be or nothing. */
function asReview({ listed, ...line }: Value): ReviewEntry {
  const text = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');
  const tokens = isObject(line.tokens) ? line.tokens : null;
  return {
    ...(line as Value & ReviewEntry),
    attempt: text(line.attempt),
    reviewer: text(line.reviewer),
    model: text(line.model),
    file: text(line.file),
    verdict: typeof line.verdict === 'string' ? line.verdict : null,
    usd: amount(line.usd),
    tokens: tokens && {
      input: amount(tokens.input) ?? 0,
      cacheCreation: amount(tokens.cacheCreation) ?? 0,
      cacheRead: amount(tokens.cacheRead) ?? 0,
      output: amount(tokens.output) ?? 0,
    },
    milliseconds: amount(line.milliseconds),
    ...(isObject(listed) ? { listed: asCounts(listed) } : {}),
  };
}

function asCounts({ high, medium, low }: Value): FindingCounts {
  return { high: amount(high) ?? 0, medium: amount(medium) ?? 0, low: amount(low) ?? 0 };
}

function asBudget(line: Value): BudgetEntry | null {
  const what = (['set', 'spent', 'raised'] as const).find((each) => each === line.what);
  if (what === undefined) return null;
  const said = isObject(line.limits) ? line.limits : {};
  const limits = {
    tokens: amount(said.tokens),
    timeMs: amount(said.timeMs),
    reviews: amount(said.reviews),
    usd: amount(said.usd),
  };
  return { ...(line as Value & BudgetEntry), what, limits };
}

function amount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** A line of some Holdfast's, whether or not this one knows the event. */
export function isJournalLine(text: string): boolean {
  const value = parseJson(text);
  return isObject(value) && isLine(value) && typeof eventOf(value) === 'string';
}

export function outcomeOf(value: unknown): Outcome | null {
  return OUTCOMES.find((outcome) => outcome === value) ?? null;
}

/** Schema 1 counted `still`, `unmoved` and `unknown`, and kept what was `told`. */
export function guardInTodaysWords(guard: Json): Json {
  if (!isObject(guard) || !isObject(guard.memory) || !('still' in guard.memory)) return guard;
  return { ...guard, memory: guardMemoryFromSchema1(guard.memory) } as Json;
}

type Value = Readonly<Record<string, unknown>>;

/** The first versions wrote stops alone. */
function eventOf(value: Value): unknown {
  return value.event === undefined && value.schema === undefined ? 'stop' : value.event;
}

function isLine({ time, session }: Value): boolean {
  return typeof time === 'string' && textOrNull(session);
}

function isStop(value: Value): value is StopEntry & Value {
  return (
    (value.answer === 'hold' || value.answer === 'allow') &&
    textOrNull(value.workflow) &&
    textOrNull(value.run) &&
    textOrNull(value.error)
  );
}

function isDrive(value: Value): value is DriveEntry & Value {
  const { workflow, run, what, why, until } = value;
  const isTextOrAbsent = (each: unknown): boolean => each === undefined || typeof each === 'string';
  return (
    typeof workflow === 'string' &&
    textOrNull(run) &&
    typeof what === 'string' &&
    isTextOrAbsent(why) &&
    isTextOrAbsent(until)
  );
}

/** Old lines were never asked for these, and readers put them into a sentence. */
function fitToShow({ client, milliseconds }: Value): Pick<StopEntry, 'event' | 'client' | 'milliseconds'> {
  return {
    event: 'stop',
    client: typeof client === 'string' ? client : 'unknown',
    milliseconds: typeof milliseconds === 'number' ? milliseconds : 0,
  };
}

function isAboutRun({ workflow, run }: Value): boolean {
  return typeof workflow === 'string' && typeof run === 'string';
}

function textOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
