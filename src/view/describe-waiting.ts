// What `status` says of a run that waits: for what, for how long now, when that is over, and how it goes on.

import type { Project } from '../engine/project.ts';
import { endOfWait, isOver } from '../engine/waiting/clock.ts';
import { isUnshown } from '../engine/waiting/wait.ts';
import type { Sidecar, Waiting } from '../store/records.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { shownWord } from '../text/quoted.ts';
import { describeSpan, describeTime } from './times.ts';

type RunThatWaits = { name: string; sidecar: Sidecar };

/** Of a live run. Null: there is nothing to say. */
export function describeWait({ name, sidecar }: RunThatWaits, { now }: Pick<Project, 'now'>): string | null {
  const { waiting } = sidecar;
  if (waiting === undefined) return null;
  return isOver(waiting, now) ? describeLapsed(waiting, name, now) : describeWaiting(waiting, name, now);
}

/** Whole sentences, without the run's name. */
export function describeWaiting(waiting: Waiting, run: string, now: number): string {
  const end = endOfWait(waiting);
  const times: Times = {
    so: describeSpan(Math.max(0, now - waiting.since)),
    left: describeSpan(Math.max(0, end - now)),
    end: `${describeTime(end)} (in ${describeSpan(Math.max(0, end - now))})`,
  };
  // It is read from a file in the project, which may come from anywhere.
  const said = {
    ...waiting,
    what: inOneParagraph(waiting.what, 2_000),
    ...(waiting.reviewer === undefined ? {} : { reviewer: inOneParagraph(waiting.reviewer, 40) }),
  };
  if (said.for === 'work')
    return `It has waited for ${times.so} for what runs in the background: ${said.what}. Its client wakes the agent when that ends; in ${times.left} at the latest it is held again.`;
  if (said.for === 'person') return question(said, run, times);
  return said.reviewer === undefined ? limit(said, times) : reviewersLimit(said, times);
}

/** A wait whose time is up, though no stop has seen that yet. */
function describeLapsed(waiting: Waiting, run: string, now: number): string | null {
  // One that a stop has seen.
  if (endOfWait(waiting) <= waiting.since) return null;
  const so = describeSpan(Math.max(0, now - waiting.since));
  const what = inOneParagraph(waiting.what, 2_000);
  const there = `in its session, or in another one after \`holdfast adopt ${shownWord(run)}\` there.`;
  // The session may be in the middle of a turn.
  const unseen = `and has not stopped since. If nothing goes on there, type something ${there}`;
  if (waiting.for === 'work')
    return `Its agent began to wait for what runs in the background (${what}) ${so} ago, longer than it may, ${unseen}`;
  if (waiting.pause)
    return `It was paused for you ${so} ago, and no longer waits. To go on, type something ${there}`;
  if (waiting.for === 'person')
    return `It asked you ${so} ago, and no longer waits for the answer: ${quoted(what)} To go on, answer it all the same, ${there}`;
  if (waiting.reviewer !== undefined)
    return `The usage limit of ${inOneParagraph(waiting.reviewer, 40)} should be over: its next stop can have the review.`;
  const met = what === 'rate_limit' ? 'met a usage limit' : `ended with an error (${what})`;
  return `Its session ${met} ${so} ago, which should be over, ${unseen}`;
}

/** Since when, for how long at most, and when that is. */
type Times = { so: string; left: string; end: string };

function question(waiting: Waiting, run: string, { so, left }: Times): string {
  const { what } = waiting;
  if (waiting.pause)
    return `It has been paused for you for ${so}. Type in its session how to go on, or in another one after \`holdfast adopt ${shownWord(run)}\` there. It waits for ${left} more. What it said: ${what}`;
  if (isUnshown(waiting))
    return `It has a question for you, which is shown when the agent ends its turn: ${what}`;
  return `It asked you ${so} ago: ${quoted(what)} Answer it in its session, or in another one after \`holdfast adopt ${shownWord(run)}\` there. It waits for ${left} more.`;
}

/** As a sentence. */
function quoted(what: string): string {
  return /[?.!\u2026]$/.test(what) ? what : `“${what}”.`;
}

function limit({ what, until }: Waiting, { so, left, end }: Times): string {
  if (what !== 'rate_limit')
    return `${LIMITS[what]?.(so) ?? `Its session ended with “${what}” ${so} ago. Type`} something in its session to go on; in ${left} it no longer waits.`;
  return until === null
    ? `Its session has been at a usage limit for ${so}, and nobody knows until when. Once it is over, type something in its session; in ${left} it no longer waits.`
    : `Its session has been at a usage limit for ${so}, until ${end}. It goes on when its client does.`;
}

/** Each up to what is to be typed. */
const LIMITS: Readonly<Record<string, (so: string) => string>> = {
  server_error: (so) => `The server of its model answered with an error ${so} ago. Type`,
  authentication_failed: (so) => `Its client could not log in ${so} ago. Log in there, then type`,
  billing_error: (so) => `Its client reported a problem with billing ${so} ago. Once that is settled, type`,
};

function reviewersLimit({ reviewer, until }: Waiting, { end }: Times): string {
  return until === null
    ? `Its review waits: ${reviewer} is at a usage limit and does not say until when. The first stop after ${end} tries it again.`
    : `Its review waits: ${reviewer} is at a usage limit until ${end}. The first stop after that runs it.`;
}
