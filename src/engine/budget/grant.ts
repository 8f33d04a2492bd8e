// A person grants a run more, in a terminal or through the driver: what is there grows, and a paused run is held again
// at the next stop of its session.

import type { BudgetLimits } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { journalBudget } from '../stop/journal.ts';
import { NotNow } from '../workflow-cli.ts';
import { raised, stillSpent, withMoney } from './changes.ts';
import { type Grantor, inWords, refuseAgents } from './grant-wall.ts';
import { changeBudget, readBudget } from './record.ts';
import { KINDS } from './rule.ts';
import type { Budget } from './types.ts';
import { amountInWords, flagFor, spentInWords } from './words.ts';

/** `over`: where it stands, where that is its end; null: it goes on. */
export type ToGrant = { name: string; over: string | null };

/**
 * Refused, with nothing changed, where it need not be a person, and where it would not do: nobody should come back to a
 * run that still stands. What is granted is named in the next notice, whoever it was.
 */
export function grantMore(
  project: Project,
  { name, over }: ToGrant,
  more: BudgetLimits,
  grantor: Grantor,
): Budget {
  const { now } = project;
  refuseAgents(project, name, grantor);
  if (over !== null)
    throw new NotNow(`${name} is over (${over}), so there is nothing to grant. Nothing was changed.`);
  const granted = changeBudget(project, name, (known) => {
    if (known === null) throw new NotNow(`${name} has no budget, so there is nothing to add to.`);
    refuseUnbounded(known, more);
    const next = raised(known, more, now);
    refuseTooLittle(known, next);
    return { ...next, granted: [...(known.granted ?? []), { at: now, by: inWords(grantor), more }] };
  });
  if (granted === null) throw new NotNow(`${name} has no budget, so there is nothing to add to.`);
  journalBudget(project, name, 'raised', granted.limits);
  return granted;
}

function refuseUnbounded({ run, limits }: Budget, more: BudgetLimits): void {
  for (const kind of KINDS) {
    if (more[kind] === null || limits[kind] !== null) continue;
    const [flag] = flagFor(kind).split(' ');
    throw new NotNow(`${run} has no limit that ${flag} could add to. \`holdfast status\` shows what it has.`);
  }
}

function refuseTooLittle(known: Budget, next: Budget): void {
  if (known.stage === 'open') return;
  const left = stillSpent(next);
  if (left.length === 0) return;
  const { limits, spent } = known;
  const missing = left.map((kind) => {
    const short = spent[kind] - (limits[kind] ?? 0);
    const [flag] = flagFor(kind).split(' ');
    return `${spentInWords(kind, limits, spent)} are spent, so ${flag} has to add more than ${amountInWords(kind, short)}`;
  });
  throw new NotNow(`that would not bring ${known.run} back: ${missing.join('; ')}. Nothing was changed.`);
}

/**
 * For `holdfast run`: what the client says that a session of it has cost up to now. It reports totals, so only what
 * came on top counts. True: the run's money is spent, though a stop has not said so yet.
 */
export function reportMoney(project: Project, name: string, session: string, totalUsd: number): boolean {
  if (readBudget(project, name) === null) return false;
  const next = changeBudget(project, name, (known) => known && withMoney(known, session, totalUsd));
  return next !== null && next.limits.usd !== null && next.spent.usd >= next.limits.usd;
}
