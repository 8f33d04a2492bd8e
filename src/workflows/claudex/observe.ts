// Reads what a decision depends on: the state file, PLAN.md, the findings, the runner's heartbeat.

import type { RunContext } from '../../engine/context.ts';
import type { Observation } from '../../engine/workflow.ts';
import { isInside, realPath } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { isRunning, readPlan, readQuietly, readRounds } from './activity.ts';
import type { Facts, State } from './decide.ts';
import type { Counts } from './findings.ts';
import { isId } from './id.ts';
import { type Own, readOwn } from './own.ts';
import { filesOf, type LoopFiles, type Place, placeOf } from './place.ts';
import { type Loop, readLoop } from './state.ts';
import { newestLoop, readState, stateNames } from './store.ts';
import { readVariables } from './variables.ts';

/** What was read, contents included; it never leaves the process. */
export type World = {
  id: string;
  place: Place;
  files: LoopFiles;
  /** The state file as it was read. */
  text: string;
  loop: Loop;
  maxRounds: number;
  /** Reviewed rounds with their counts. */
  rounds: ReadonlyMap<number, Counts>;
  own: Own;
};

export function newestRun(project: RunContext['project']): string | null {
  return newestLoop(placeOf(project));
}

export function observe(context: RunContext): Observation<World, State, Facts> | null {
  const { project, run } = context;
  const place = placeOf(project);
  if (!isId(run)) return stateNames(place).includes(run) ? observeMalformed(context, place) : null;
  const text = readState(place, run);
  if (text === null) return null;
  const files = filesOf(place, run);
  const loop = readLoop(text);
  const variables = readVariables(project.root, project.env);
  const maxRounds =
    loop.maxRounds ?? (loop.mode === 'review' ? variables.reviewRounds : variables.planRounds);
  const own = readOwn(context.saved);
  const world = { id: run, place, files, text, loop, maxRounds, rounds: readRounds(place, files), own };
  return {
    world,
    state: stateOf(world),
    facts: {
      id: 'valid',
      cwd: isElsewhere(context, loop) ? 'elsewhere' : 'inside',
      plan: loop.mode === 'plan' && loop.phase === 'drafting' ? planOf(world) : 'unread',
      runner: runnerOf(context, world),
      waited: own.waitTold === loop.round ? 'told' : own.waitHeld === loop.round ? 'held' : 'no',
      lastReviewed: Math.max(0, ...[...world.rounds.keys()].filter((round) => round <= loop.round)),
      reviewFiles: loop.mode === 'review' ? reviewFilesOf(world) : 'unread',
      unwarned: variables.bad.filter((name) => !own.warned.includes(name)),
    },
    stateHash: fingerprint(text),
  };
}

/** A state file whose name is no id: nothing in it is believed. */
function observeMalformed(context: RunContext, place: Place): Observation<World, State, Facts> {
  const files = filesOf(place, context.run);
  const loop = readLoop('');
  const own = readOwn(context.saved);
  const world = { id: context.run, place, files, text: '', loop, maxRounds: 1, rounds: new Map(), own };
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

function planOf({ place, loop, own }: World): Facts['plan'] {
  const plan = readPlan(place);
  if (plan === null) return 'missing';
  if (plan.trim() === '') return 'empty';
  return !loop.fromDraft && own.plan === fingerprint(plan) ? 'unchanged' : 'drafted';
}

function runnerOf({ project, stop }: RunContext, { id, place, files, loop }: World): Facts['runner'] {
  if (stop.backgroundTasks.some(({ command }) => command?.includes(`${id}-runner.sh`)))
    return 'in-background';
  return isRunning(place, files, loop.round, project.now) ? 'running' : 'idle';
}

function reviewFilesOf({ place, files, loop }: World): Facts['reviewFiles'] {
  // The runner goes when the end of its review is answered: what is missing is told once.
  if (loop.phase === 'done' && readQuietly(files.runner, place.within) === null) return 'unread';
  const written = [files.review, files.proposedFixes].every(
    (file) => (readQuietly(file, place.root) ?? '').trim() !== '',
  );
  return written ? 'written' : 'missing';
}
