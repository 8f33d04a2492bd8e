// `holdfast status`: every run of the project, where it stands and whose it is. Reads only.

import { sessionsOf } from '../clients/index.ts';
import { accountsOf, describeAccounts } from '../engine/docket/accounts.ts';
import { describeFinding } from '../engine/docket/words.ts';
import type { Project } from '../engine/project.ts';
import { waitingNow } from '../engine/waiting/clock.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import { type Call, type Command, type ExitCode, WrongUsage } from '../engine/workflow-cli.ts';
import type { Waiting } from '../store/records.ts';
import { waitingRuns } from '../store/tickets.ts';
import type { Trouble } from '../store/trouble.ts';
import { shownWord } from '../text/quoted.ts';
import { budgetAsData, describeBudget } from '../view/describe-budget.ts';
import { describeWait } from '../view/describe-waiting.ts';
import { docketOf } from '../view/docket.ts';
import { describeRunProof, proofOfRun } from '../view/run-proof.ts';
import { allRuns, type KnownRun, ofWorkflow, pickRun, unusedBeside, wordOrFlag } from '../view/runs.ts';
import { hiddenRuns, troublesIn } from '../view/troubles.ts';
import { bold, dim, green, red, yellow } from './paint.ts';

export const status: Command = {
  name: 'status',
  summary: 'the runs of this project, where each stands and whose it is',
  usage: '[RUN] [--all] [--json] | --line',
  help: `Finished runs are only counted; --all lists them too.
--line prints one short line for a status line, a prompt or tmux, and nothing when nothing runs.`,
  options: {
    all: { type: 'boolean', short: 'a' },
    json: { type: 'boolean' },
    line: { type: 'boolean' },
    run: { type: 'string' },
  },
  writes: false,
  words: { least: 0, most: 1 },
  run: (call) => {
    // The one form that is used is answered by a file of its own (view/line/main.ts).
    if (call.flags.line) throw new WrongUsage('status: --line stands alone: `holdfast status --line`.');
    return showStatus(call, null);
  },
};

/** The same for the runs of one workflow: `holdfast <workflow> status`. */
export function statusOf({ name }: RegistryEntry): Command {
  return {
    ...status,
    summary: `the runs of ${name} in this project, where each stands and whose it is`,
    usage: '[RUN] [--all] [--json]',
    help: 'Finished runs are only counted; --all lists them too.',
    options: { all: { type: 'boolean', short: 'a' }, json: { type: 'boolean' }, run: { type: 'string' } },
    run: (call) => showStatus(call, name),
  };
}

/** `workflow`: whose runs are shown; null: all workflows'. */
async function showStatus(call: Call, workflow: string | null): Promise<ExitCode> {
  const project = await call.existing();
  const all = project === null ? [] : ofWorkflow(await allRuns(project), workflow);
  const named = wordOrFlag(call);
  const runs = named === undefined ? all : [pickRun(all, named)];
  const troubles = await troublesHere(call, project, runs);
  const unused = (await unusedBeside(troubles, project)).filter(
    ({ name }) => workflow === null || name.startsWith(`${workflow}:`),
  );
  const viewer: Viewer = {
    sessions: sessionsOf(call.env),
    tickets: project === null ? [] : waitingRuns(project.root, project.now, project.env),
  };
  if (call.flags.json) {
    call.print(
      JSON.stringify(
        {
          root: project?.root ?? null,
          runs: runs.map((run) => asData(run, viewer, project)),
          troubles,
          unused,
        },
        null,
        2,
      ),
    );
    return 0;
  }
  for (const { what, fix } of troubles) call.print(`${red('!')} ${what}; to fix it, ${fix}`);
  for (const { name, why, fix } of unused)
    call.print(`${yellow('!')} ${bold(name)}  not used: ${why}; ${fix}`);
  if (project === null || runs.length === 0) {
    // Where something cannot be read, nobody knows that there are none.
    if (troubles.length === 0)
      call.print(
        workflow === null
          ? 'No runs here. Start one with a workflow: `holdfast help` lists them.'
          : `No runs of ${workflow} here. \`holdfast ${workflow} help\` lists how to start one.`,
      );
    return 0;
  }
  const shown =
    call.flags.all || named !== undefined
      ? runs
      : runs.filter((run) => run.live || run.stateTrouble !== null);
  for (const run of shown) call.print(describe(run, viewer, project));
  const hidden = runs.length - shown.length;
  // A stale one is not at its end, and can be gone on with.
  const stale = runs.some(({ live, stage }) => !live && /\bstale\b/.test(stage));
  const again = workflow === null ? 'holdfast status' : `holdfast ${workflow} status`;
  if (hidden > 0)
    call.print(
      dim(`${hidden} ${stale ? 'finished or stale' : 'finished'}; \`${again} --all\` lists them too.`),
    );
  return 0;
}

async function troublesHere(
  call: Call,
  project: Project | null,
  runs: readonly KnownRun[],
): Promise<readonly Trouble[]> {
  if (project === null) return [hiddenRuns(call) ?? []].flat();
  const said = new Set(runs.flatMap((run) => [run.stateTrouble?.what, run.notesTrouble?.what]));
  return (await troublesIn(project)).filter(({ what }) => !said.has(what));
}

type Viewer = {
  /** Of the agent that asks; none in a plain terminal. */
  sessions: readonly string[];
  /** Runs started in a terminal that the next session here gets. */
  tickets: readonly string[];
};

function describe(run: KnownRun, viewer: Viewer, project: Project): string {
  if (run.stateTrouble !== null)
    return `${red('?')} ${bold(run.name)}  its state cannot be read: ${run.stateTrouble.what}; to fix it, ${run.stateTrouble.fix}`;
  const proof = proofOfRun(project, run);
  const checks = proof === null ? '' : `  ${describeRunProof(proof)}`;
  const line = `${run.live ? green('●') : dim('○')} ${bold(run.name)}  ${run.stage}${checks}  ${dim(ownerOf(run, viewer))}`;
  const more = [run.live ? describeWait(run, project) : null, describeBudget(project, run.name)]
    .filter((each) => each !== null)
    .map((each) => `  ${each}`);
  return [line, ...more, ...findingsOf(run, project)].join('\n');
}

/** Counted; and those that a person has to judge. */
function findingsOf(run: KnownRun, project: Project): string[] {
  const found = docketOf(project, run);
  if (found instanceof Error) return [`  ${yellow('!')} its findings cannot be read: ${found.message}`];
  if (found === null) return [];
  const accounts = accountsOf(found.docket);
  return [
    `  findings  ${describeAccounts(accounts)}  ${dim(`\`holdfast findings ${shownWord(run.name)}\``)}`,
    ...accounts.contested
      .slice(0, MOST_CONTESTED)
      .map((entry) => `  ${yellow('contested')}  ${describeFinding(entry, 160)}`),
  ];
}

const MOST_CONTESTED = 5;

function accountsAsData(run: KnownRun, project: Project | null) {
  const found = project === null ? null : docketOf(project, run);
  if (found === null || found instanceof Error) return null;
  const { contested, ...counts } = accountsOf(found.docket);
  return { ...counts, contested: contested.map(({ id }) => id) };
}

/** What a live run waits for now. */
function waitOf({ live, sidecar }: KnownRun, { now }: Project): Waiting | null {
  return live ? waitingNow(sidecar, now) : null;
}

function ownerOf({ sidecar, live, notesTrouble }: KnownRun, { sessions, tickets }: Viewer): string {
  if (notesTrouble !== null)
    return `whose it is cannot be read: ${notesTrouble.what}; to fix it, ${notesTrouble.fix}`;
  if (sidecar.sessions.length === 0) {
    if (!live) return '';
    if (tickets.includes(sidecar.run)) return 'holds the next session here';
    const whose = sessions.length === 0 ? 'gives it to the next session here' : "makes it this session's";
    return `nobody's; \`holdfast adopt ${shownWord(sidecar.run)}\` ${whose}`;
  }
  if (sidecar.sessions.some((id) => sessions.includes(id))) return "this session's";
  const released = Object.values(sidecar.guard).some((memory) => memory.released);
  return `session ${sidecar.sessions[0]}${released ? ', let go: no progress' : ''}`;
}

function asData(run: KnownRun, { sessions, tickets }: Viewer, project: Project | null) {
  const { name, stage, live, detail, sidecar, stateTrouble, notesTrouble } = run;
  const mine = sidecar.sessions.some((id) => sessions.includes(id));
  // The one under way; what is done is in the run's own files.
  const attempt = sidecar.attempts.find(({ status }) => status !== 'done') ?? null;
  return {
    run: name,
    live,
    stage,
    sessions: sidecar.sessions,
    mine,
    ticket: tickets.includes(name),
    waiting: project === null ? null : waitAsData(waitOf(run, project)),
    attempt,
    proof: project === null ? null : proofOfRun(project, run),
    budget: project === null ? null : budgetAsData(project, name),
    findings: accountsAsData(run, project),
    detail,
    stateTrouble,
    notesTrouble,
  };
}

/** Times in milliseconds; what the hook needs beside them stays in the run's notes. */
function waitAsData(waiting: Waiting | null) {
  if (waiting === null) return null;
  const { for: what, since, until, reviewer } = waiting;
  return { for: what, since, until, what: waiting.what, ...(reviewer === undefined ? {} : { reviewer }) };
}
