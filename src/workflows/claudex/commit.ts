// Turns a change into writes: the docket and the runner first, then what is removed, the log, and the state last.

import path from 'node:path';
import type { RunContext } from '../../engine/context.ts';
import type { Commit } from '../../engine/workflow.ts';
import { carryOut, Refused } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { refuseLinks } from '../../store/links.ts';
import type { Write } from '../../store/writes.ts';
import { type TakenUp, takeUp } from './docket.ts';
import { filesOf, type LoopFiles, logFile, type StateDir, shown, sweptFolder } from './files.ts';
import { isId } from './id.ts';
import { targetsOf } from './links.ts';
import { appendLog, logLine, readState, stateNames } from './loops.ts';
import { say } from './messages.ts';
import type { World } from './observe.ts';
import { personaOf } from './personas.ts';
import { planPrompt, reviewPrompt } from './prompts.ts';
import { writeRunner } from './runner.ts';
import { setField, swapPhase } from './state-format.ts';
import type { Change, Logged, Why } from './types.ts';

export function commit(change: Change, world: World, context: RunContext): Commit {
  const { dir, saved } = world;
  const { now } = context.project;
  const text = changedState(change, world, now);
  const round = change.round ?? world.loop.round;
  const taken = takenUp(change, world, context);
  if (taken !== null) world.docket = taken;
  const writes: Write[] = [
    ...(taken?.writes ?? []),
    ...(change.runner === undefined ? [] : [runnerFile(change.runner, world, context)]),
    ...(change.cleanUp ? leftovers(world.files) : []),
    { kind: 'append', path: logFile(dir), line: logLine(now, describe(change.log, world, context)) },
    ...(change.setAside ? [setAside(dir, world.files.state, now)] : []),
    ...(text === world.text ? [] : [{ kind: 'replace', path: world.files.state, content: text } as const]),
  ];
  return {
    writes,
    within: dir.within,
    stateHash: text === world.text && !isId(world.id) ? fingerprint(world.id) : fingerprint(text),
    saved: {
      ...saved,
      transcript: context.stop.transcriptPath ?? saved.transcript,
      ...(change.waited === 'held' ? { waitHeld: round } : {}),
      ...(change.waited === 'notified' ? { waitNotified: round } : {}),
      warned: [...saved.warned, ...(change.warned ?? [])],
    },
    ...(taken?.notice ? { notice: taken.notice } : {}),
  };
}

/** Where a round is left behind: for the next one, or for the summary. */
function takenUp(change: Change, world: World, { project }: RunContext): TakenUp | null {
  const isLeft = change.round !== undefined || change.swap?.to === 'summarizing';
  if (!isLeft || world.loop.mode !== 'plan') return null;
  const { id, dir, files, rounds, loop } = world;
  return takeUp({ id, dir, files, rounds, round: loop.round, by: project.config.review.claudex });
}

/** Runner, prompt and lock; the state and the findings stay for audit. */
export function leftovers(files: LoopFiles): Write[] {
  return [files.runner, files.prompt, files.lock].map((file) => ({ kind: 'remove', path: file }));
}

/** Under the lock only somebody else can have changed the state since it was read. Then theirs stands, and the stop is allowed. */
function changedState(change: Change, world: World, now: number): string {
  if (isId(world.id) && readState(world.dir, world.id) !== world.text) throw movedMeanwhile(world);
  let text = world.text;
  if (change.round !== undefined) text = setField(text, 'round', change.round, now);
  if (change.signal !== undefined) text = setField(text, 'decision_signal', change.signal, now);
  if (change.swap === undefined) return text;
  const swapped = swapPhase(text, change.swap.from, change.swap.to, now);
  if (swapped === null) throw movedMeanwhile(world);
  return swapped;
}

function movedMeanwhile({ files }: World): Refused {
  return new Refused(`${files.state} was changed by someone else during this stop and was left as it is`);
}

function runnerFile(wanted: NonNullable<Change['runner']>, world: World, context: RunContext): Write {
  const { dir, files, loop } = world;
  const { round } = wanted;
  const { access, timeoutMs } = context.project.config.review;
  const isPlan = loop.mode === 'plan';
  const targets = targetsOf(dir, files, isPlan ? 'plan' : 'review', round);
  refuseLinks([...targets.folders, ...targets.files]);
  const content = writeRunner({
    title: isPlan
      ? `Claudex round ${round} of ${world.maxRounds}: ${personaOf(round).label} (loop ${world.id})`
      : `Claudex round ${round}: Diff review (loop ${world.id})`,
    dir,
    files,
    round,
    prompt: isPlan ? planPrompt(world, round, wanted.owedFrom) : reviewPrompt(world),
    targets,
    expected: isPlan ? [files.findings(round)] : [files.review, files.proposedFixes],
    access,
    reviewer: world.reviewer,
    deadlineSeconds: Math.ceil(timeoutMs / 1000),
  });
  return { kind: 'replace', path: files.runner, content, mode: 0o755 };
}

/** State files whose names are no ids are nobody's loops. Others may share a folder outside of the project: theirs stay. */
export function setStraysAside(dir: StateDir, now: number): void {
  if (dir.shared) return;
  for (const name of stateNames(dir).filter((each) => !isId(each))) {
    const { state } = filesOf(dir, name);
    carryOut(setAside(dir, state, now), dir.within);
    appendLog(dir, now, `set aside ${nameOf(dir, state)}: ${REASONS['malformed-id']}`);
  }
}

/** Whatever lies under that name in swept/ stays: the clock makes the new one's name. */
function setAside(dir: StateDir, state: string, now: number): Write {
  return { kind: 'move', from: state, to: path.join(sweptFolder(dir), `${now}-${path.basename(state)}`) };
}

function describe(log: Logged, world: World, context: RunContext): string {
  if (log.answer === 'hold') {
    const reason = say(log.message, world, context).replace(/\s+/g, ' ');
    return `hold ${world.id}: ${Array.from(reason).slice(0, 80).join('')}`;
  }
  const about = isId(world.id) ? world.id : nameOf(world.dir, world.files.state);
  return `allow ${about}: ${REASONS[log.why]}`;
}

/** As JSON: anything may stand in a file's name. */
const nameOf = (dir: StateDir, state: string): string => JSON.stringify(shown(dir, state));

const REASONS: Readonly<Record<Why, string>> = {
  'malformed-id': 'the name of this state file is no id; it was moved to swept/',
  elsewhere: 'the stop came from a folder outside of repo_root',
  'unknown-mode': 'the state names no known mode',
  'unknown-phase': 'the state names no known phase',
  'runner-in-background': 'the runner runs in the background',
  'runner-running': 'the runner still runs',
  'summary-given': 'the summary was given; the loop is done',
  finished: 'the loop is done',
  'review-finished': 'the review is done',
  'review-missing': 'the review is done, but its files are missing',
  cancelled: 'the loop was cancelled',
  errored: 'the loop ended in an error',
};
