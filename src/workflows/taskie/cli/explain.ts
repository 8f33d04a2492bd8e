// Why taskie answered as it did, in plain words, from the step the journal holds.

import type { RecordedStep } from '../../../engine/recorded-step.ts';
import type { Message } from '../../../engine/step.ts';
import { whyNoVerdict } from '../why-no-verdict.ts';

export function explain({ kind, said }: RecordedStep): string | null {
  if (said === null) return null;
  const { slots } = said;
  if (kind === 'hold' && said.name.startsWith('hold-'))
    return `Review ${slots.iteration} of at most ${slots.max} is in ${slots.review}, and the agent owes it an answer.${ofFloor(slots)}${ofUnread(slots)}`;
  if (kind === 'review') return 'A review was due.';
  const known: Message['slots'] = { ...slots, why: whyNoVerdict(slots) };
  const text = SAID.get(said.name)?.replace(/\{(\w+)\}/g, (_, slot: string) => String(known[slot] ?? ''));
  return text === undefined ? null : `${text}${ofFloor(slots)}`;
}

function ofUnread({ unread }: Message['slots']): string {
  return unread === undefined ? '' : ' Its verdict could not be read, so it counts as findings.';
}

function ofFloor({ floor }: Message['slots']): string {
  return floor === undefined
    ? ''
    : ` All that the reviewer listed lies below the floor (${floor}), so it counts as clean.`;
}

// A map: an object would know a message called `constructor`.
const SAID: ReadonlyMap<string, string> = new Map(
  Object.entries({
    violations: 'The plan folder is not sound: {violations}.',
    'checks-refused': 'The {title} was due, but the checks refused the claim that the code is done.',
    passed: 'The {title} passed: two clean reviews in a row. What comes next is the user’s to start.',
    'passed-row-pending':
      'The {title} passed: two clean reviews in a row. What comes next is the user’s to start.',
    'reviews-off': 'Reviews are off (max_reviews is 0), so the {title} was passed over.',
    'limit-reached':
      'All {max} reviews of this cycle were spent without two clean ones in a row; the user decides.',
    outstanding: 'The answer to {review} is outstanding, but the hook was fired by hand.',
    'review-failed': 'The {title} ended without a verdict, so nothing was counted. Why: {why}.',
    'review-given-up':
      'The {title} ended without a verdict {failures} times in a row, so none is started any more. Why, the last time: {why}.',
    'reviewer-refused':
      'The {title} was due, but state.json names {model}, which may not review here (your pair: {pair}).',
    'review-missing': 'The review that is to be answered is not there.',
    'no-current-task': 'A code review was due, but no task is the current one.',
    'no-task-file': 'A code review was due, but {file} is not there.',
    'no-tasks': 'A review was due, but tasks.md names no task.',
    validated: 'No review was due, and the plan folder is sound.',
    'validated-state-broken':
      'state.json cannot be read, so no review could be due; the plan folder is sound.',
    'validated-state-unsound': 'No review was due; state.json lacks {fields}.',
  }),
);
