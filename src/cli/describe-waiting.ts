// What `status` says of a run that waits: for what, for how long now, when it is over, and how it goes on.

import { endOfWait } from '../engine/waiting/clock.ts';
import { isUnshown } from '../engine/waiting/wait.ts';
import type { Waiting } from '../store/records.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { describeSpan } from './times.ts';

/** Whole sentences, without the run's name. */
export function describeWaiting(waiting: Waiting, run: string, now: number): string {
  // It is read from a file in the project, which may come from anywhere.
  const what = inOneParagraph(waiting.what, 2_000);
  const so = describeSpan(Math.max(0, now - waiting.since));
  const left = describeSpan(Math.max(0, endOfWait(waiting) - now));
  switch (waiting.for) {
    case 'work':
      return `It has waited for work in the background for ${so}: ${what}. When that ends, its client wakes the agent; in ${left} it is held again either way.`;
    case 'person':
      return isUnshown(waiting)
        ? `It has a question for you, shown when its agent ends the turn: ${what}`
        : `It asked you ${so} ago: ${what} (Answer in its session, and it goes on; or go on without an answer in another one: \`holdfast adopt ${run}\`. In ${left} it no longer waits.)`;
    case 'limit':
      return waiting.reviewer === undefined
        ? `It has waited for ${so}: ${limitOf(what)}. ${endOf(waiting, left)} It goes on at the next stop of its session.`
        : `Its review has waited for ${so}: ${waiting.reviewer} is at a usage limit. ${endOf(waiting, left)} The first stop after that runs it.`;
  }
}

function limitOf(word: string): string {
  return LIMITS[word] ?? word;
}

const LIMITS: Readonly<Record<string, string>> = {
  rate_limit: 'its session is at a usage limit',
  server_error: 'the server of its model answered with an error, so type something in its session',
  authentication_failed: 'its client is no longer logged in, so log in there',
  billing_error: 'its client reports a problem with billing, so look there',
};

/** Where nobody knows it, we only know when we look again. */
function endOf({ until, reviewer }: Waiting, left: string): string {
  if (until !== null) return `That ends in ${left}.`;
  return reviewer === undefined
    ? `When that ends is not known; it counts as waiting for ${left} more.`
    : `When that ends is not known; it is tried again in ${left}.`;
}
