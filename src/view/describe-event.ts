// What happened to a run between its stops, in a few words: for the log and the views.

import { ACCEPTED, reasonInShort } from '../engine/proof/describe.ts';
import type { WaitEntry, WorkEntry } from '../store/journal-events.ts';
import type { EndEntry, JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { describeBudgetEvent } from './describe-budget.ts';
import { describeDrive } from './describe-drive.ts';
import { describeReview } from './describe-review.ts';
import { describeEnd, endFrom, type RunEnd } from './run-state.ts';

export function describeEvent(entry: Exclude<JournalEntry, StopEntry>): string {
  const who = entry.session === null ? 'in a terminal' : `in session ${entry.session.slice(0, 8)}`;
  switch (entry.event) {
    case 'start':
      return `started ${who}`;
    case 'adopt':
      return `adopted ${who}`;
    case 'cancel':
      return `cancelled ${who}`;
    case 'review':
      return describeReview(entry);
    case 'budget':
      return describeBudgetEvent(entry);
    case 'end':
      // What a person can raise is no end yet.
      return entry.outcome === 'paused' ? 'paused: its budget is spent' : describeEnd(recordedEnd(entry));
    case 'drive':
      return describeDrive(entry);
    case 'work':
      return work(entry);
    case 'wait':
      return wait(entry);
    case 'question':
      return entry.what === 'asked' ? 'its agent asked you something' : 'its question was answered';
    case 'accept':
      return `the check ${inOneParagraph(entry.name, 60)} may be red: ${ACCEPTED[entry.by]}`;
    case 'notify':
      return `nobody was called by ${inOneParagraph(entry.by, 60)} about ${inOneParagraph(entry.on, 40)}: ${inOneParagraph(entry.why, 200)}`;
  }
}

function recordedEnd({ outcome, proof, why = [] }: EndEntry): RunEnd {
  return endFrom({ outcome, at: null, worth: proof ?? null, why: why.map(reasonInShort) });
}

function work(entry: WorkEntry): string {
  const name = `the ${entry.work} ${inOneParagraph(entry.name, 120)}`;
  if (entry.what === 'began') return `${name} began`;
  const took = entry.milliseconds === null ? '' : ` after ${Math.round(entry.milliseconds / 1000)} s`;
  const code = entry.code === null || entry.code === 0 ? '' : `, exit code ${entry.code}`;
  return `${name}: ${inOneParagraph(entry.end, 40)}${took}${code}`;
}

function wait({ what, for: awaited, until, reviewer }: WaitEntry): string {
  const whose = reviewer === undefined ? 'a limit' : `a limit of ${inOneParagraph(reviewer, 40)}`;
  const named = { work: 'what runs in the background', person: 'you', limit: whose }[awaited];
  if (what === 'ended') return `it no longer waits for ${named}`;
  return `it waits for ${named}${until === null ? '' : `, until ${until} at the latest`}`;
}

/** A stop's step in a word or two: what was said, or what was decided. */
export function stepOf({ step }: StopEntry): string {
  if (typeof step !== 'object' || step === null || !('kind' in step)) return '';
  const named = 'message' in step ? step.message : 'notice' in step ? step.notice : null;
  return typeof named === 'object' && named !== null && 'name' in named
    ? textOf(named.name)
    : textOf(step.kind);
}

/** Not String(): an object whose `toString` is no function would end us. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
