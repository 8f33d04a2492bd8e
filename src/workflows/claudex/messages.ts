// The words for every step: message files with their slots filled from what was read.

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import { DOCKET } from '../../engine/docket/keep.ts';
import { sayClosing, sayOpen } from '../../engine/docket/words.ts';
import type { Message } from '../../engine/step.ts';
import { below } from '../../store/paths.ts';
import { render, type Slots } from '../../text/render.ts';
import { shellQuote } from '../../text/shell.ts';
import { explainExit } from './exit-codes.ts';
import { planFile, shown } from './files.ts';
import complete from './messages/complete.md';
import draft from './messages/draft.md';
import draftAgain from './messages/draft-again.md';
import howClaudeCode from './messages/how-claude-code.md';
import howCodex from './messages/how-codex.md';
import howGeneric from './messages/how-generic.md';
import released from './messages/released.md';
import review from './messages/review.md';
import reviewMissing from './messages/review-missing.md';
import reviewRunning from './messages/review-running.md';
import round from './messages/round.md';
import stillRunning from './messages/still-running.md';
import stopped from './messages/stopped.md';
import stoppedUnreviewed from './messages/stopped-unreviewed.md';
import variables from './messages/variables.md';
import wait from './messages/wait.md';
import type { World } from './observe.ts';
import { personaOf } from './personas.ts';
import { readExitCode } from './review-progress.ts';
import { describeRound, elapsed, lastReviewed, roundsTable, shorten, verdictOn } from './summary.ts';
import { explainBad } from './variables.ts';

export function say(message: Message, world: World, context: RunContext): string {
  const speak = SPEAKERS[message.name];
  if (speak === undefined) throw new Error(`claudex has no message ${message.name}`);
  // A slot that stayed empty leaves no gap.
  return speak(message.slots, world, context).replace(/\n{3,}/g, '\n\n');
}

/** A round is a new task each time; a plan that is still to be drafted is not. */
export function sayAgain(
  { name, slots }: Message,
  world: World,
  context: RunContext,
): { text: string; task: string } | null {
  if (name !== 'draft') return null;
  return { text: render(draftAgain, draftSlots(slots, world, context)), task: world.loop.topic };
}

type Speaker = (slots: Slots, world: World, context: RunContext) => string;

const SPEAKERS: Readonly<Record<string, Speaker>> = {
  draft: (slots, world, context) =>
    render(draft, { ...draftSlots(slots, world, context), topic: shorten(world.loop.topic, 400) }),

  round: (slots, world, context) => {
    const number = Number(slots.round);
    return render(round, {
      round: number,
      max: slots.max ?? 0,
      label: personaOf(number).label,
      previous: number > 1 ? `**Previous round:** ${describeRound(world, number - 1)}` : '',
      runner: shellQuote(world.files.runner),
      how: howToRun(world, context),
      reviewer: world.reviewer.title,
      findings: shown(world.dir, world.files.findings(number)),
      docket: openFindings(world),
      cli: context.project.cli,
      id: world.id,
    });
  },

  wait: (slots, world, { project }) =>
    render(wait, {
      round: slots.round ?? 0,
      findings: shown(world.dir, world.files.findings(Number(slots.round))),
      cli: project.cli,
      id: world.id,
    }),

  complete: (_, world, { project }) =>
    render(complete, {
      ...{ ...summary(world, project.now), docket: closingAccounts(world) },
      verdict: verdictOn(world),
    }),

  // More rounds help nobody whose reviewer cannot be run.
  stopped: (_, world, { project }) => {
    const slots = { ...summary(world, project.now), last: lastFindings(world), cli: project.cli };
    return lastReviewed(world) === null
      ? render(stoppedUnreviewed, slots)
      : render(stopped, { ...slots, docket: closingAccounts(world), more: world.maxRounds + 2 });
  },

  review: (_, world, context) =>
    render(review, {
      runner: shellQuote(world.files.runner),
      how: howToRun(world, context),
      review: shown(world.dir, world.files.review),
      fixes: shown(world.dir, world.files.proposedFixes),
    }),

  'still-running': (slots, world, { project }) =>
    render(stillRunning, { round: slots.round ?? 0, id: world.id, cli: project.cli }),

  'review-running': (_, world, { project }) =>
    render(reviewRunning, {
      id: world.id,
      review: shown(world.dir, world.files.review),
      cli: project.cli,
    }),

  'review-missing': (_, world, { project }) =>
    render(reviewMissing, {
      id: world.id,
      how: howItEnded(world),
      reviewer: world.reviewer.title,
      missing: `${shown(world.dir, world.files.review)} or ${shown(world.dir, world.files.proposedFixes)}`,
      cli: project.cli,
    }),

  variables: (slots) =>
    render(variables, { explained: String(slots.names).split(' ').map(explainBad).join(' ') }),

  released: (slots, world, { project }) =>
    render(released, {
      id: world.id,
      outstanding:
        slots.phase === 'drafting'
          ? 'a draft in PLAN.md'
          : `round ${slots.round} of ${slots.max}, ${personaOf(Number(slots.round)).label}`,
      holds: String(slots.holds),
      cli: project.cli,
    }),
};

function draftSlots({ plan = '' }: Slots, { dir, id }: World, { project: { cli } }: RunContext): Slots {
  return { what: WHY_NO_DRAFT[plan] ?? '', plan: shown(dir, planFile(dir)), cli, id };
}

/** Empty: no round was left behind by this stop, or it found nothing. */
function openFindings({ docket: taken, dir, files }: World): string {
  if (taken === undefined) return '';
  const docket = shown(dir, below(files.folder, DOCKET));
  const where = 'the `## Changelog` section of `PLAN.md`';
  return sayOpen(taken.docket, { docket, where, review: taken.review, cut: 0, refused: taken.refused });
}

function closingAccounts({ docket: taken, dir, files }: World): string {
  return taken === undefined ? '' : sayClosing(taken.docket, shown(dir, below(files.folder, DOCKET)));
}

const WHY_NO_DRAFT: Readonly<Record<string, string>> = {
  missing: 'There is no `PLAN.md` yet.',
  empty: '`PLAN.md` is empty.',
  unchanged:
    '`PLAN.md` is still what it was before this loop began: replace it or revise it. (To have it reviewed as it is: cancel, and start again with `--from-draft`.)',
};

function lastFindings(world: World): string {
  const last = Math.min(world.loop.round, world.maxRounds);
  const reviewed = lastReviewed(world);
  if (reviewed === null) return 'No round was reviewed, so nobody but its author has looked at the plan.';
  const file = `\`${shown(world.dir, world.files.findings(reviewed))}\``;
  if (reviewed === last) return `The last findings are in ${file}.`;
  return `Round ${last} was not reviewed, so nobody has looked at the plan as it is now. The last findings, those of round ${reviewed}, are in ${file}.`;
}

/** Of the one round that a review of a diff has. */
function howItEnded({ dir, files, loop, reviewer }: World): string {
  const code = readExitCode(dir, files, loop.round);
  return code === null
    ? 'Its runner was not run to its end.'
    : `Its runner ended with ${explainExit(code, reviewer)}.`;
}

function howToRun(world: World, { stop, project }: RunContext): string {
  const slots = { cli: project.cli, id: world.id };
  switch (clientNamed(stop.client).longCommands) {
    case 'wakes':
      return render(howClaudeCode, {});
    case 'sandboxed':
      return render(howCodex, { ...slots, reviewer: anotherFor(world) });
    default:
      return render(howGeneric, slots);
  }
}

/** In a session of Codex: another one of it, or another program. */
function anotherFor({ reviewer: { program, title } }: World): string {
  return program === 'codex' ? `another ${title}` : title;
}

function summary(world: World, now: number): Slots {
  return {
    topic: shorten(world.loop.topic, 400),
    count: Math.min(world.loop.round, world.maxRounds),
    max: world.maxRounds,
    elapsed: elapsed(world.loop.startedAtMs, now),
    table: roundsTable(world),
  };
}
