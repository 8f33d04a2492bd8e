// What the journal says of one run, line by line as it is read: bounded, however long the run goes on.

import * as v from 'valibot';
import { readRecordedBudget } from '../engine/budget/recorded.ts';
import { checkFact } from '../engine/proof/recorded.ts';
import type { Position } from '../store/journal-forward.ts';
import type { DriveEntry, JournalEntry, ReviewEntry, StopEntry } from '../store/journal-lines.ts';
import { isObject } from '../store/json.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { describeEvent } from './describe-event.ts';
import type { BudgetView, CheckResult, EventView, RunCounts, StopKind, StopView } from './model.ts';
import type { RecordedEnd } from './run-state.ts';

export const MOST_STOPS = 100;
const MOST_EVENTS = 100;
const MOST_REVIEWS = 500;
const MOST_RESULTS = 200;
const MOST_BURN = 300;

/** A stop is put into words only when it is shown. */
export type ReadStop = { entry: StopEntry; position: Position; at: number };

export type Reviewed = { entry: ReviewEntry; position: Position; at: number };

/** All lists have the oldest first. */
export type RunHistory = {
  workflow: string;
  run: string;
  startedAt: number | null;
  /** What was asked for, in a line. */
  task: string | null;
  movedAt: number;
  stops: (ReadStop | StopView)[];
  events: EventView[];
  reviews: Reviewed[];
  checks: Map<string, CheckResult[]>;
  burn: BudgetView['burn'][number][];
  counts: RunCounts;
  holder: { session: string; client: string; since: number } | null;
  /** The last word on it, where that is an end. Its reasons are not in words yet. */
  end: RecordedEnd | null;
  /** `holdfast run` drives it, or has ended with it in this way. */
  drive: 'on' | { ended: string } | null;
};

export function newHistory(workflow: string, run: string): RunHistory {
  return {
    ...{ workflow, run, startedAt: null, task: null, movedAt: 0, stops: [], events: [], reviews: [] },
    ...{ checks: new Map(), burn: [], counts: NO_COUNTS, holder: null, end: null, drive: null },
  };
}

const NO_COUNTS: RunCounts = {
  ...{ stops: 0, held: 0, allowed: 0, letGo: 0, failed: 0 },
  ...{ reviews: 0, checks: 0, receipts: 0, usd: 0, tokens: 0 },
};

/** Adds one line. Its time has been read already. */
export function addLine(history: RunHistory, entry: JournalEntry, position: Position, at: number): void {
  // That a notification failed moves nothing.
  if (entry.event !== 'notify') history.movedAt = Math.max(history.movedAt, at);
  if (entry.event === 'stop') {
    addStop(history, { entry, position, at });
    return;
  }
  keep(history.events, { position, at, event: entry.event, text: describeEvent(entry) }, MOST_EVENTS);
  if ('task' in entry && entry.task !== undefined) history.task = entry.task;
  switch (entry.event) {
    case 'start':
      history.startedAt = at;
      history.end = null;
      history.drive = null;
      break;
    case 'adopt':
      history.end = null;
      history.drive = history.drive === 'on' ? 'on' : null;
      break;
    case 'cancel':
      history.end = { outcome: 'cancelled', at, worth: null, why: [], by: whoBy(entry.session) };
      break;
    case 'end':
      // The stop at which its agent learns that it was cancelled may end it once more.
      if (history.end?.outcome === 'cancelled') break;
      history.end = {
        ...{ outcome: entry.outcome, at, worth: entry.proof ?? null, why: entry.why ?? [] },
        checks: passedAt(history, at),
      };
      break;
    case 'review':
      addReview(history, { entry, position, at });
      break;
    case 'drive':
      addDrive(history, entry, at);
      break;
    case 'budget':
    case 'work':
    case 'wait':
    case 'question':
    case 'notify':
    case 'accept':
      break;
  }
}

/** By the stop that ended it, whose line is the one before. */
function passedAt({ checks }: RunHistory, at: number): string[] {
  return [...checks].flatMap(([name, results]) => {
    const last = results.at(-1);
    return last?.at === at && last.end === 'passed' ? inOneParagraph(name, 60) : [];
  });
}

const whoBy = (session: string | null): string =>
  session === null ? 'by a person' : `in session ${inOneParagraph(session, 60).slice(0, 8)}`;

/** What its agent took from it has no line of its own. */
function addDrive(history: RunHistory, { what, why = what }: DriveEntry, at: number): void {
  const isOver = what === 'left' || what === 'finished';
  history.drive = isOver ? { ended: inOneParagraph(why, 60) } : 'on';
  if (why.startsWith('cancelled-by-agent') && history.end === null)
    history.end = { outcome: 'cancelled', at, worth: null, why: [], by: 'by its agent' };
}

export function kindOf({ answer, error, guard, waiting, facts }: StopEntry): StopKind {
  if (error !== null) return 'failed';
  if (answer === 'hold') return 'held';
  if (isObject(guard) && guard.result === 'release') return 'let-go';
  if (isObject(waiting) && waiting.result === 'waits') return 'waits';
  const proof = isObject(facts) && isObject(facts.proof) ? facts.proof.why : null;
  return Array.isArray(proof) && proof.includes('refused-too-often') ? 'let-go' : 'allowed';
}

function addStop(history: RunHistory, stop: ReadStop): void {
  const { entry, at } = stop;
  keep(history.stops, stop, MOST_STOPS);
  const kind = kindOf(entry);
  // It was taken up again.
  if (kind === 'held') history.end = null;
  if (kind === 'held' && history.drive !== 'on') history.drive = null;
  const { counts } = history;
  history.counts = {
    ...counts,
    stops: counts.stops + 1,
    held: counts.held + Number(kind === 'held'),
    allowed: counts.allowed + Number(kind === 'allowed' || kind === 'waits'),
    letGo: counts.letGo + Number(kind === 'let-go'),
    failed: counts.failed + Number(kind === 'failed'),
  };
  const { session, client } = entry;
  if (session !== null && history.holder?.session !== session)
    history.holder = { session, client, since: at };
  addChecks(history, stop);
  const spent = entry.budget === undefined ? null : readRecordedBudget(entry.budget)?.question.spent;
  if (spent) {
    const { tokens, timeMs, reviews, usd } = spent;
    keep(history.burn, { at, tokens, timeMs, reviews, usd }, MOST_BURN);
  }
}

function addReview(history: RunHistory, review: Reviewed): void {
  const { usd, tokens } = review.entry;
  keep(history.reviews, review, MOST_REVIEWS);
  history.counts = {
    ...history.counts,
    reviews: history.counts.reviews + 1,
    usd: history.counts.usd + (usd ?? 0),
    tokens: history.counts.tokens + tokensOf(tokens),
  };
}

/** Without what was read from a cache, as a budget counts them. */
export function tokensOf(tokens: ReviewEntry['tokens']): number {
  return tokens === null ? 0 : tokens.input + tokens.cacheCreation + tokens.output;
}

const MOST_CHECKS = 50;

function addChecks(history: RunHistory, { entry: { facts }, position, at }: ReadStop): void {
  for (const fact of factsIn(facts)) {
    const { name, end, code, milliseconds, from, flaky } = fact;
    const known = history.checks.get(name);
    if (known === undefined && history.checks.size >= MOST_CHECKS) continue;
    const results = known ?? [];
    history.checks.set(name, results);
    const result = {
      at,
      end,
      code,
      milliseconds,
      receipt: from === 'receipt',
      flaky: flaky === true,
      position,
    };
    keep(results, result, MOST_RESULTS);
    const { counts } = history;
    history.counts = {
      ...counts,
      checks: counts.checks + Number(from === 'run'),
      receipts: counts.receipts + Number(from === 'receipt'),
    };
  }
}

type Fact = v.InferOutput<typeof checkFact>;

/** Of the claim, of the one check whose pass is a claim, and of those that were asked for by name. */
function factsIn(facts: unknown): Fact[] {
  if (!isObject(facts)) return [];
  const { proof, until, checks } = facts;
  const lists = [proof, until].map((each) => (isObject(each) ? each.checks : null));
  const all = [...lists.flatMap((each) => (Array.isArray(each) ? each : [])), ...namedIn(checks)];
  return all.slice(0, MOST_CHECKS).flatMap((each) => {
    const parsed = v.safeParse(checkFact, each);
    return parsed.success ? parsed.output : [];
  });
}

const namedIn = (checks: unknown): unknown[] => (isObject(checks) ? Object.values(checks) : []);

function keep<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
