// `holdfast run`: the outer loop. Starts a client without anybody at its terminal, keeps the run going until it is over,
// and says honestly how it ended.

import { clients } from '../clients/index.ts';
import { BUDGET_OPTIONS, USD_OPTION } from '../engine/budget/at-start.ts';
import { STOPS_AT } from '../engine/driven.ts';
import type { Call, Command, ExitCode } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';

const drivable = inWords(clients.flatMap(({ headless }) => headless?.program ?? []));

export const run: Command = {
  name: 'run',
  summary: 'drive a run while you are away: start the client, keep it going',
  usage: '[options] <workflow> … [-- <words for the client>], or: run --continue [run] [options]',
  help: `  holdfast run [options] idle loop|issue|grind …     holdfast run [options] claudex plan|review …
  holdfast run [options] taskie "<what to build>"      holdfast run [options] flow start <name> [task]
  holdfast run --continue [run]      after ^C, a crash, a reboot, a question, a spent budget

The client
  --client NAME          which one: ${drivable}; without it the one that is installed, or that your
                         config or your last run names
  --model NAME           the model it uses
  --access edit|full     edit (default): it may edit the project, run Holdfast, your trusted checks, and of git
                         add, commit and what only reads. full: anything you may do; say it only where that is what you want
  -- <words>             given to the client as they are
The run
  --fresh                a new session for each iteration; not with claudex
  --worktree [BRANCH]    in a new git work tree beside the repository, on a branch of its own; never removed by us
  --unattended           questions are refused: the agent decides, and writes down what it assumed
  --persist N            new sessions to try when the agent was let go without progress (default 1)
  --stop-at ${STOPS_AT.join('|')}  taskie: stop when the plan, the tasks or one task has passed its reviews
  --tokens 2M --hours 4 --reviews 12 --usd 10
                         what it may spend; then it is paused, and you grant more with --continue and the same flags
Going on
  --answer TEXT          the answer to the question it waits for
What it says
  --json                 one JSON object per line

^C once ends the client gently and prints the command that goes on; twice ends everything at once.
Exit codes: 0 completed, 1 could not start, 2 wrong usage, 3 our own bug, 4 completed but unproven, 5 unfinished, 6 needs
a person, 7 budget spent.`,
  options: {
    client: { type: 'string' },
    model: { type: 'string' },
    access: { type: 'string' },
    fresh: { type: 'boolean' },
    worktree: { type: 'string' },
    unattended: { type: 'boolean' },
    persist: { type: 'string' },
    'stop-at': { type: 'string' },
    continue: { type: 'boolean' },
    answer: { type: 'string' },
    json: { type: 'boolean' },
    ...BUDGET_OPTIONS,
    ...USD_OPTION,
  },
  writes: true,
  arrange,
  passesOn: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: runUnattended,
};

/**
 * `--worktree` may have its branch right after it. Behind a workflow's name a word is a branch only where nothing but
 * options follows: else it is the task's.
 */
function arrange(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--worktree');
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  if (at === -1 || at >= end) return args;
  const names: readonly string[] = registry.map(({ name }) => name);
  const workflowAt = args.findIndex((word) => names.includes(word));
  const next = at + 1 === end ? undefined : args[at + 1];
  const after = at + 2 === end ? undefined : args[at + 2];
  const isBefore = workflowAt === -1 || at < workflowAt;
  const isBranch =
    next !== undefined &&
    !/^-|\s/.test(next) &&
    at + 1 !== workflowAt &&
    (isBefore || after === undefined || after.startsWith('-'));
  return [...args.slice(0, at), `--worktree=${isBranch ? next : ''}`, ...args.slice(at + (isBranch ? 2 : 1))];
}

async function runUnattended(call: Call): Promise<ExitCode> {
  const { begin } = await import('./run/begin.ts');
  const { goOn } = await import('./run/go-on.ts');
  return call.flags.continue ? goOn(call) : begin(call);
}

function inWords(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].join(' or ');
}
