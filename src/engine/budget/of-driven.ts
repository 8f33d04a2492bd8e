// A run beside the one that is driven, in its session: whatever holds the agent there is bounded by what the driven run
// may spend, and counted there too, so that starting another run is no way around it.

import type { AskedBudget, BudgetAtStop } from './at-stop.ts';
import type { Answered } from './changes.ts';

/** `own`: of the run that is served; null: it has none. `driven`: of the one that is driven, which is asked first. */
export function withDriven(own: BudgetAtStop | null, driven: BudgetAtStop, now: number): BudgetAtStop {
  if (own === null) return driven;
  let decider = own;
  return {
    budget: driven.budget.stage === 'paused' ? driven.budget : own.budget,
    notice: [driven.notice, own.notice].filter((line) => line !== null).join('\n') || null,
    ask(due): AskedBudget {
      const asked = driven.ask(due);
      decider = asked.answer === 'goes-on' ? own : driven;
      return decider === driven ? asked : own.ask(due);
    },
    settle(what) {
      for (const each of [own, driven]) each.settle(each === decider ? what : asSeenBeside(what, now));
    },
    lastHold: (due) => decider.lastHold(due),
    paused: () => decider.paused(),
  };
}

/** What the other one's last hold or pause is for this one: a hold, and a stop that was allowed. */
function asSeenBeside(what: Answered, now: number): Answered {
  switch (what.kind) {
    case 'held':
    case 'allowed':
      return what;
    case 'last-hold':
      return { kind: 'held', review: null };
    case 'paused':
      return { kind: 'allowed', still: { for: 'limit', since: now, until: null } };
  }
}
