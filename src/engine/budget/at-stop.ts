// A run's budget at one stop: metered, then asked whenever a hold or a review is due. Loaded where a run has one.

import { clientNamed } from '../../clients/index.ts';
import type { Json } from '../../store/json.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { render } from '../../text/render.ts';
import type { StopContext } from '../context.ts';
import { journalBudget } from '../stop/journal.ts';
import { type Answered, answered } from './changes.ts';
import grantedText from './messages/granted.md';
import lastHoldText from './messages/last-hold.md';
import pausedText from './messages/paused.md';
import uncountedText from './messages/uncounted.md';
import { meter, type ToMeter } from './meter.ts';
import { withDriven } from './of-driven.ts';
import { pinAtStop } from './pin.ts';
import { changeBudget, readBudget } from './record.ts';
import { howToResume } from './resume-line.ts';
import { type BudgetAnswer, budgetAt, spentOf } from './rule.ts';
import type { Budget, Due } from './types.ts';
import { limitsInWords, spentInWords } from './words.ts';

export type AskedBudget = {
  answer: BudgetAnswer;
  due: Due;
  /** For the journal: with this, the same answer is given again. */
  record: Json;
};

export type BudgetAtStop = {
  budget: Budget;
  /** For the user, before the first hold. */
  notice: string | null;
  ask(due: Due): AskedBudget;
  /** Writes down what was answered. Under the project's lock, before the answer. */
  settle(what: Answered): void;
  lastHold(due: Due): string;
  paused(): string;
};

/** The budget as it is whenever it is read: between two turns of a stop another hook may have had its own. */
export type MeteredBudget = { read(): BudgetAtStop };

type AboutStop = Omit<ToMeter, 'known' | 'isHeld'>;

/** 'none': there is nothing to pin. */
export async function meterBudget(
  name: string,
  what: AboutStop,
  context: StopContext,
): Promise<MeteredBudget | 'none'> {
  const own = await meterOwn(name, what, context);
  const { driven, project } = context;
  if (driven === undefined || driven === name) return own;
  const sidecar = readSidecar(project.root, driven);
  const around = await meterOwn(driven, { ...what, sidecar }, context);
  if (around === 'none') return own;
  return { read: () => withDriven(own === 'none' ? null : own.read(), around.read(), project.now) };
}

async function meterOwn(
  name: string,
  { sidecar, finished, report }: AboutStop,
  context: StopContext,
): Promise<MeteredBudget | 'none'> {
  const { project } = context;
  const known = readBudget(project, name);
  const pinned = known ?? pinAtStop(project, name, sidecar.budget);
  if (pinned === null) return 'none';
  const budget = await meter({ known: pinned, sidecar, finished, report, isHeld: true }, context);
  const uncounted = known === null || known.holds === 0 ? whatIsNotCounted(budget, context) : null;
  const notice = [uncounted, ...whatWasGranted(budget)].filter((line) => line !== null).join('\n') || null;
  return { read: () => ({ ...budgetAtStop(readBudget(project, name) ?? budget, context), notice }) };
}

function budgetAtStop(budget: Budget, context: StopContext): Omit<BudgetAtStop, 'notice'> {
  return {
    budget,
    ask: (due) => ask(budget, due),
    settle: (what) => settle(budget, what, context),
    lastHold: (due) => render(lastHoldText, { run: budget.run, spent: inWords(budget, due) }),
    paused: () => pausedNotice(budget, context.project.cli),
  };
}

function ask({ stage, limits, spent }: Budget, due: Due): AskedBudget {
  const question = { stage, limits, spent, due };
  const answer = budgetAt(question);
  return { answer, due, record: { ...question, result: answer } as Json };
}

function settle(budget: Budget, what: Answered, { project }: StopContext): void {
  // A paused run that stays so is left alone: its session's stops cost it no write.
  if (budget.stage === 'paused') return;
  changeBudget(project, budget.run, (there) =>
    there === null ? null : answered(withoutNamed(there, budget), what),
  );
  if (what.kind === 'last-hold') journalBudget(project, budget.run, 'spent', budget.limits);
}

/** What this stop's notice names is not named again. */
function withoutNamed(there: Budget, { granted: named = [] }: Budget): Budget {
  const { granted = [], ...budget } = there;
  const left = granted.filter(({ at, by }) => !named.some((each) => each.at === at && each.by === by));
  return left.length === 0 ? budget : { ...budget, granted: left };
}

function whatWasGranted({ run, granted = [] }: Budget): string[] {
  return granted.map(({ at, by, more }) =>
    render(grantedText, {
      ...{ run, amount: limitsInWords(more), who: by },
      time: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    }),
  );
}

function inWords({ limits, spent, stage, due: before }: Budget, due: Due): string {
  const kinds = spentOf(limits, spent, stage === 'open' ? due : before);
  return kinds.map((kind) => spentInWords(kind, limits, spent)).join(', ');
}

function pausedNotice(budget: Budget, cli: string): string {
  return render(pausedText, {
    run: budget.run,
    spent: inWords(budget, budget.due),
    resume: howToResume(budget, cli),
  });
}

function whatIsNotCounted({ limits, run }: Budget, { stop }: StopContext): string | null {
  const client = clientNamed(stop.client);
  if (limits.tokens === null || client.usage !== undefined) return null;
  return render(uncountedText, { client: client.title, run });
}
