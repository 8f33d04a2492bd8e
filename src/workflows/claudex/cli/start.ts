// Starts a loop: what `plan` and `review` share. Of many starts at once exactly one wins.

import { sessionsOf } from '../../../clients/index.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import type { Project } from '../../../engine/project.ts';
import { type Call, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { ensureHome } from '../../../store/home.ts';
import { refuseLinks } from '../../../store/links.ts';
import { withLock } from '../../../store/lock.ts';
import { isOnPath } from '../../../store/on-path.ts';
import { readSession, writeSession } from '../../../store/sidecars.ts';
import { sayTrouble } from '../../../store/trouble.ts';
import { render } from '../../../text/render.ts';
import { type Place, placeOf, planFile } from '../files.ts';
import { newId } from '../id.ts';
import { foldersFor } from '../links.ts';
import { appendLog, makePlace, readLoops, stateNames, writeLock, writeState } from '../loops.ts';
import startNoReviewer from '../messages/start-no-reviewer.md';
import { readPlan } from '../review-progress.ts';
import { isFinished, type Mode, writeNewState } from '../state-format.ts';
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
  place: Place;
};

/** Starts it and says what is to be known first; the caller prints what the agent is to do. */
export async function startLoop(call: Call, wanted: Wanted): Promise<Started> {
  const project = await call.forNewRun();
  const variables = readVariables(project.root, project.env);
  const place = placeOf(project);
  refuseUnusable(project, place);
  refuseClosed(place);
  refuseLinks(foldersFor(place, wanted.mode));
  if (wanted.fromDraft && readPlan(place) === null)
    throw new WrongUsage(
      `claudex ${wanted.mode}: --from-draft needs a draft, and there is no ${planFile(place)}. Write it first, or leave --from-draft out.`,
    );
  const max = wanted.rounds ?? (wanted.mode === 'plan' ? variables.planRounds : variables.reviewRounds);
  ensureHome(project.root);
  const started = await withLock(project.home, COMMAND_PATIENCE_MS, () => {
    const made = makePlace(place);
    const swept = sweep(project, made, variables.staleMinutes);
    refuseBesideAnother(project, made);
    return { ...begin(project, made, wanted, max), swept };
  });
  for (const name of variables.bad) call.print(`Note: ${explainBad(name)}`);
  if (!isOnPath('codex', project.env)) call.print(render(startNoReviewer, { cli: project.cli }));
  for (const id of started.swept) call.print(`Note: the abandoned loop ${id} was moved to swept/.`);
  return started;
}

/** The phase decides, not the file: finished loops stay for audit and hinder nobody. */
function refuseBesideAnother(project: Project, place: Place): void {
  const other = readLoops(place).find(({ loop }) => !isFinished(loop.phase));
  if (other === undefined) return;
  const trouble = troubleWithState(place, other.id);
  if (trouble !== null)
    throw new NotNow(
      `claudex: nobody can tell where the loop ${other.id} stands, and there is one at a time: ${sayTrouble(trouble)}, or move the loop to swept/ with: ${project.cli} claudex cancel ${other.id}`,
    );
  throw new NotNow(
    `claudex: the loop ${other.id} (${stageOf(other, project)}) is still going, and there is one at a time. Finish it, or end it with: ${project.cli} claudex cancel ${other.id}`,
  );
}

function begin(project: Project, place: Place, wanted: Wanted, max: number): Started {
  const { now } = project;
  const id = freeId(place, now);
  const plan = readPlan(place);
  const owner = claimRun(project, `claudex:${id}`, { plan: plan === null ? null : fingerprint(plan) });
  forgetOthers(project, id);
  writeLock(place, id, process.pid);
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
  writeState(place, id, state);
  appendLog(place, now, `start ${id}: ${wanted.mode}, at most ${max} rounds`);
  return { id, max, owner, place };
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

function freeId(place: Place, now: number): string {
  const taken = stateNames(place);
  for (;;) {
    const id = newId(now, Math.random());
    if (!taken.includes(id)) return id;
  }
}
