// taskie as the explorer walks it: a stop with every combination of facts, every action that `record` knows,
// and edits by hand. Two models: runs with their true history, and states as a person may leave them.

import type { Step } from '../../../src/engine/step.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Broken, Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import { ACTIONS, type Held, needsTask, transition } from '../../../src/workflows/taskie/cli/transitions.ts';
import { asReview } from '../../../src/workflows/taskie/phases.ts';
import type { StateFields } from '../../../src/workflows/taskie/state-format.ts';
import type { Change, State } from '../../../src/workflows/taskie/types.ts';
import {
  domains,
  editedDomains,
  editedSpace,
  editedStarts,
  type Given,
  MOST_CLEAN,
  type Node,
  type Reviewed,
  stateOf,
  TASKS,
  trackedSpace,
  trackedStarts,
} from './domains.ts';
import { type Context, invariants, isCleanByFloor } from './invariants.ts';

export type Decide = (state: State, facts: Given) => Step<Change>;
type Record = typeof transition;

/** What the commands and stops make of a plan, with its true history. */
export function taskieRuns(
  decide: Decide,
  checked = invariants,
  record: Record = transition,
  starts = trackedStarts,
): Model<Node> {
  const check = checker(checked);
  const lazy = new LazyFacts<Node, Given>(domains);
  return {
    name: 'taskie',
    space: trackedSpace,
    starts,
    editable: () => [],
    expand(from, each) {
      const state = stateOf(from);
      lazy.each(from, (facts) => each(stop(decide(state, facts), from, facts, lazy, check)));
      for (const edge of commands(from, record)) each(edge);
    },
  };
}

/** What decides where a plan goes next. */
export const SOME_FIELDS = ['maxReviews', 'iteration', 'next'] as const;
const ALL_FIELDS = [...SOME_FIELDS, 'phase', 'currentTask', 'model', 'clean', 'tdd'] as const;

/** What a person may make of state.json, and the stop after it. */
export function taskieEdits(
  decide: Decide,
  checked = invariants,
  edited: readonly (keyof Node & string)[] = ALL_FIELDS,
): Model<Node> {
  const check = checker(checked);
  const lazy = new LazyFacts<Node, Given>(editedDomains);
  return {
    name: 'taskie, edited by hand',
    space: editedSpace,
    starts: editedStarts,
    editable: ({ kind }) => (kind === 'known' ? edited : []),
    expand(from, each) {
      const state = stateOf(from);
      lazy.each(from, (facts) => each(stop(decide(state, facts), from, facts, lazy, check)));
    },
  };
}

function stop(
  step: Step<Change>,
  from: Node,
  facts: Given,
  lazy: LazyFacts<Node, Given>,
  check: (context: Context) => Broken | null,
): Edge<Node> {
  const to = withHistory(from, after(from, step), facts);
  const broken = check({ from, facts, step, to });
  return {
    by: 'stop',
    what: () => `${JSON.stringify(lazy.read())} ${aboutOf(step)}`,
    to,
    answer: step.kind === 'hold' ? 'hold' : step.kind === 'allow' ? 'allow' : null,
    about: aboutOf(step),
    combinations: lazy.combinations(),
    broken,
  };
}

/** How a step changes a node; `commit.test.ts` compares it with the real commit. */
export function after(from: Node, step: Step<Change>): Node {
  const change = step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
  if (change === null) return from;
  const { phase, next, iteration, model, clean } = change;
  // Above two it only matters that it is above; a person may have written any number.
  return { ...from, phase, next, iteration, model, clean: Math.min(clean, MOST_CLEAN) };
}

/** What the reviewers really said, whatever the state says of it. */
function withHistory(from: Node, to: Node, facts: Given): Node {
  if (from === to || from.streakOf === 'untold' || from.maxReviews === 0) return to;
  const review = asReview(to.phase);
  if (review === null || facts.verdict === null) return to;
  const streakOf: Reviewed = review === 'code-review' ? `${review} ${from.currentTask}` : review;
  if (facts.verdict !== 'clean' && !isCleanByFloor(from, facts)) return { ...to, streak: 0, streakOf };
  return { ...to, streak: from.streakOf === streakOf ? Math.min(2, from.streak + 1) : 1, streakOf };
}

/** Every file that an action could want is there, so that every action fits that can. */
const HELD: Held = {
  files: [
    ...['plan.md', 'tasks.md', 'plan-review-1.md', 'tasks-review-1.md', 'all-code-review-1.md'],
    ...TASKS.flatMap((task) => [`task-${task}.md`, `task-${task}-review-1.md`]),
  ],
  rows: TASKS,
  pending: [],
  firstReviewer: 'opus',
};

/** Every action that fits, by the function the command itself asks; and a person who says that it is over. */
function commands(from: Node, record: Record): Edge<Node>[] {
  const edges = [edge('next_phase null, the written way out', { ...from, next: null })];
  for (const action of ACTIONS)
    for (const task of needsTask(action) ? TASKS : ['']) {
      const made = record(action, task, stateOf(from), HELD);
      const what = `record ${action}${task === '' ? '' : ` --task ${task}`}`;
      if (made.kind === 'change') edges.push(edge(what, written(from, made.fields)));
    }
  return edges;
}

function edge(what: string, to: Node): Edge<Node> {
  return { by: 'command', what: () => what, to, answer: null, about: what, combinations: 1, broken: null };
}

/** A command that starts a cycle begins a new history. */
function written(from: Node, fields: Partial<StateFields>): Node {
  const { current_task, phase, phase_iteration, next_phase, review_model, consecutive_clean, tdd } = fields;
  const reset = consecutive_clean === 0 ? { streak: 0, streakOf: 'none' as const } : {};
  return {
    ...from,
    currentTask: current_task === undefined ? from.currentTask : current_task,
    phase: phase ?? from.phase,
    iteration: phase_iteration === undefined ? from.iteration : phase_iteration,
    next: next_phase === undefined ? from.next : next_phase,
    model: review_model ?? from.model,
    clean: consecutive_clean ?? from.clean,
    tdd: tdd ?? from.tdd,
    ...reset,
  };
}

export function aboutOf(step: Step<Change>): string {
  if (step.kind === 'hold') return step.message.name;
  return step.kind === 'allow' ? (step.notice?.name ?? 'nothing said') : step.kind;
}
