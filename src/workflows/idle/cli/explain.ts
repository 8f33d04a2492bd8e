// Why idle answered as it did, in plain words, from the step the journal holds.

import type { RecordedStep } from '../../../engine/recorded-step.ts';

/** `until`: the check that took the place of a signal, and said that the loop is over. */
export function explain(
  { kind, said, change }: RecordedStep,
  until: { name: string; end: string } | null = null,
): string | null {
  const slots = said?.slots ?? {};
  if (kind === 'hold' && slots.claim === 'refused')
    return `${until === null ? 'The agent claimed to be done, and' : `${whatEnds(until)}, but`} the claim was refused, so iteration ${slots.iteration} of ${slots.max} began.`;
  if (kind === 'hold' && typeof slots.until === 'string')
    return `The check ${slots.until}, which would end the loop, does not pass yet, so iteration ${slots.iteration} of ${slots.max} began.`;
  if (kind === 'hold' && typeof slots.nearMiss === 'string')
    return `A completion signal in the agent's last message did not count (${NEAR.get(slots.nearMiss) ?? slots.nearMiss}), so iteration ${slots.iteration} of ${slots.max} began.`;
  if (kind === 'hold')
    return `No completion signal was in the agent's last message, so iteration ${slots.iteration} of ${slots.max} began.`;
  if (said !== null) return SAID.get(said.name)?.replace('MAX', String(slots.max)) ?? null;
  if (change.event === 'DONE' && typeof change.reason === 'string')
    return until === null
      ? `The agent gave the signal ${change.reason}, so the loop is done.`
      : `${whatEnds(until)}, so the loop is done.`;
  if (change.event === 'STATE' && until !== null)
    return `${whatEnds(until)}, so the inner loop is done; the loop around it goes on at the next stop.`;
  if (change.event === 'STATE')
    return 'The agent gave the signal of the inner loop; the loop around it goes on at the next stop.';
  return 'The loop was over already.';
}

function whatEnds({ name, end }: { name: string; end: string }): string {
  return end === 'passed'
    ? `The check ${name}, which ends the loop, passed`
    : `The check ${name}, which was to end the loop, could not run`;
}

const NEAR: ReadonlyMap<string, string> = new Map([
  ['place', 'it was not on a line of its own'],
  ['code', 'it was code or in a comment'],
  ['spelling', 'it was not spelled exactly'],
]);

// A map: an object would know a message called `constructor`.
const SAID: ReadonlyMap<string, string> = new Map(
  Object.entries({
    maximum: 'The loop has reached its MAX iterations.',
    'maximum-inner':
      'The inner loop has reached its MAX iterations; `holdfast idle resume` goes on with those around it.',
    stale:
      'Nothing was written to the loop for more than two hours in which it did not wait for anything, so it is taken for forgotten.',
    corrupt: 'The iteration count was not a number, so the loop was ended.',
    lost: 'The loop’s state could not be found in its log.',
    unreadable: 'The loop’s state could not be read.',
    'unknown-mode': 'The loop is of a kind this version does not know.',
  }),
);
