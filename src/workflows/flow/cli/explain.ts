// Why a flow answered as it did, in plain words, from the step the journal holds.

import type { RecordedStep } from '../../../engine/recorded-step.ts';

export function explain({ kind, said, change }: RecordedStep): string | null {
  const slots = said?.slots ?? {};
  if (kind === 'hold') {
    const count = `(hold ${slots.hold} of at most ${slots.most})`;
    if (typeof change.to === 'string')
      return `${whichLine(change.by)}, so the flow went on to ${change.to} and the agent was held there ${count}.`;
    if (typeof slots.nearMiss === 'string')
      return `A signal in the agent's last message did not count (${NEAR.get(slots.nearMiss) ?? slots.nearMiss}), and no line of ${slots.state} held, so it was held there again ${count}.`;
    return `No line of ${slots.state} held, so the agent was held there again ${count}.`;
  }
  if (said !== null) {
    const words = SAID.get(said.name);
    return words === undefined ? null : words(slots, change);
  }
  if (kind === 'allow') return 'The flow is paused or over, so the agent may stop.';
  return null;
}

function whichLine(by: unknown): string {
  if (by === 'otherwise') return 'No line held, and the holds of the visit were used up';
  return typeof by === 'number' ? `Line ${by + 1} of its state held` : 'A line of its state held';
}

const NEAR: ReadonlyMap<string, string> = new Map([
  ['place', 'it was not on a line of its own'],
  ['code', 'it was code or in a comment'],
  ['spelling', 'it was not spelled exactly'],
]);

type Words = (slots: Readonly<Record<string, string | number>>, change: RecordedStep['change']) => string;

// A map: an object would know a message called `constructor`.
const SAID: ReadonlyMap<string, Words> = new Map<string, Words>([
  [
    'paused',
    ({ state }, { by }) => `${whichLine(by)}, so the flow is paused in ${state}: it is a person's turn.`,
  ],
  ['completed', ({ state }, { by }) => `${whichLine(by)}, so the flow is complete, in ${state}.`],
  ['let-go', ({ state }, { by }) => `${whichLine(by)}, so the flow let the agent go, in ${state}.`],
  ['limit', ({ state, most }) => `The run has used up its ${most} holds, in ${state}.`],
  ['differs', () => 'The definition is not what it was at the first stop, so the run ended.'],
  [
    'check-lost',
    ({ check, end }) =>
      `The check ${check} ${end === 'untrusted' ? 'is not trusted' : 'cannot run'}, so nobody can tell how the flow goes on, and the run ended.`,
  ],
  [
    'no-time',
    ({ check }) =>
      `There was no time at this stop for the check ${check}, so the stop was allowed; the next one tries again.`,
  ],
  [
    'review-failed',
    ({ review, failures }) =>
      `The review ${review} ended without a verdict (try ${failures} of 3), so the stop was allowed; the next one tries again.`,
  ],
  [
    'review-given-up',
    ({ review, failures }) =>
      `The review ${review} ended without a verdict ${failures} times in a row, so the run ended.`,
  ],
  ['unreadable', ({ what }) => `The ${what} of the run could not be read.`],
]);
