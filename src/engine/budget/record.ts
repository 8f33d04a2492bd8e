// A run's budget in the user's state folder, where neither a cloned repository nor a sandboxed agent can write.

import { Refused } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import {
  type Check,
  hasShape,
  isAmount,
  isCount,
  isDate,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isTableOf,
  isText,
  isTime,
  orNull,
} from '../../store/shape.ts';
import { changeUserRecord, readUserRecord, userStateFolder } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { budgetPlace, hasBudget } from './place.ts';
import type {
  Budget,
  Clock,
  FilePlace,
  Grant,
  Limits,
  Meter,
  Pause,
  SeenMessage,
  Spent,
  Still,
  Used,
} from './types.ts';

export type Place = Pick<Project, 'root' | 'env'>;

/** Null: the run has none. One that cannot be read is never taken for none: it would begin again at nothing. */
export function readBudget({ root, env }: Place, name: string): Budget | null {
  const place = budgetPlace(root, name);
  const known = readUserRecord(env, place, isBudget);
  if (known !== null) return ofRun(known, root, name);
  if (!hasBudget({ root, env }, name)) return null;
  throw unreadable(env, place, name);
}

/** What `change` makes of it, as it was written. Null: there is none, and none was made. */
export function changeBudget(
  { root, env }: Place,
  name: string,
  change: (known: Budget | null) => Budget | null,
): Budget | null {
  const place = budgetPlace(root, name);
  let kept: Budget | null = null;
  changeUserRecord(env, place, isBudget, (there) => {
    if (there === null && hasBudget({ root, env }, name)) throw unreadable(env, place, name);
    kept = change(there === null ? null : ofRun(there, root, name));
    return kept;
  });
  return kept;
}

function unreadable(env: Project['env'], place: string, name: string): Refused {
  const file = below(userStateFolder(env), place);
  return new Refused(
    `${file} is not readable as the budget of ${name}; put it right, or remove it: then the run is counted again with the limits that its start noted, tokens and hours since its start, reviews and dollars from 0`,
    { file },
  );
}

/** A copy under another run's name is nobody's budget. */
function ofRun(budget: Budget, root: string, name: string): Budget {
  if (budget.run === name && budget.root === root) return budget;
  throw new Refused(
    `the budget of ${name} in your state folder is a copy of that of ${budget.run}; remove it`,
  );
}

const isLimits = hasShape<Limits>({
  tokens: orNull(isCount),
  timeMs: orNull(isCount),
  reviews: orNull(isCount),
  usd: orNull(isAmount),
});

const isSpent = hasShape<Spent>({
  tokens: isCount,
  cacheRead: isCount,
  timeMs: isCount,
  reviews: isCount,
  usd: isAmount,
});

const isUsed = hasShape<Used>({ tokens: isCount, cacheRead: isCount });

const isStill = hasShape<Still>({
  for: isOneOf('work', 'person', 'limit'),
  since: isTime,
  until: orNull(isTime),
  reviewer: orLeftOut(isText),
});

/** What an older version wrote has none of it. */
function orLeftOut<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

const isClock = hasShape<Clock>({
  at: isTime,
  still: orNull(isStill),
  wakes: orLeftOut(isOneOf(true)),
  marks: orLeftOut(isListOf(hasShape({ at: isTime, kind: isOneOf('begins', 'ends') }))),
  from: orLeftOut(
    hasShape<NonNullable<Clock['from']>>({
      ...{ client: isText, session: orNull(isText), turn: orNull(isText), transcript: orNull(isText) },
    }),
  ),
  byStops: orLeftOut(isOneOf(true)),
});

const isFilePlace = hasShape<FilePlace>({
  inode: isNumber,
  offset: isCount,
  at: isTime,
  total: orNull(isUsed),
});

const isMeter = hasShape<Meter>({
  session: orNull(isText),
  since: isTime,
  isHeld: isFlag,
  pauses: isListOf(hasShape<Pause>({ from: isTime, to: isTime })),
  files: isTableOf(isFilePlace),
  seen: isListOf(hasShape<SeenMessage>({ id: isText, tokens: isCount, cacheRead: isCount })),
});

const isGrant = hasShape<Grant>({ at: isDate, by: isText, more: isLimits });

export const isBudget: Check<Budget> = hasShape<Budget>({
  schema: isOneOf(1),
  run: isText,
  root: isText,
  startedAt: isTime,
  limits: isLimits,
  spent: isSpent,
  stage: isOneOf('open', 'last-hold', 'paused'),
  due: isOneOf('hold', 'review'),
  pausedAt: orNull(isTime),
  holds: isCount,
  clock: isClock,
  meter: isMeter,
  reviewed: isListOf(isText),
  money: isTableOf(isAmount),
  granted: (value): value is readonly Grant[] | undefined => value === undefined || isListOf(isGrant)(value),
});
