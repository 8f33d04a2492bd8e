// What `why` and `log` say about a wait that the journal recorded. The words of a question are not in there.

import { endOfWait, isOver } from '../engine/waiting/clock.ts';
import { readRecordedWait } from '../engine/waiting/recorded.ts';
import { type WaitAnswer, type WaitQuestion, waitAt } from '../engine/waiting/wait.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import type { Waiting } from '../store/records.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { describeTime } from './times.ts';

/** Why the stop was allowed, if the run waited at it. */
export function whyItWaited(entry: StopEntry): string | null {
  const answer = waitIn(entry.waiting);
  if (answer === null) return null;
  const isClaim = readRecordedWait(entry.waiting)?.question.step === 'prove';
  return isClaim ? `${whatFor(answer)} Its claim is kept: the checks run once it goes on.` : whatFor(answer);
}

function whatFor(answer: Extract<WaitAnswer, { kind: 'waits' }>): string {
  const until = describeTime(endOfWait(answer.waiting));
  switch (answer.waiting.for) {
    case 'work':
      return `What the agent left running in the background wakes it when it ends, so it was not held: the run waits, until ${until} at the latest.`;
    case 'person':
      if (answer.waiting.capped)
        return 'Its client honours no more holds after this prompt: the run waits for the next one. Type anything in that session.';
      return answer.news
        ? 'The agent has a question for you, which this stop showed. The run waits for your answer: give it in that session (`holdfast status` shows the question).'
        : 'The run still waits for your answer to its question: give it in that session (`holdfast status` shows the question).';
    case 'limit':
      return `A review is due, but ${reviewerOf(answer.waiting)} is at a usage limit: the first stop after ${until} ${answer.waiting.until === null ? 'tries' : 'runs'} it. Nothing was counted.`;
  }
}

/** What the run had waited for, where it went on at this stop. */
export function whatWasOver({ waiting }: StopEntry): string[] {
  const recorded = readRecordedWait(waiting);
  if (recorded === null || recorded.result === 'waits') return [];
  const { waiting: before, work } = recorded.question;
  return [
    ...(before === null ? [] : overWith(before, recorded.question)),
    ...(work === null
      ? []
      : ['Something still runs in the background, but the time to wait for it (wait.work) is used up.']),
  ];
}

function overWith(before: Waiting, { now, work, answered }: WaitQuestion): string[] {
  switch (before.for) {
    case 'work':
      return work === null ? ['What it had waited for in the background has ended.'] : [];
    case 'person':
      if (before.pause) return answered === 'yes' ? ['A person has had their turn.'] : [];
      return answered === 'yes' && !isOver(before, now)
        ? ['Its question was answered.']
        : ['Nobody answered its question in time (wait.person), so it no longer waits.'];
    case 'limit':
      if (before.reviewer === undefined) return [`Its session is back from ${limitOf(before)}.`];
      return isOver(before, now) ? [`The usage limit of ${reviewerOf(before)} should be over.`] : [];
  }
}

function limitOf({ what }: Waiting): string {
  return what === 'rate_limit' ? 'a usage limit' : `an error (${inOneParagraph(what, 40)})`;
}

/** `waits for work`, for a line of the log; null: it does not wait. */
export function waitInShort({ waiting }: StopEntry): string | null {
  const answer = waitIn(waiting);
  if (answer === null) return null;
  return { work: 'waits for work', person: 'waits for your answer', limit: 'waits for a limit' }[
    answer.waiting.for
  ];
}

/** The same question gives the same answer. */
function waitIn(waiting: StopEntry['waiting']): Extract<WaitAnswer, { kind: 'waits' }> | null {
  const recorded = readRecordedWait(waiting);
  if (recorded?.result !== 'waits') return null;
  const answer = waitAt(recorded.question);
  return answer.kind === 'waits' ? answer : null;
}

function reviewerOf({ reviewer }: Waiting): string {
  return inOneParagraph(reviewer ?? 'its reviewer', 40);
}
