// The flags about a budget at a start, and what a start does with them: it writes the budget down where no agent can
// change it, or, in a sandbox that does not let it, notes it for the first stop.

import { isInsideClient } from '../../clients/index.ts';
import { ALLOWED, type Amount, HOUR_MS, parseAmount } from '../../config/amount.ts';
import type { BudgetLimits, BudgetNotes } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { shownWord } from '../../text/quoted.ts';
import type { Project } from '../project.ts';
import { type Call, NotNow, WrongUsage } from '../workflow-cli.ts';
import { hasBudget } from './place.ts';
import { KINDS, type Kind } from './rule.ts';
import { amountInWords, limitsInWords } from './words.ts';

export const BUDGET_OPTIONS = {
  tokens: { type: 'string' },
  hours: { type: 'string' },
  reviews: { type: 'string' },
} as const;

/** For whoever drives the client, and so learns what it costs. */
export const USD_OPTION = { usd: { type: 'string' } } as const;

export const BUDGET_USAGE = '[--tokens N] [--hours N] [--reviews N]';

export const BUDGET_HELP =
  '--tokens 2M, --hours 4, --reviews 12: what the run may spend; then it is paused until you grant more with `holdfast resume`.';

const FLAGS: Readonly<Record<Kind, Amount>> = {
  tokens: 'tokens',
  timeMs: 'hours',
  reviews: 'reviews',
  usd: 'usd',
};

/** What the flags say; refused, with what is allowed, where they say nothing that can be understood. */
export function budgetFlags(flags: Call['flags'], command: string): BudgetLimits {
  const read = (kind: Kind): number | null => {
    const flag = FLAGS[kind];
    const given = flags[flag];
    if (given === undefined) return null;
    const amount = typeof given === 'string' ? parseAmount(flag, given) : null;
    if (amount === null)
      throw new WrongUsage(`${command}: --${flag} takes ${ALLOWED[flag]}, not "${String(given)}".`);
    return kind === 'timeMs' ? Math.round(amount * HOUR_MS) : amount;
  };
  return { tokens: read('tokens'), timeMs: read('timeMs'), reviews: read('reviews'), usd: read('usd') };
}

export function isBudgetAsked(limits: BudgetLimits): boolean {
  return KINDS.some((kind) => limits[kind] !== null);
}

export type BudgetAtStart = { notes: BudgetNotes; lines: readonly string[] };

/** Null: the run may spend what it likes. In an agent's shell a flag may only lower what the settings allow. */
export function budgetAtStart(project: Project, asked: BudgetLimits): BudgetAtStart | null {
  const { config, env, now } = project;
  refuseBrokenBudget(project);
  const limits = { ...asked };
  for (const kind of KINDS) {
    const [wanted, most] = [asked[kind], config.budget?.[kind] ?? null];
    limits[kind] = wanted ?? most;
    if (wanted === null || most === null || wanted <= most || !isInsideClient(env)) continue;
    throw new NotNow(
      `--${FLAGS[kind]}: ${amountInWords(kind, wanted)} is more than budget.${FLAGS[kind]} allows (${amountInWords(kind, most)}), and a start inside an agent's session may only lower that. A person grants more afterwards, with \`holdfast resume\` in a terminal.`,
    );
  }
  if (!isBudgetAsked(limits)) return null;
  return {
    notes: { limits, startedAt: now },
    lines: [
      `It may spend ${limitsInWords(limits)}; then it is paused, and a person decides whether it goes on.`,
    ],
  };
}

/** A mistake in the user's own limits must not mean that there are none. */
export function refuseBrokenBudget({ config }: Pick<Project, 'config'>): void {
  if (config.brokenBudget === null) return;
  throw new NotNow(
    `nothing is started before your budget can be read; put this right: ${config.brokenBudget}`,
  );
}

/** A run that has one keeps it. Refused before anything is written. */
export function refuseSecondBudget(project: Project, name: string, asked: BudgetLimits): void {
  if (!isBudgetAsked(asked) || !hasBudget(project, name)) return;
  throw new NotNow(
    `${name} has its budget already, and no start changes it. \`holdfast status\` shows it; a person grants more with \`holdfast resume ${shownWord(name)}\` in a terminal.`,
  );
}

/** A budget is for a whole run, and this start would only add to one. */
export function refuseNestedBudget(name: string, asked: BudgetLimits, howToEnd: string): void {
  if (!isBudgetAsked(asked)) return;
  throw new NotNow(
    `--tokens, --hours and --reviews are for a whole run, and this loop would be nested in ${name}. Leave them out, or end that one first: \`${howToEnd}\`.`,
  );
}

/** Under the lock, after the run was claimed and before its state is there. */
export async function writeBudget(project: Project, name: string, { notes }: BudgetAtStart): Promise<void> {
  const { root } = project;
  writeSidecar(root, { ...readSidecar(root, name), budget: notes });
  const { pinBudget } = await import('./pin.ts');
  try {
    pinBudget(project, name, notes);
  } catch {
    // In a client's sandbox the user's folder may be read-only: the first stop pins it.
  }
}

/** Where it is known to be paused, a start in it or beside it is of no use. */
export async function refusePaused(project: Project, name: string): Promise<void> {
  const trouble = await whyPaused(project, name);
  if (trouble !== null) throw new NotNow(trouble);
}

/** Null: it is not paused. */
export async function whyPaused(project: Project, name: string): Promise<string | null> {
  if (!hasBudget(project, name)) return null;
  const [{ readBudget }, { howToResume }] = await Promise.all([
    import('./record.ts'),
    import('./resume-line.ts'),
  ]);
  const budget = readBudget(project, name);
  if (budget?.stage !== 'paused') return null;
  return `${name} is paused: its budget is spent. A person grants more in a terminal: \`${howToResume(budget, project.cli)}\``;
}
