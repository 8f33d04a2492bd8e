// `holdfast resume`: a person grants a run more than its budget, and one that was paused goes on at its session's next
// stop. Agents cannot: it is the one thing that a budget is there for.

import { parseArgs } from 'node:util';
import {
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  budgetFlags,
  isBudgetAsked,
  USD_OPTION,
} from '../engine/budget/at-start.ts';
import { grantMore } from '../engine/budget/grant.ts';
import { isPaused } from '../engine/budget/paused.ts';
import { hasBudget } from '../engine/budget/place.ts';
import { limitsInWords } from '../engine/budget/words.ts';
import type { Project } from '../engine/project.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { shownWord } from '../text/quoted.ts';
import { allRuns, type KnownRun, pickRun, refuseUnused, whyOver } from '../view/runs.ts';

const options = { ...BUDGET_OPTIONS, ...USD_OPTION } as const;
const usage = `[run] ${BUDGET_USAGE} [--usd N]`;

export const resume: Command = {
  name: 'resume',
  summary: 'grant a run more than its budget; one that is paused goes on',
  usage,
  help: `For people, in a terminal of their own: an agent cannot grant itself more. What is given is added; what was spent
stays spent. Without a name it is the one paused run of the project. The run is held again at the next stop of its
session; \`holdfast adopt\` gives it to another one. (A run that was let go or went stale has no spent budget: for such
a one see \`holdfast adopt\`, and the commands of its workflow.)`,
  options,
  writes: true,
  words: { least: 0, most: 60 },
  run: resumeRun,
};

async function resumeRun(call: Call): Promise<ExitCode> {
  const { named, flags } = namedFirst(call);
  const more = budgetFlags(flags, 'resume');
  if (!isBudgetAsked(more))
    throw new WrongUsage(
      `resume: say how much more it may spend: holdfast resume ${usage}. (A run that was let go or went stale has no spent budget: see the commands of its workflow.)`,
    );
  const project = await call.existing();
  if (project === null) throw new NotNow('there are no runs here, so there is nothing to resume.');
  const run = await whichRun(project, named);
  const wasPaused = isPaused(project, run.name);
  const over = whyOver(run, project);
  const { limits } = grantMore(project, { name: run.name, over }, more, {
    ...{ env: call.env, command: 'resume' },
  });
  const inAll = `${run.name} may now spend ${limitsInWords(limits)} in all.`;
  call.print(wasPaused ? `${inAll} ${whatComesNext(run)}` : inAll);
  return 0;
}

function whatComesNext({ sidecar, name }: KnownRun): string {
  const [session] = sidecar.sessions;
  return session === undefined
    ? `It is nobody's: \`holdfast adopt ${shownWord(name)}\` gives it to the next session here.`
    : `It goes on at the next stop of session ${session}: type something there, or \`holdfast adopt ${shownWord(name)}\` to go on in another one.`;
}

async function whichRun(project: Project, named: string | null): Promise<KnownRun> {
  const runs = await allRuns(project);
  if (named !== null) {
    await refuseUnused(project, named);
    return pickRun(runs, named);
  }
  const paused = runs.filter(({ name }) => isPaused(project, name));
  const budgeted = runs.filter(({ name, live }) => live && hasBudget(project, name));
  const [first, ...others] = paused.length > 0 ? paused : budgeted;
  if (first === undefined) throw new NotNow('no run here has a budget, so there is nothing to add to.');
  if (others.length > 0)
    throw new NotNow(
      `several runs have a budget here: ${[first, ...others].map(({ name }) => name).join(', ')}. Name one.`,
    );
  return first;
}

/** The run's name may come before the flags or after them. */
function namedFirst({ words, flags }: Call): { named: string | null; flags: Call['flags'] } {
  const [named, ...rest] = words;
  if (rest.length === 0) return { named: named ?? null, flags };
  return { named: named ?? null, flags: { ...flags, ...parseFlags(rest) } };
}

function parseFlags(words: readonly string[]): Call['flags'] {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values;
  } catch {
    throw new WrongUsage(`resume: cannot read "${words.join(' ')}". Usage: holdfast resume ${usage}`);
  }
}
