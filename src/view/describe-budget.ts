// What `status`, `why` and `log` say of a run's budget: what is spent and left, at which pace, and what became of it.

import { stillSpent } from '../engine/budget/changes.ts';
import { hasBudget } from '../engine/budget/place.ts';
import { readBudget } from '../engine/budget/record.ts';
import { readRecordedBudget } from '../engine/budget/recorded.ts';
import { howToResume } from '../engine/budget/resume-line.ts';
import { KINDS, type Kind, spentOf } from '../engine/budget/rule.ts';
import type { Budget } from '../engine/budget/types.ts';
import { amountInWords, limitsInWords, spentInWords } from '../engine/budget/words.ts';
import type { Project } from '../engine/project.ts';
import type { BudgetEntry, StopEntry } from '../store/journal-lines.ts';
import { messageOf } from '../text/message-of.ts';

/** Null: the run has none. */
export function describeBudget(project: Project, name: string): string | null {
  if (!hasBudget(project, name)) return null;
  try {
    const budget = readBudget(project, name);
    return budget && inWords(budget, project.cli);
  } catch (error) {
    return `Its budget cannot be read: ${messageOf(error)}`;
  }
}

function inWords(budget: Budget, cli: string): string {
  const { stage, limits, spent, clock } = budget;
  const parts = KINDS.filter((kind) => limits[kind] !== null).map((kind) =>
    spentInWords(kind, limits, spent),
  );
  const read =
    limits.tokens !== null && spent.cacheRead > 0
      ? ` (${amountInWords('tokens', spent.cacheRead)} read from the cache not counted)`
      : '';
  const hours =
    clock.byStops && limits.timeMs !== null
      ? ' Its hours count from stop to stop, since its client writes down no times.'
      : '';
  const line = `Budget: ${parts.join(', ')}${read}.${hours}`;
  if (stage === 'paused')
    return `Paused: its budget is spent. ${line} To go on, in a terminal of your own: \`${howToResume(budget, cli)}\``;
  if (stage === 'last-hold' && stillSpent(budget).length > 0)
    return `${line} It is spent: the agent was told to leave the work whole and stop.`;
  return [line, paceOf(budget), forecastOf(budget)].filter((part) => part !== null).join(' ');
}

/** Of one iteration nothing can be concluded. */
const FEWEST = 2;

/** Each hold begins an iteration; the first began with the run's start. */
function paceOf({ limits, spent, holds }: Budget): string | null {
  const bounded = KINDS.filter((kind) => limits[kind] !== null && kind !== 'reviews');
  if (holds < FEWEST || bounded.length === 0) return null;
  const each = bounded.map((kind) => amountInWords(kind, perIteration(kind, spent[kind], holds)));
  return `About ${each.join(', ')} per iteration.`;
}

function perIteration(kind: Kind, spent: number, holds: number): number {
  const each = spent / holds;
  return kind === 'tokens' ? Math.round(each) : each;
}

/** At this pace, how many more iterations there are; null: it is too early to say. */
export function iterationsLeft({ limits, spent, holds }: Budget): number | null {
  const left = KINDS.flatMap((kind) => {
    const limit = limits[kind];
    if (limit === null || kind === 'reviews' || holds < FEWEST || spent[kind] === 0) return [];
    return Math.max(0, limit - spent[kind]) / (spent[kind] / holds);
  });
  return left.length === 0 ? null : Math.floor(Math.min(...left));
}

function forecastOf(budget: Budget): string | null {
  const left = iterationsLeft(budget);
  // As good as unbounded.
  if (left === null || left > 999) return null;
  return `At this pace about ${left} more ${left === 1 ? 'iteration' : 'iterations'}.`;
}

/** For `status --json`. Time in milliseconds. */
export function budgetAsData(project: Project, name: string) {
  if (!hasBudget(project, name)) return null;
  try {
    const budget = readBudget(project, name);
    if (budget === null) return null;
    const { limits, spent, stage, holds } = budget;
    const left = Object.fromEntries(
      KINDS.map((kind) => {
        const limit = limits[kind];
        return [kind, limit === null ? null : Math.max(0, limit - spent[kind])];
      }),
    );
    return { stage, limits, spent, left, iterations: holds, iterationsLeft: iterationsLeft(budget) };
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

/** Why the run's budget made the answer another one; null: it did not. */
export function whyByBudget({ budget }: StopEntry): string | null {
  const recorded = readRecordedBudget(budget);
  if (recorded === null || recorded.result === 'goes-on') return null;
  const { limits, spent, due } = recorded.question;
  const kinds = spentOf(limits, spent, due === 'review' ? 'review' : 'hold');
  const said = kinds.map((kind) => spentInWords(kind, limits, spent)).join(', ');
  const how = said === '' ? '' : ` (${said})`;
  switch (recorded.result) {
    case 'last-hold':
      return `The run's budget is spent${how}, so in place of ${due === 'review' ? 'a review' : 'the hold'} that was due the agent was told to leave the work whole, to write down where it stands, and to stop. It was the last hold.`;
    case 'pause':
      return `The run's budget is spent${how} and the last hold was given, so the agent may stop. The run is paused until a person grants more with \`holdfast resume\`.`;
    case 'stays-paused':
      return `The run is paused: its budget is spent${how}. A person brings it back with \`holdfast resume\`.`;
  }
}

/** For a line of the log; null: it did not matter. */
export function budgetInShort({ budget }: StopEntry): string | null {
  switch (readRecordedBudget(budget)?.result) {
    case 'last-hold':
      return 'budget spent: the last hold';
    case 'pause':
    case 'stays-paused':
      return 'paused';
    default:
      return null;
  }
}

export function describeBudgetEvent({ what, limits }: BudgetEntry): string {
  const amounts = limitsInWords(limits);
  switch (what) {
    case 'set':
      return `it may spend ${amounts}`;
    case 'spent':
      return `what it may spend is spent (${amounts})`;
    case 'raised':
      return `more was granted: it may spend ${amounts} in all`;
  }
}
