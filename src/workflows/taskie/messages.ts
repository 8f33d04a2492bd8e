// What the hook says about a plan: one markdown file per message, its slots filled here.

import type { RunContext } from '../../engine/context.ts';
import type { Message } from '../../engine/step.ts';
import { below } from '../../store/paths.ts';
import type { Slots } from '../../text/render.ts';
import { tableLookedAt, unfinishedTasks } from './look.ts';
import belowFloor from './messages/below-floor.md';
import checksRefused from './messages/checks-refused.md';
import holdAllCodeReview from './messages/hold-all-code-review.md';
import holdCodeReview from './messages/hold-code-review.md';
import holdPlanReview from './messages/hold-plan-review.md';
import holdTasksReview from './messages/hold-tasks-review.md';
import limitReached from './messages/limit-reached.md';
import noCurrentTask from './messages/no-current-task.md';
import noTaskFile from './messages/no-task-file.md';
import noTasks from './messages/no-tasks.md';
import outstanding from './messages/outstanding.md';
import passed from './messages/passed.md';
import passedRowPending from './messages/passed-row-pending.md';
import released from './messages/released.md';
import reviewFailed from './messages/review-failed.md';
import reviewGivenUp from './messages/review-given-up.md';
import reviewMissing from './messages/review-missing.md';
import reviewerRefused from './messages/reviewer-refused.md';
import reviewsOff from './messages/reviews-off.md';
import standInText from './messages/stand-in.md';
import stepsBefore from './messages/steps-before.md';
import tablePlain from './messages/table-plain.md';
import tableRowsLeftOut from './messages/table-rows-left-out.md';
import tableStatusUnclear from './messages/table-status-unclear.md';
import tableSubtasksPending from './messages/table-subtasks-pending.md';
import unread from './messages/unread.md';
import validated from './messages/validated.md';
import validatedStateBroken from './messages/validated-state-broken.md';
import validatedStateUnsound from './messages/validated-state-unsound.md';
import violations from './messages/violations.md';
import { planFolder, planOption } from './names.ts';
import type { World } from './observe.ts';
import { renderForPlan } from './render-for-plan.ts';
import { accountsAtEnd, docketInHold } from './say-docket.ts';
import { LEFT_OUT, tableWarning } from './table-warning.ts';
import { listed, type TaskTable, tableFacts, unclearWords } from './task-status.ts';
import { whyNoVerdict } from './why-no-verdict.ts';

const templates: Readonly<Record<string, string>> = {
  'below-floor': belowFloor,
  'checks-refused': checksRefused,
  'hold-all-code-review': holdAllCodeReview,
  'hold-code-review': holdCodeReview,
  'hold-plan-review': holdPlanReview,
  'hold-tasks-review': holdTasksReview,
  'limit-reached': limitReached,
  'no-current-task': noCurrentTask,
  'no-task-file': noTaskFile,
  'no-tasks': noTasks,
  outstanding,
  passed,
  'passed-row-pending': passedRowPending,
  released,
  'review-failed': reviewFailed,
  'review-given-up': reviewGivenUp,
  'review-missing': reviewMissing,
  'reviewer-refused': reviewerRefused,
  'reviews-off': reviewsOff,
  'stand-in': standInText,
  'steps-before': stepsBefore,
  'table-plain': tablePlain,
  'table-rows-left-out': tableRowsLeftOut,
  'table-status-unclear': tableStatusUnclear,
  'table-subtasks-pending': tableSubtasksPending,
  unread,
  validated,
  'validated-state-broken': validatedStateBroken,
  'validated-state-unsound': validatedStateUnsound,
  violations,
};

/** `world` as this stop's commit left it. */
export function say(message: Message, context: RunContext, world?: World): string {
  const { run } = context;
  const everywhere = { ...placeSlots(message, context, world), ...tableSlots(message, context, world) };
  if (message.name.startsWith('hold-'))
    return holdWith(message, templateOf(message.name), everywhere, context, world);
  return [sayPlainly(message, everywhere, run), accountsAtEnd(message, world, context)].join(' ').trimEnd();
}

/** For an agent that was given the steps before, for this very review. */
export function sayAgain(
  message: Message,
  context: RunContext,
  world?: World,
): { text: string; task: string } | null {
  const { name, slots } = message;
  if (!name.startsWith('hold-')) return null;
  const [first = '', , ...rest] = templateOf(name).split('\n\n');
  const template = [first.replace(/:$/, ', by the same steps as before.'), stepsBefore.trimEnd(), ...rest];
  const everywhere = { ...placeSlots(message, context, world), action: name.replace('hold-', 'post-') };
  return {
    text: holdWith(message, template.join('\n\n'), everywhere, context, world),
    task: `${name} ${slots.post}`,
  };
}

function holdWith(
  message: Message,
  template: string,
  everywhere: Slots,
  context: RunContext,
  world: World | undefined,
): string {
  const { floor, standIn, reviewer: _, unread, ...slots } = message.slots;
  const counted = unread === undefined ? sayFloor(floor) : fill('unread', {});
  const docket = [counted, docketInHold(message, world, context)].filter((part) => part !== '');
  const text = fillIn(template, slots, { ...everywhere, docket: docket.join('\n\n') }, message.name);
  // Where there is no docket there is no gap.
  const after = standIn === undefined ? '' : `\n\n${sayStandIn(String(standIn))}`;
  return `${text.replace(/\n{3,}/g, '\n\n')}${after}`;
}

function placeSlots({ slots }: Message, { project, run }: RunContext, world: World | undefined): Slots {
  return {
    cli: project.cli,
    folder: below(project.root, planFolder(world?.folder.name ?? run)),
    option: planOption(run),
    why: whyNoVerdict(slots),
  };
}

function sayPlainly({ name, slots }: Message, everywhere: Slots, plan: string): string {
  // A seal only tells one occasion from the next; nobody wants to read it.
  const { seal: _, warning, cause, code, floor, reviewer, standIn, ...own } = slots;
  const said = floor === undefined ? '' : ` ${sayFloor(floor)}`;
  const after = standIn === undefined ? '' : `\n\n${sayStandIn(String(standIn))}`;
  if (warning === undefined) return `${fill(name, own, everywhere)}${said}${after}`;
  // Said after the message itself: what is wrong with the table of tasks.md.
  const { rows, ...rest } = own;
  const slotsOf = (each: string): Slots => (each === LEFT_OUT && rows !== undefined ? { rows } : {});
  const warnings = String(warning)
    .split(' ')
    .map((each) => fill(each, { plan, ...slotsOf(each) }, everywhere));
  return `${fill(name, { ...rest, ...slotsOf(name) }, everywhere)}${said} ${warnings.join(' ')}`;
}

/** A step says how many there are; which they are stands in the table. */
function tableSlots({ name, slots }: Message, { project }: RunContext, world: World | undefined): Slots {
  if (!`${name} ${slots.warning ?? ''}`.includes('table-')) return {};
  const table = world === undefined ? null : tableLookedAt(project.root, world.folder);
  if (world === undefined || table === null) return UNNAMED;
  return tableWords(table, unfinishedTasks(table, project.root, world.folder));
}

const UNNAMED: Slots = {
  words: '`holdfast taskie validate` lists them',
  unfinished: 'see `holdfast taskie validate`',
};

const tableWords = (table: TaskTable, unfinished: readonly string[]): Slots => ({
  words: unclearWords(table),
  unfinished: listed(unfinished),
});

function sayFloor(floor: string | number | undefined): string {
  return floor === undefined ? '' : fill('below-floor', { severity: floor });
}

/** For the commands too: it is said before the first review. */
export function sayStandIn(program: string): string {
  return fill('stand-in', { program });
}

/** Null when there is nothing to warn of. For the commands, which read the table themselves. */
export function sayTableWarning(
  plan: string,
  table: TaskTable,
  unfinished: readonly string[],
): string | null {
  const warning = tableWarning(plan, tableFacts(table, unfinished));
  return warning === null ? null : sayPlainly(warning, tableWords(table, unfinished), plan);
}

function fill(name: string, slots: Slots, everywhere: Slots = {}): string {
  return fillIn(templateOf(name), slots, everywhere, name);
}

function templateOf(name: string): string {
  const template = templates[name];
  if (template === undefined) throw new Error(`taskie has no message called ${name}`);
  return template;
}

function fillIn(template: string, slots: Slots, everywhere: Slots, name: string): string {
  const wanted = Object.entries(everywhere).filter(([slot]) => template.includes(`{{${slot}}}`));
  return renderForPlan(template, { ...slots, ...Object.fromEntries(wanted) }, name);
}
