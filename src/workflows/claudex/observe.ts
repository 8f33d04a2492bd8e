// Reads what a decision depends on: the state file, PLAN.md, the findings, the runner's heartbeat.

import type { RunContext } from '../../engine/context.ts';
import type { Observation } from '../../engine/workflow.ts';
import { isInside, realPath } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { TakenUp } from './docket.ts';
import { filesOf, type LoopFiles, type StateDir, stateDirOf } from './files.ts';
import type { Counts } from './findings.ts';
import { isId } from './id.ts';
import { readState, stateNames } from './loops.ts';
import { isRunning, readPlan, readQuietly, readRounds } from './review-progress.ts';
import { type LoopReviewer, reviewerFor } from './reviewer.ts';
import { readSaved, type Saved } from './saved.ts';
import { readLoop } from './state-format.ts';
import type { Facts, Loop, State } from './types.ts';
import { readVariables } from './variables.ts';

/** What was read, contents included; it never leaves the process. */
export type World = {
  id: string;
  dir: StateDir;
  files: LoopFiles;
  /** The state file as it was read. */
  text: string;
  loop: Loop;
  maxRounds: number;
  /** Reviewed rounds with their counts. */
  rounds: ReadonlyMap<number, Counts>;
  saved: Saved;
  reviewer: LoopReviewer;
  /** As this stop's commit leaves it, for what is said with it. */
  docket?: TakenUp;
};

export function observe(context: RunContext): Observation<World, State, Facts> | null {
  const { project, run } = context;
  const dir = stateDirOf(project);
  if (!isId(run)) return stateNames(dir).includes(run) ? observeMalformed(context, dir) : null;
  const text = readState(dir, run);
  if (text === null) return null;
  const files = filesOf(dir, run);
  const loop = readLoop(text);
  const variables = readVariables(project.root, project.env);
  const maxRounds =
    loop.maxRounds ?? (loop.mode === 'review' ? variables.reviewRounds : variables.planRounds);
  const saved = readSaved(context.saved);
  const rounds = readRounds(dir, files);
  const reviewer = reviewerFor(project.config);
  const world = { id: run, dir, files, text, loop, maxRounds, rounds, saved, reviewer };
  return {
    world,
    state: stateOf(world),
    facts: {
      id: 'valid',
      cwd: isElsewhere(context, loop) ? 'elsewhere' : 'inside',
      plan: loop.mode === 'plan' && loop.phase === 'drafting' ? planOf(world) : 'unread',
      runner: runnerOf(context, world),
      waited: saved.waitNotified === loop.round ? 'notified' : saved.waitHeld === loop.round ? 'held' : 'no',
      lastReviewed: Math.max(0, ...[...world.rounds.keys()].filter((round) => round <= loop.round)),
      reviewFiles: loop.mode === 'review' ? reviewFilesOf(world) : 'unread',
      unwarned: variables.bad.filter((name) => !saved.warned.includes(name)),
    },
    stateHash: fingerprint(text),
  };
}

/** A state file whose name is no id: nothing in it is believed. */
function observeMalformed(context: RunContext, dir: StateDir): Observation<World, State, Facts> {
  const files = filesOf(dir, context.run);
  const loop = readLoop('');
  const saved = readSaved(context.saved);
  const reviewer = reviewerFor(context.project.config);
  const nothing = { text: '', maxRounds: 1, rounds: new Map() };
  const world = { id: context.run, dir, files, loop, saved, reviewer, ...nothing };
  return {
    world,
    state: stateOf(world),
    facts: {
      id: 'malformed',
      cwd: 'inside',
      plan: 'unread',
      runner: 'idle',
      waited: 'no',
      lastReviewed: 0,
      reviewFiles: 'unread',
      unwarned: [],
    },
    stateHash: fingerprint(context.run),
  };
}

function stateOf({ loop, maxRounds }: World): State {
  const { mode, phase, round, signal } = loop;
  return { mode, phase, round, maxRounds, signal };
}

/** Real paths compared; a folder inside repo_root counts as repo_root. Without one the project itself counts. */
function isElsewhere({ project, stop }: RunContext, { repoRoot }: Loop): boolean {
  const root = repoRoot === '' ? project.root : realPath(repoRoot);
  const cwd = (stop.cwd === null ? null : realPath(stop.cwd)) ?? project.root;
  return root === null || !isInside(cwd, root);
}

function planOf({ dir, loop, saved }: World): Facts['plan'] {
  const plan = readPlan(dir);
  if (plan === null) return 'missing';
  if (plan.trim() === '') return 'empty';
  return !loop.fromDraft && saved.plan === fingerprint(plan) ? 'unchanged' : 'drafted';
}

function runnerOf({ project, stop }: RunContext, { id, dir, files, loop }: World): Facts['runner'] {
  if (stop.backgroundTasks.some(({ command }) => command?.includes(`${id}-runner.sh`)))
    return 'in-background';
  return isRunning(dir, files, loop.round, project.now) ? 'running' : 'idle';
}

function reviewFilesOf({ dir, files, loop }: World): Facts['reviewFiles'] {
  // The runner goes when the end of its review is answered: what is missing is reported once.
  if (loop.phase === 'done' && readQuietly(files.runner, dir.within) === null) return 'unread';
  const written = [files.review, files.proposedFixes].every(
    (file) => (readQuietly(file, dir.root) ?? '').trim() !== '',
  );
  return written ? 'written' : 'missing';
}
