// What a flow says: to the agent the text of the state it is in, to the user how it goes. One markdown file per message;
// the flow's own texts come out of its definition, and their slots are filled once, so that what a task says is never
// taken for a slot.

import type { RunContext } from '../../engine/context.ts';
import { runName } from '../../engine/context.ts';
import type { Message } from '../../engine/step.ts';
import { render, type Slots } from '../../text/render.ts';
import checkLost from './messages/check-lost.md';
import completed from './messages/completed.md';
import differs from './messages/differs.md';
import hold from './messages/hold.md';
import letGo from './messages/let-go.md';
import limit from './messages/limit.md';
import nearCode from './messages/near-code.md';
import nearPlace from './messages/near-place.md';
import nearSpelling from './messages/near-spelling.md';
import noTime from './messages/no-time.md';
import paused from './messages/paused.md';
import released from './messages/released.md';
import reviewFailed from './messages/review-failed.md';
import reviewGivenUp from './messages/review-given-up.md';
import taskBefore from './messages/task-before.md';
import unreadable from './messages/unreadable.md';
import { runFolder } from './names.ts';
import type { World } from './observe.ts';
import { own } from './stand.ts';
import { fillSay, taskOf } from './texts.ts';
import { whyNoVerdict } from './why-no-verdict.ts';

export function say(message: Message, world: World, context: RunContext): string {
  const speak = Object.hasOwn(SPEAKERS, message.name) ? SPEAKERS[message.name] : undefined;
  if (speak === undefined) throw new Error(`flow has no message ${message.name}`);
  return speak(message.slots, world, context);
}

/** All but the task, which the agent was given before in this very state. */
export function sayAgain(
  { name, slots }: Message,
  world: World,
  context: RunContext,
): { text: string; task: string } | null {
  const template = name === 'say' ? templateOf(String(slots.state), world) : null;
  if (!template?.includes('{{task}}')) return null;
  const task = taskOf(context.project.root, context.run);
  if (task.length <= TASK_BEFORE.length) return null;
  return { text: holdWith(slots, world, context, TASK_BEFORE), task: `${slots.state} ${task}` };
}

const TASK_BEFORE = taskBefore.trimEnd();

/** Why a signal did not count; nothing where there was none. */
const hints: ReadonlyMap<unknown, string> = new Map([
  ['place', `${nearPlace.trimEnd()}\n\n`],
  ['code', `${nearCode.trimEnd()}\n\n`],
  ['spelling', `${nearSpelling.trimEnd()}\n\n`],
]);

type Speaker = (slots: Slots, world: World, context: RunContext) => string;

const SPEAKERS: Readonly<Record<string, Speaker>> = {
  say: (slots, world, context) => holdWith(slots, world, context),
  paused: (slots, world, context) =>
    render(paused, {
      ...about(world, context),
      state: slots.state ?? '',
      say: sentence(slots, world, context),
    }),
  completed: (slots, world, context) =>
    render(completed, { flow: flowOf(world), holds: holdsOf(world), say: sentence(slots, world, context) }),
  'let-go': (slots, world, context) =>
    render(letGo, {
      ...{ flow: flowOf(world), state: slots.state ?? '', holds: holdsOf(world) },
      say: sentence(slots, world, context),
    }),
  limit: (slots, world, { project }) => render(limit, { ...slots, flow: flowOf(world), cli: project.cli }),
  differs: (_, world, context) =>
    render(differs, { ...about(world, context), file: `${runFolder(context.run)}/definition.json` }),
  'check-lost': ({ check = '', end }, world, { project }) =>
    render(checkLost, {
      ...{ flow: flowOf(world), state: world.run?.at ?? '', check, cli: project.cli },
      end: end === 'untrusted' ? 'is not trusted' : 'cannot run',
    }),
  'no-time': ({ check = '' }, world, context) =>
    render(noTime, {
      ...{ check, run: nameOf(context), state: world.run?.at ?? '' },
      how: howToHaveTime(context),
    }),
  'review-failed': ({ review = '', failures = 0, ...why }, _, context) =>
    render(reviewFailed, { review, run: nameOf(context), failures, why: whyNoVerdict(why) }),
  'review-given-up': ({ review = '', failures = 0, ...why }, world, context) =>
    render(reviewGivenUp, { ...about(world, context), review, failures, why: whyNoVerdict(why) }),
  unreadable: ({ what = '' }, _, context) =>
    render(unreadable, {
      ...{ what, cli: context.project.cli, run: nameOf(context) },
      file: `${runFolder(context.run)}/${what}.json`,
    }),
  released: ({ state = '', holds = '' }, world, context) =>
    render(released, { ...about(world, context), state, holds }),
};

const flowOf = ({ definition, run }: World): string => definition?.flow ?? run?.flow ?? 'unknown';

const nameOf = ({ run }: RunContext): string => runName('flow', run);

function about(world: World, context: RunContext): Slots & { flow: string } {
  return { flow: flowOf(world), run: nameOf(context), cli: context.project.cli };
}

/** Fired by hand there is a limit too, but nobody to raise it for. */
function howToHaveTime(context: RunContext): string {
  const { stop, project } = context;
  if (stop.limitS === undefined) return '';
  if (stop.limitS === 0)
    return ` How long the client lets this hook run is not known; to go on in one that says it: ${project.cli} adopt ${nameOf(context)}`;
  return ` The client ends this hook after ${stop.limitS} s, of which 60 are kept back: where the check needs longer, raise the hook's timeout, and the \`--limit\` in its command.`;
}

function holdsOf({ run }: World): string {
  const held = run?.held ?? 0;
  return held === 1 ? '1 hold' : `${held} holds`;
}

function holdWith(slots: Slots, world: World, context: RunContext, task?: string): string {
  const { state = '', hold: number = 0, most = 0, nearMiss } = slots;
  const template = templateOf(String(state), world);
  const text = template === null ? '' : fillSay(template, slots, world, context, task);
  const hint = hints.get(nearMiss) ?? '';
  return render(hold, { flow: flowOf(world), state, hold: number, most, hint, say: text });
}

/** The text of a state as its definition has it; null: it has none. */
function templateOf(state: string, { definition }: World): string | null {
  return (definition === null ? undefined : own(definition.states, state))?.say ?? null;
}

/** In one paragraph, for a notice. */
function sentence(slots: Slots, world: World, context: RunContext): string {
  const template = templateOf(String(slots.state ?? ''), world);
  return template === null ? '' : ` ${fillSay(template, slots, world, context).replace(/\s+/g, ' ').trim()}`;
}
