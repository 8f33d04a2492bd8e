// Starts a loop: pushes a frame onto this session's, or begins a run of its own. The three commands that do so
// (loop, issue, grind) differ in the frame alone.

import fs from 'node:fs';
import path from 'node:path';
import {
  BUDGET_HELP,
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  type BudgetAtStart,
  budgetAtStart,
  budgetFlags,
  refuseNestedBudget,
  refusePaused,
  writeBudget,
} from '../../../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import { runName } from '../../../engine/context.ts';
import { atMostLeft, type DrivenAround, drivenAround } from '../../../engine/driver/start-beside.ts';
import type { Project } from '../../../engine/project.ts';
import {
  PROOF_HELP,
  PROOF_OPTIONS,
  PROOF_USAGE,
  type ProofAtStart,
  type ProofFlags,
  proofAtStart,
  proofFlags,
  UNTIL_OPTION,
  writeProofNotes,
} from '../../../engine/proof/at-start.ts';
import { ownFiles } from '../../../engine/proof/own-files.ts';
import { refuseUnnamable } from '../../../engine/session-root.ts';
import { armedText, boundsLine, isForPerson, type StartedRun } from '../../../engine/start-text.ts';
import { type Call, type ExitCode, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { ensureHome } from '../../../store/home.ts';
import type { JsonObject } from '../../../store/json.ts';
import { withLock } from '../../../store/lock.ts';
import { privateMode } from '../../../store/owner.ts';
import { below } from '../../../store/paths.ts';
import type { BudgetLimits, ProofNotes } from '../../../store/records.ts';
import type { Write } from '../../../store/writes.ts';
import { render } from '../../../text/render.ts';
import { registry } from '../../registry.ts';
import { loopClock } from '../clock.ts';
import { putAway } from '../commit.ts';
import { isActive } from '../decide.ts';
import { taskOf } from '../fallback.ts';
import { logPath, promptFile } from '../files.ts';
import { missesJwzLock } from '../jwz-lock.ts';
import nestedText from '../messages/nested.md';
import startedText from '../messages/started.md';
import { describeTask, endingOf } from '../messages.ts';
import { type Mode, modes } from '../modes.ts';
import type { FoundLoop } from '../read-loop.ts';
import { newFields, type RawFrame, type RawState, readFrame } from '../state-format.ts';
import { readTask } from '../task.ts';
import { ulid } from '../ulid.ts';
import { describeStage } from './describe.ts';
import { loopToChange, refuseClosed, whoseIs } from './which-loop.ts';
import { postState, restartClock, savedAfter, writeAll } from './write-state.ts';

/** `shown`: what a person is told of the task, where more of it is for the agent alone. */
export type NewFrame = { mode: Mode; max: number; task: string; shown?: string; fields: JsonObject };

export const START_OPTIONS = {
  max: { type: 'string' },
  ...PROOF_OPTIONS,
  ...UNTIL_OPTION,
  ...BUDGET_OPTIONS,
} as const;
export const START_USAGE = `[--max N] ${PROOF_USAGE} [--until NAME] ${BUDGET_USAGE}`;
export const START_HELP = `${PROOF_HELP} --until NAME: this loop ends when that check passes at a stop, without a signal.
${BUDGET_HELP}`;

const WITHOUT_FLOCK =
  'Note: the program flock is not on PATH, so the lock of the jwz tool (.jwz/lock) cannot be taken. Do not post to loop:current with jwz while the loop goes on.';

export async function startLoop(call: Call, makeFrame: (project: Project) => NewFrame): Promise<ExitCode> {
  const flags = proofFlags(call.flags);
  const asked = budgetFlags(call.flags, 'idle');
  const project = await call.forNewRun();
  refuseUnnamable(project.root);
  const frame = makeFrame(project);
  const around = await drivenAround(project, 'idle', registry);
  const atStart = await proofAtStart(project, flags, ownFiles(registry));
  ensureHome(project.root);
  const text = await withLock(project.home, COMMAND_PATIENCE_MS, () =>
    push(project, frame, { flags, atStart }, asked, around, call),
  );
  call.print(text);
  if (missesJwzLock(project)) call.print(WITHOUT_FLOCK);
  return 0;
}

/** What the user typed, from the command line or from standard input. */
export function textGiven(call: Call): string {
  return (call.words.length > 0 ? call.words.join(' ') : call.stdin()).trim();
}

/** A command of the config on lines of its own, so that nothing of the sentence sticks to it. */
export function indented(command: string): string {
  return command.trim().replace(/\r\n|\r|\n/g, '\n    ');
}

export function maxGiven(call: Call, mode: Mode): number {
  const given = call.flags.max;
  if (given === undefined) return modes[mode].max;
  if (typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new WrongUsage(`idle ${mode}: --max is a whole number from 1 to 999999, not "${String(given)}".`);
}

type StartProof = { flags: ProofFlags; atStart: ProofAtStart | null };

/** Under the lock. */
async function push(
  project: Project,
  frame: NewFrame,
  proof: StartProof,
  asked: BudgetLimits,
  around: DrivenAround | null,
  call: Call,
): Promise<string> {
  const { flags, atStart } = proof;
  const found = loopToChange(project);
  // Before anything is written: a loop whose state could not be would be this session's without being there.
  if (found.log === null) refuseClosed(project);
  const below = withinDriven(findBelow(project, found), frame, around);
  const prompt = writePrompt(project, frame.task);
  const top: RawFrame = {
    id: prompt.id,
    mode: frame.mode,
    iter: 0,
    max: below.max,
    ...frame.fields,
    ...(flags.until === null ? {} : { until: flags.until }),
    ...prompt.fields,
  };
  const run = below.loop?.run ?? newRunId(project);
  const name = runName('idle', run);
  const fields = below.loop?.fields ?? newFields(run);
  const next = { event: 'STATE' as const, reason: null, stack: [...(below.loop?.stack ?? []), top] };
  const notes = await notesOf(project, name, below.loop !== null, proof);
  const budget = await budgetOf(project, name, below.loop !== null, asked);
  const task = below.loop === null ? frame.task : undefined;
  const owner = claimRun(project, name, savedAfter(found.log), undefined, task);
  if (notes !== null) writeProofNotes(project, name, notes);
  if (budget !== null) await writeBudget(project, name, budget);
  restartClock(project, name);
  // The state comes last but for the fallback file, which counts for nothing once the topic has a state.
  writeAll(project, [
    ...ignoredByGit(project),
    prompt.write,
    ...(below.loop?.before ?? []),
    postState(project, fields, next, found.log),
    ...(below.loop?.after ?? []),
  ]);
  // What is said of checks is said at the start of the run that they are pinned for.
  const said = notes === null ? null : atStart;
  const isNested = below.loop !== null;
  const begun: StartedRun = {
    ...{ name, task: frame.shown ?? frame.task, most: `${below.max} iterations`, budget, nested: isNested },
    proof: said,
  };
  const first = said?.firstLine ? [said.firstLine] : [];
  const more = [...(said?.lines ?? []), ...(below.line === null ? [] : [below.line])];
  if (isForPerson(call) && !isNested) return [...first, armedText(begun, project, call), ...more].join('\n');
  const stopIt = `To stop it: \`${project.cli} idle cancel\`.`;
  const started = render(startedText, {
    mode: frame.mode,
    run: name,
    owner,
    max: below.max,
    nested: below.loop === null ? stopIt : `${render(nestedText, { below: below.loop.shown })} ${stopIt}`,
    task: describeTask(readTask(prompt.fields.prompt_file, project.root)),
    ending: endingOf(frame.mode, flags.until),
    bounds: boundsLine(begun, call),
  });
  return [...first, started, ...more, ...(budget?.lines ?? [])].join('\n');
}

/** What is noted about checks; null: nothing, or what was noted stays. */
async function notesOf(
  project: Project,
  name: string,
  isNested: boolean,
  { flags, atStart }: StartProof,
): Promise<ProofNotes | null> {
  if (atStart === null || !isNested) return atStart?.notes ?? null;
  const { notesWhenNested } = await import('./nested-proof.ts');
  return notesWhenNested(project, name, flags, atStart);
}

/** Null: it has none, or the run that it is nested in has its own. */
async function budgetOf(
  project: Project,
  name: string,
  isNested: boolean,
  asked: BudgetLimits,
): Promise<BudgetAtStart | null> {
  if (!isNested) return budgetAtStart(project, asked);
  refuseNestedBudget(name, asked, `${project.cli} idle cancel`);
  await refusePaused(project, name);
  return null;
}

type Within = {
  /** The one that it is nested in; null: none. */
  loop: Below | null;
  max: number;
  /** That it gets less than was asked for. */
  line: string | null;
};

/**
 * In a driven session a loop gets no more than the one around it has left, and its start costs that one an iteration:
 * otherwise loop after loop could be started in one iteration. In a grind the first of each is free: it is for that.
 */
function withinDriven(loop: Below | null, frame: NewFrame, around: DrivenAround | null): Within {
  if (around === null) return { loop, max: frame.max, line: null };
  const outer = loop?.stack.at(-1);
  const { run } = around;
  if (loop === null || outer === undefined || run !== runName('idle', loop.run)) {
    const { count, line } = atMostLeft(frame.max, { run, left: around.left ?? modes[frame.mode].max });
    return { loop, max: count, line };
  }
  const { iter, max, carryOn } = readFrame(outer);
  if (iter === 'corrupt' || max === 'corrupt') return { loop, max: frame.max, line: null };
  const isFree = carryOn && frame.fields.carry_on !== true && outer.nested_at !== iter;
  const from = isFree ? iter : iter + 1;
  const { count, line } = atMostLeft(frame.max, { run, left: max - from });
  const stack = [...loop.stack.slice(0, -1), { ...outer, iter: from, nested_at: from }];
  return { loop: { ...loop, stack }, max: count, line };
}

type Below = {
  run: string;
  fields: RawState['fields'];
  stack: readonly RawFrame[];
  shown: string;
  before: readonly Write[];
  after: readonly Write[];
};

/** The loop a new one is nested in; null when there is none that goes on. Refused when it is not ours. */
function findBelow(project: Project, found: FoundLoop): Below | null {
  const { run, raw, state } = found;
  const now = loopClock(project, run);
  if (run === null || raw === null || !isActive(state, now)) return null;
  const whose = whoseIs(project, run);
  const shown = `idle:${run} (${describeStage(state, now)})`;
  if (whose !== 'ours')
    throw new NotNow(
      `${shown} goes on here and is ${whose}. \`${project.cli} adopt idle:${run}\` makes it this session's, \`${project.cli} idle cancel\` ends it.`,
    );
  if (found.source === 'topic')
    return { run, fields: raw.fields, stack: raw.stack, shown, before: [], after: [] };
  return { ...fromFile(project, found), shown };
}

/** The fallback file has room for one frame: nesting takes its loop over into the topic. */
function fromFile(project: Project, { raw, text }: FoundLoop): Omit<Below, 'shown'> {
  const run = newRunId(project);
  const prompt = writePrompt(project, taskOf(text));
  const stack = (raw?.stack ?? []).map((frame) => ({ id: prompt.id, ...frame, ...prompt.fields }));
  return {
    run,
    fields: newFields(run),
    stack,
    before: [prompt.write],
    after: [putAway(project.root, project.now)],
  };
}

/** A folder that we make ignores itself in git, as `.holdfast` does. One that the `jwz` tool made is that tool's. */
function ignoredByGit({ root }: Project): Write[] {
  const folder = path.dirname(logPath(root));
  if (fs.existsSync(folder)) return [];
  return [{ kind: 'replace', path: below(folder, '.gitignore'), content: '*\n' }];
}

/** As private as the sidecar: who may adopt the run may read its task. */
function writePrompt({ root, home, now }: Project, task: string) {
  const id = ulid(now);
  const file = promptFile(root, id);
  const write: Write = { kind: 'replace', path: file.path, content: `${task}\n`, mode: privateMode(home) };
  return { id, write, fields: { prompt_file: file.inState } };
}

function newRunId({ now }: Project): string {
  return `loop-${Math.floor(now / 1000)}-${process.pid}`;
}
