// The words for every step: message files with their slots filled from what was read.

import { isCheckName } from '../../config/check.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Message } from '../../engine/step.ts';
import { render, type Slots } from '../../text/render.ts';
import { FALLBACK_FILE, LOG_FILE } from './files.ts';
import goOn from './messages/continue.md';
import corrupt from './messages/corrupt.md';
import endingGrind from './messages/ending-grind.md';
import endingIssue from './messages/ending-issue.md';
import endingLoop from './messages/ending-loop.md';
import endingUntil from './messages/ending-until.md';
import lost from './messages/lost.md';
import maximum from './messages/maximum.md';
import maximumInner from './messages/maximum-inner.md';
import nearCode from './messages/near-code.md';
import nearPlace from './messages/near-place.md';
import nearSpelling from './messages/near-spelling.md';
import released from './messages/released.md';
import stale from './messages/stale.md';
import taskWhole from './messages/task.md';
import taskBefore from './messages/task-before.md';
import taskBeforeCut from './messages/task-before-cut.md';
import taskCut from './messages/task-cut.md';
import taskUnknown from './messages/task-unknown.md';
import unknownMode from './messages/unknown-mode.md';
import unreadable from './messages/unreadable.md';
import type { Mode } from './modes.ts';
import type { World } from './observe.ts';
import { type Task, taskOfFrame } from './task.ts';

export function say(message: Message, world: World, context: RunContext): string {
  const speak = SPEAKERS[message.name];
  if (speak === undefined) throw new Error(`idle has no message ${message.name}`);
  return speak(message.slots, world, context);
}

/** All but the task, which the agent was given before. */
export function sayAgain(
  { name, slots }: Message,
  world: World,
  context: RunContext,
): { text: string; task: string } | null {
  if (name !== 'continue') return null;
  const task = taskAt(slots, world, context);
  if (task === null) return null;
  const before = task.cutFrom === null ? taskBefore : render(taskBeforeCut, { file: task.cutFrom });
  const whole = describeTask(task);
  if (before.length >= whole.length) return null;
  return { text: continueWith(before.trimEnd(), slots, world), task: `${slots.position} ${whole}` };
}

/** How the agent ends a loop of this mode. */
export const endings: Readonly<Record<Mode, string>> = {
  loop: endingLoop.trimEnd(),
  issue: endingIssue.trimEnd(),
  grind: endingGrind.trimEnd(),
};

/** The same of a frame that goes on until a check passes: that ends it, and no signal. */
export function endingOf(mode: Mode, until: unknown): string {
  if (typeof until !== 'string' || !isCheckName(until)) return endings[mode];
  const stuck = mode === 'grind' ? '<grind-done>MAX_ISSUES</grind-done>' : '<loop-done>STUCK</loop-done>';
  return render(endingUntil, { until, stuck }).trimEnd();
}

export function describeTask(task: Task | null): string {
  if (task === null) return render(taskUnknown, {});
  if (task.cutFrom === null) return render(taskWhole, { text: task.text });
  return render(taskCut, { text: task.text, file: task.cutFrom });
}

/** Why a signal did not count; nothing where there was none. */
const hints: ReadonlyMap<unknown, string> = new Map([
  ['place', `${nearPlace.trimEnd()}\n\n`],
  ['code', `${nearCode.trimEnd()}\n\n`],
  ['spelling', `${nearSpelling.trimEnd()}\n\n`],
]);

type Speaker = (slots: Slots, world: World, context: RunContext) => string;

const SPEAKERS: Readonly<Record<string, Speaker>> = {
  continue: (slots, world, context) =>
    continueWith(describeTask(taskAt(slots, world, context)), slots, world),
  stale: withCommand(stale),
  released: withCommand(released),
  maximum: ({ max }, _, { project }) => render(maximum, { max: max ?? 0, cli: project.cli }),
  'maximum-inner': ({ max, kept }, _, { project }) =>
    render(maximumInner, {
      max: max ?? 0,
      loops: kept === 1 ? 'another one is' : `${kept} others are`,
      cli: project.cli,
    }),
  corrupt: (_, world) =>
    render(corrupt, { file: world.found.source === 'file' ? '.holdfast/idle' : LOG_FILE }),
  'unknown-mode': (_, { found }, { project }) =>
    render(unknownMode, { mode: quote(found.raw?.stack.at(-1)?.mode), cli: project.cli }),
  unreadable: (_, { found }, { project }) =>
    render(unreadable, { file: found.source === 'file' ? FALLBACK_FILE : LOG_FILE, cli: project.cli }),
  lost: (_, __, { project }) => render(lost, { file: LOG_FILE, cli: project.cli }),
};

function taskAt({ position }: Slots, { found }: World, { project }: RunContext): Task | null {
  return taskOfFrame(found.raw?.stack[Number(position)], found, project.root);
}

function continueWith(task: string, slots: Slots, { found }: World): string {
  const { position, nearMiss, claim: _, until: __, ...counts } = slots;
  const mode = found.state.kind === 'loop' ? found.state.stack[Number(position)]?.mode : undefined;
  return render(goOn, {
    ...{ ...counts, task, hint: hints.get(nearMiss) ?? '' },
    ending: endingOf(
      mode === undefined || mode === 'unknown' ? 'loop' : mode,
      found.raw?.stack[Number(position)]?.until,
    ),
  });
}

function withCommand(template: string): Speaker {
  return (slots, _, { project }) => render(template, { ...slots, cli: project.cli });
}

/** Outside data on one line, short, and plainly marked as such. */
function quote(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 40) : (value ?? null)).slice(0, 60);
}
