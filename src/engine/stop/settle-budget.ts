// What an answer means for the run's budget: a hold that counts, a review that was asked for, a clock that stands still.

import type { Answer } from '../../clients/stop.ts';
import type { AskedBudget } from '../budget/at-stop.ts';
import type { Answered, CountedReview } from '../budget/changes.ts';
import type { Due, Still } from '../budget/types.ts';
import { endOfWait } from '../waiting/clock.ts';
import type { AnyStep, Decided } from './answer-run.ts';

/** What the answer means for the budget; nothing where the run has none. */
export function settling(
  decided: Decided,
  step: AnyStep,
  answer: Answer,
  spent: AskedBudget | null,
): { settle?: () => void } {
  const { budget } = decided;
  if (budget === null) return {};
  const what = whatWasAnswered(decided, step, answer, spent);
  return { settle: () => budget.settle(what) };
}

function whatWasAnswered(
  decided: Decided,
  step: AnyStep,
  answer: Answer,
  spent: AskedBudget | null,
): Answered {
  const { now } = decided.context.project;
  if (answer.kind === 'allow')
    return spent?.answer === 'pause'
      ? { kind: 'paused', now }
      : { kind: 'allowed', still: stillAt(decided, now) };
  if (spent?.answer === 'last-hold') return { kind: 'last-hold', due: spent.due };
  return { kind: 'held', review: dueAt(decided, step) === 'review' ? reviewAskedFor(decided) : null };
}

/** Once for the state in which it is asked for: a hook that died asks for the same one again. */
function reviewAskedFor({ seen }: Decided): CountedReview {
  return { key: `asked ${seen.stateHash}`, counts: true, tokens: 0, cacheRead: 0, usd: 0 };
}

/** Until the run's wait is over, or, where it waits for nothing, until its session's next stop. */
function stillAt({ wait }: Decided, now: number): Still {
  if (wait.answer.kind !== 'waits') return { for: 'limit', since: now, until: null };
  const { waiting } = wait.answer;
  const { for: what, reviewer } = waiting;
  return {
    for: what,
    since: now,
    until: endOfWait(waiting),
    ...(reviewer === undefined ? {} : { reviewer }),
  };
}

/** A review that the engine runs, or one that the agent is asked to have run. */
export function dueAt({ workflow }: Decided, step: AnyStep): Due {
  if (step.kind === 'review') return 'review';
  const asks = step.kind === 'hold' && step.change !== null && workflow.asksForReview?.(step.change);
  return asks ? 'review' : 'hold';
}
