// `holdfast status`: every run of the project, where it stands and whose it is. Reads only.

import { sessionsOf } from '../clients/index.ts';
import { accountsOf, describeAccounts } from '../engine/docket/accounts.ts';
import { describeFinding } from '../engine/docket/words.ts';
import type { Project } from '../engine/project.ts';
import { waitingNow } from '../engine/waiting/clock.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import { type Call, type Command, type ExitCode, WrongUsage } from '../engine/workflow-cli.ts';
import { noteLooked } from '../store/looked.ts';
import type { Waiting } from '../store/records.ts';
import { waitingRuns } from '../store/tickets.ts';
import type { Trouble } from '../store/trouble.ts';
import { shownWord } from '../text/quoted.ts';
import { budgetAsData, describeBudget } from '../view/describe-budget.ts';
import { describeWait } from '../view/describe-waiting.ts';
import { docketOf } from '../view/docket.ts';
import type { RunView } from '../view/model.ts';
import { viewsIn } from '../view/project-reader.ts';
import { proofOfRun } from '../view/run-proof.ts';
import { describeEnd, labelOf, type Tone, toneOf } from '../view/run-state.ts';
import { allRuns, type KnownRun, pickRun, unusedBeside, wordOrFlag } from '../view/runs.ts';
import { localTime } from '../view/times.ts';
import { hiddenRuns, troublesIn } from '../view/troubles.ts';
import { bold, dim, green, red, yellow } from './paint.ts';

export const status: Command = {
  name: 'status',
  summary: 'the runs of this project, where each stands and whose it is',
  usage: '[RUN] [--all] [--json] | --line',
  help: `Runs that have ended are only counted, but for those that ended badly since you looked; --all lists all.
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
    help: 'Runs that have ended are only counted, but for those that ended badly since you looked; --all lists all.',
    options: { all: { type: 'boolean', short: 'a' }, json: { type: 'boolean' }, run: { type: 'string' } },
    run: (call) => showStatus(call, name),
  };
}

/** `workflow`: whose runs are shown; null: all workflows'. */
async function showStatus(call: Call, workflow: string | null): Promise<ExitCode> {
  const project = await call.existing();
  const all = project === null ? [] : await shownRunsOrNone(project, workflow);
  const named = wordOrFlag(call);
  const runs = named === undefined ? all : [pickRun(all, named)];
  const known = runs.flatMap((run) => run.known ?? []);
  const troubles = await troublesHere(call, project, known);
  const unused = (await unusedBeside(troubles, project)).filter(
    ({ name }) => workflow === null || name.startsWith(`${workflow}:`),
  );
  const viewer: Viewer = {
    sessions: sessionsOf(call.env),
    tickets: project === null ? [] : waitingRuns(project.root, project.now, project.env),
    shorten: shortSessions(known.flatMap(({ sidecar }) => sidecar.sessions)),
  };
  if (call.flags.json) {
    const data = { root: project?.root ?? null, runs: runs.map((run) => asData(run, viewer, project)) };
    call.print(JSON.stringify({ ...data, troubles, unused }, null, 2));
    return 0;
  }
  for (const { what, fix } of troubles) call.print(`${red('!')} ${what}; to fix it, ${fix}`);
  for (const { name, why, fix } of unused)
    call.print(`${yellow('!')} ${bold(name)}  not used: ${why}; ${fix}`);
  if (project === null || runs.length === 0) {
    // Where something cannot be read, it is not known that there are none.
    if (troubles.length === 0)
      call.print(
        workflow === null
          ? 'No runs here. Start one with a workflow: `holdfast help` lists them.'
          : `No runs of ${workflow} here. \`holdfast ${workflow} help\` lists how to start one.`,
      );
    return 0;
  }
  const whole = call.flags.all === true || named !== undefined;
  const going = runs.filter(({ view }) => view.live || whole);
  const news = whole ? [] : runs.filter(({ view }) => view.unseen);
  for (const run of going) call.print(describe(run, viewer, project));
  if (news.length > 0) call.print(bold('Ended since you looked:'));
  for (const run of news) call.print(describe(run, viewer, project));
  if (viewer.sessions.length === 0) noteSeen(project, [...going, ...news]);
  const hidden = runs.filter((run) => !going.includes(run) && !news.includes(run) && !run.view.dismissed);
  const again = workflow === null ? 'holdfast status' : `holdfast ${workflow} status`;
  if (hidden.length > 0) call.print(dim(`${hidden.length} ended; \`${again} --all\` lists them too.`));
  else if (going.length + news.length === 0)
    call.print(dim(`Nothing runs here; \`${again} --all\` lists what has ended.`));
  return 0;
}

/** A run with files has its notes, too; of others the journal alone knows. */
type ShownRun = { name: string; run: string; view: RunView; known: KnownRun | null };

/** Where the project's own folder cannot be read there are none to show; what is in the way is said with what to do. */
async function shownRunsOrNone(project: Project, workflow: string | null): Promise<readonly ShownRun[]> {
  try {
    return await shownRuns(project, workflow);
  } catch (error) {
    if ((await troublesIn(project)).length === 0) throw error;
    return [];
  }
}

async function shownRuns(project: Project, workflow: string | null): Promise<readonly ShownRun[]> {
  const known = await allRuns(project);
  const views = await viewsIn(project);
  return views
    .filter((view) => workflow === null || view.workflow === workflow)
    .map((view) => ({
      ...{ name: view.name, run: view.run, view },
      known: known.find(({ name }) => name === view.name) ?? null,
    }));
}

/** A look in an agent's shell is not its user's. */
function noteSeen({ root, env }: Project, runs: readonly ShownRun[]): void {
  const unseen = runs.filter(({ view }) => view.unseen);
  if (unseen.length === 0) return;
  const times = Object.fromEntries(unseen.map(({ name, view }) => [name, view.movedAt ?? 0]));
  ignoreErrors(() => noteLooked(root, env, 'seen', times));
}

/** It is shown once more then. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // As said above.
  }
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
  /** A session's id in short, where that is clear. */
  shorten(session: string): string;
};

function shortSessions(all: readonly string[]): (session: string) => string {
  const ids = new Set(all);
  const isClear = (short: string): boolean => [...ids].filter((id) => id.startsWith(short)).length === 1;
  return (session) => (session.length > 8 && isClear(session.slice(0, 8)) ? session.slice(0, 8) : session);
}

function describe({ view, known }: ShownRun, viewer: Viewer, project: Project): string {
  const trouble = known?.stateTrouble ?? null;
  if (trouble !== null)
    return `${red('?')} ${bold(view.name)}  its state cannot be read: ${trouble.what}; to fix it, ${trouble.fix}`;
  const { live, status, end, needs, asked, proof, budget } = view;
  const owner = known === null || !live ? '' : ownerOf(known, viewer);
  const parts = [
    `${MARKS[toneOf(view)]} ${bold(view.name)}`,
    end === null
      ? [...(status === 'running' ? [] : [labelOf(view)]), view.stage].join(': ')
      : describeEnd(end),
    ...(end?.at == null ? [] : [dim(localTime(end.at, project.now))]),
    ...(live && proof !== null ? [proof.text] : []),
    ...(owner === '' ? [] : [dim(owner)]),
    ...(view.dismissed ? [dim('dismissed')] : []),
  ];
  const wait = known !== null && live ? describeWait(known, project) : null;
  const more = [
    asked,
    needs ?? wait,
    view.reviewsGivenUp,
    live && needs !== budget?.text ? describeBudget(project, view.name) : null,
  ];
  const lines = more.flatMap((each) => (each === null ? [] : `  ${each}`));
  return [parts.join('  '), ...lines, ...(known === null ? [] : findingsOf(known, project))].join('\n');
}

const MARKS: Readonly<Record<Tone, string>> = {
  attention: yellow('!'),
  active: green('●'),
  good: green('✓'),
  bad: red('✗'),
  quiet: dim('○'),
};

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

function ownerOf({ sidecar, live, notesTrouble }: KnownRun, { sessions, tickets, shorten }: Viewer): string {
  if (notesTrouble !== null)
    return `whose it is cannot be read: ${notesTrouble.what}; to fix it, ${notesTrouble.fix}`;
  if (sidecar.sessions.length === 0) {
    if (!live) return '';
    if (tickets.includes(sidecar.run)) return 'holds the next session here';
    const whose = sessions.length === 0 ? 'gives it to the next session here' : "makes it this session's";
    return `nobody's; \`holdfast adopt ${shownWord(sidecar.run)}\` ${whose}`;
  }
  if (sidecar.sessions.some((id) => sessions.includes(id))) return "this session's";
  return `session ${shorten(sidecar.sessions[0] ?? '')}`;
}

function asData({ view, known }: ShownRun, viewer: Viewer, project: Project | null) {
  const { status, end, needs, asked, dismissed } = view;
  const at = end?.at == null ? null : new Date(end.at).toISOString();
  const standing = { status, end: end && { ...end, at }, needs, asked, dismissed };
  if (known === null) return { run: view.name, live: false, stage: view.stage, ...standing };
  return { ...knownAsData(known, viewer, project), ...standing };
}

function knownAsData(run: KnownRun, { sessions, tickets }: Viewer, project: Project | null) {
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
