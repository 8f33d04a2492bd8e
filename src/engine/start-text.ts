// What every start says of itself, whichever workflow it is of: the task as it was understood, and its bounds. In a plain
// terminal it is a person who reads that, and a run that waits for their next session; so the text is for them.

import { clients, isInsideClient } from '../clients/index.ts';
import { isOnPath } from '../store/on-path.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { shownWord } from '../text/quoted.ts';
import type { BudgetAtStart } from './budget/at-start.ts';
import { limitsInWords } from './budget/words.ts';
import type { Project } from './project.ts';
import type { ProofAtStart } from './proof/at-start.ts';
import { readDefinitions } from './proof/required.ts';
import type { Call } from './workflow-cli.ts';

export type StartedRun = {
  name: string;
  /** Null: the workflow asks for none. */
  task: string | null;
  /** `10 iterations`. */
  most: string;
  budget: BudgetAtStart | null;
  /** Null: nothing was noted about checks. Left out: its workflow runs none. */
  proof?: ProofAtStart | null;
  /** It is nested in a run with a budget and checks of its own. */
  nested?: boolean;
};

/** No agent reads what a start prints here. */
export function isForPerson({ env, forAgent }: Pick<Call, 'env' | 'forAgent'>): boolean {
  return forAgent !== true && !isInsideClient(env);
}

/** `Bounds: 10 iterations, no budget, check test.`, and what was taken as an option where it may have been meant as text. */
export function boundsLine(started: StartedRun, { amongWords = [] }: Pick<Call, 'amongWords'>): string {
  return [`Bounds: ${boundsOf(started)}.`, ...amongLine(amongWords)].join(' ');
}

export function armedText(started: StartedRun, project: Project, call: Call): string {
  const { name, task } = started;
  const { cli, env } = project;
  const run = shownWord(name);
  const programs = clients.flatMap(({ install }) =>
    install !== undefined && isOnPath(install.program, env) ? install.program : [],
  );
  const rows = [
    ...(task === null ? [] : [['Task', inOneParagraph(task, 300)]]),
    ['Bounds', boundsOf(started)],
    [
      'Start it now',
      programs.length === 0 ? 'your coding client, in this folder' : programs.join('   or   '),
    ],
    ['Or have it driven', `${cli} run --continue ${run}`],
    ['Undo', `${cli} cancel ${run}`],
  ];
  const width = Math.max(...rows.map(([title = '']) => title.length));
  return [
    `Armed for the next session here, for ten minutes: ${name}`,
    ...rows.map(([title = '', text = '']) => `  ${title.padEnd(width)}  ${text}`),
    ...amongLine(call.amongWords ?? []),
  ].join('\n');
}

function boundsOf({ most, budget, proof, nested = false }: StartedRun): string {
  const checks =
    proof == null || proof.notes.asked.off ? [] : [...readDefinitions(proof.notes.definitions).keys()];
  const named =
    checks.length === 0 ? 'no checks' : `${checks.length === 1 ? 'check' : 'checks'} ${checks.join(', ')}`;
  return [
    most,
    nested
      ? 'budget and checks of the run around it'
      : budget === null
        ? 'no budget'
        : limitsInWords(budget.notes.limits),
    ...(proof === undefined || nested ? [] : [named]),
  ].join(', ');
}

function amongLine(options: readonly string[]): string[] {
  if (options.length === 0) return [];
  return [
    `Taken as ${options.length === 1 ? 'an option' : 'options'}, not as part of the task: ${options.join(', ')}. To keep it in the task, quote the task or put -- before it.`,
  ];
}
