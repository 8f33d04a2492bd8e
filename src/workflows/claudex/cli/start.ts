// Starts a loop: what `plan` and `review` share. Of many starts at once exactly one wins.

import { sessionsOf } from '../../../clients/index.ts';
import { type BudgetAtStart, budgetAtStart, writeBudget } from '../../../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import { atMostLeft, drivenAround } from '../../../engine/driver/start-beside.ts';
import type { Project } from '../../../engine/project.ts';
import { isForPerson } from '../../../engine/start-text.ts';
import { type Call, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { ensureHome } from '../../../store/home.ts';
import { refuseLinks } from '../../../store/links.ts';
import { withLock } from '../../../store/lock.ts';
import { isOnPath } from '../../../store/on-path.ts';
import { readSession, writeSession } from '../../../store/sidecars.ts';
import { sayTrouble } from '../../../store/trouble.ts';
import { render } from '../../../text/render.ts';
import { registry } from '../../registry.ts';
import { planFile, type StateDir, stateDirOf } from '../files.ts';
import { newId } from '../id.ts';
import { foldersFor } from '../links.ts';
import { appendLog, makeStateDir, readLoops, stateNames, writeLock, writeState } from '../loops.ts';
import startNoReviewer from '../messages/start-no-reviewer.md';
import { readPlan } from '../review-progress.ts';
import { reviewerFor, whyUnwritable } from '../reviewer.ts';
import { isFinished, writeNewState } from '../state-format.ts';
import type { Mode } from '../types.ts';
import { explainBad, readVariables } from '../variables.ts';
import { stageOf } from './describe.ts';
import type { StartFlags } from './start-flags.ts';
import { sweep } from './sweep.ts';
import { refuseClosed, troubleWithState } from './unreadable.ts';
import { refuseUnusable } from './usable-path.ts';

export type Wanted = StartFlags & { mode: Mode; topic: string };

export type Started = {
  id: string;
  max: number;
  owner: string;
  dir: StateDir;
  project: Project;
  budget: BudgetAtStart | null;
  /** What is to be said of its budget, after what the agent is to do. */
  lines: readonly string[];
};

/** Starts it and says what is to be known first; the caller prints what the agent is to do. */
export async function startLoop(call: Call, wanted: Wanted): Promise<Started> {
  const project = await call.forNewRun();
  const variables = readVariables(project.root, project.env);
  const dir = stateDirOf(project);
  const reviewer = reviewerFor(project.config);
  const unwritable = whyUnwritable({ reviewer, access: project.config.review.access, dir });
  if (unwritable !== null) throw new NotNow(`claudex: no reviewer can be run: ${unwritable}.`);
  refuseUnusable(project, dir);
  refuseClosed(dir);
  refuseLinks(foldersFor(dir, wanted.mode));
  if (wanted.fromDraft && readPlan(dir) === null)
    throw new WrongUsage(
      `claudex ${wanted.mode}: --from-draft needs a draft, and there is no ${planFile(dir)}. Write it first, or leave --from-draft out.`,
    );
  const usual = wanted.mode === 'plan' ? variables.planRounds : variables.reviewRounds;
  const around = await drivenAround(project, 'claudex', registry);
  const bound =
    around === null
      ? { count: wanted.rounds ?? usual, line: null }
      : atMostLeft(wanted.rounds ?? usual, { run: around.run, left: around.left ?? usual });
  const max = bound.count;
  const budget = budgetAtStart(project, wanted.budget);
  ensureHome(project.root);
  const started = await withLock(project.home, COMMAND_PATIENCE_MS, async () => {
    const made = makeStateDir(dir);
    const swept = sweep(project, made, variables.staleMinutes);
    refuseBesideAnother(project, made);
    return { ...(await begin(project, made, wanted, max, budget)), swept };
  });
  if (bound.line !== null) call.print(bound.line);
  for (const name of variables.bad) call.print(`Note: ${explainBad(name)}`);
  const { program, title, install } = reviewer;
  if (!isOnPath(program, project.env))
    call.print(
      render(startNoReviewer, {
        ...{ program, title, install, cli: project.cli },
        tell: isForPerson(call) ? '' : 'Tell the user now. ',
      }),
    );
  for (const id of started.swept) call.print(`Note: the abandoned loop ${id} was moved to swept/.`);
  return started;
}

/** The phase decides, not the file: finished loops stay for audit and hinder nobody. */
function refuseBesideAnother(project: Project, dir: StateDir): void {
  const other = readLoops(dir).find(({ loop }) => !isFinished(loop.phase));
  if (other === undefined) return;
  const trouble = troubleWithState(dir, other.id);
  if (trouble !== null)
    throw new NotNow(
      `claudex: nobody can tell where the loop ${other.id} stands, and there is one at a time: ${sayTrouble(trouble)}, or move the loop to swept/ with: ${project.cli} claudex cancel ${other.id}`,
    );
  throw new NotNow(
    `claudex: the loop ${other.id} (${stageOf(other, project)}) is still going, and there is one at a time. Finish it, or end it with: ${project.cli} claudex cancel ${other.id}`,
  );
}

async function begin(
  project: Project,
  dir: StateDir,
  wanted: Wanted,
  max: number,
  budget: BudgetAtStart | null,
): Promise<Started> {
  const { now } = project;
  const id = freeId(dir, now);
  const plan = readPlan(dir);
  const saved = { plan: plan === null ? null : fingerprint(plan) };
  const owner = claimRun(project, `claudex:${id}`, saved, undefined, wanted.topic);
  if (budget !== null) await writeBudget(project, `claudex:${id}`, budget);
  forgetOthers(project, id);
  writeLock(dir, id, process.pid);
  const state = writeNewState({
    id,
    mode: wanted.mode,
    topic: wanted.topic,
    maxRounds: max,
    fromDraft: wanted.fromDraft,
    interviewUsed: wanted.interviewed,
    repoRoot: project.root,
    session: sessionsOf(project.env)[0] ?? '',
    now,
  });
  writeState(dir, id, state);
  appendLog(dir, now, `start ${id}: ${wanted.mode}, at most ${max} rounds`);
  return { id, max, owner, dir, project, budget, lines: budget?.lines ?? [] };
}

export function roundsInWords(max: number): string {
  return max === 1 ? 'one review round' : `${max} review rounds`;
}

/** One at a time, so this session's others are over: from now on its stops are the new one's. */
function forgetOthers({ root, env }: Project, id: string): void {
  for (const session of sessionsOf(env)) {
    const index = readSession(root, session);
    if (index === null) continue;
    const runs = index.runs.filter((run) => run === `claudex:${id}` || !run.startsWith('claudex:'));
    writeSession(root, session, { ...index, runs });
  }
}

function freeId(dir: StateDir, now: number): string {
  const taken = stateNames(dir);
  for (;;) {
    const id = newId(now, Math.random());
    if (!taken.includes(id)) return id;
  }
}
