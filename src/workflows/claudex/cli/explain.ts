// Why claudex answered as it did, in plain words, from the step the journal holds.

import type { RecordedStep } from '../../../engine/recorded-step.ts';
import { isObject } from '../../../store/json.ts';
import type { Why } from '../types.ts';

export function explain({ kind, said, change }: RecordedStep): string | null {
  const { round, max, plan } = said?.slots ?? {};
  if (kind !== 'hold') return allowed(isObject(change.log) ? change.log.why : null);
  switch (said?.name) {
    case 'draft':
      return `PLAN.md has to be drafted first: it is ${plan}.`;
    case 'round':
      return `Round ${round} of ${max} is to be reviewed.${unreviewedBefore(round, change.runner)}`;
    case 'wait':
      return `The review of round ${round} is still running, and the agent was asked to wait for it.`;
    case 'complete':
      return 'The agent found nothing material left, so the summary was due.';
    case 'stopped':
      return `All ${max} rounds were spent, so the summary was due.`;
    case 'review':
      return 'The diff is to be reviewed.';
    default:
      return null;
  }
}

/** How each of their runners ended is in the loop's files alone. */
function unreviewedBefore(round: unknown, runner: unknown): string {
  const from = isObject(runner) ? runner.owedFrom : null;
  if (typeof from !== 'number' || typeof round !== 'number' || from >= round) return '';
  return from === round - 1
    ? ` Round ${from} was not: \`holdfast claudex status\` says how its runner ended.`
    : ` Rounds ${from} to ${round - 1} were not: \`holdfast claudex status\` says how their runners ended.`;
}

function allowed(why: unknown): string | null {
  return typeof why === 'string' && Object.hasOwn(ALLOWED, why) ? ALLOWED[why as Why] : null;
}

const ALLOWED: Readonly<Record<Why, string>> = {
  'malformed-id': 'The state file has a name that is no loop’s, so it was set aside.',
  elsewhere: 'The stop came from outside the folder the loop was started in.',
  'unknown-mode': 'The loop is in a mode this version does not know.',
  'unknown-phase': 'The loop is in a phase this version does not know.',
  'runner-in-background': 'The review runs in the background; the client wakes the agent when it ends.',
  'runner-running': 'The review still runs, and the agent had been asked to wait for it.',
  'summary-given': 'The summary had been given, so the loop is done.',
  finished: 'The loop was done already.',
  'review-finished': 'The review of the diff is written.',
  'review-missing': 'The review of the diff ended without writing its files.',
  cancelled: 'The loop was cancelled.',
  errored: 'The loop had ended with an error.',
};
