// The workflow's own text of a hold: whole, or without the task where the agent surely still has that from the last one.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Given } from '../../store/records.ts';
import { isHandFired } from '../context.ts';
import type { GuardResult } from '../guard/progress.ts';
import type { Message } from '../step.ts';
import type { Decided } from './answer-run.ts';

/** An agent reads on for hours: the task is put before it again at every fifth hold. */
const WHOLE_AT = 5;

/** `given`: to be written down with the hold. A hook that dies before it answers ends the turn, and the next one is whole. */
export function wordHold(
  message: Message,
  { workflow, context, sidecar, seen }: Decided,
  guard: GuardResult,
): { text: string; given: Given | undefined } {
  const { stop } = context;
  const { session, turn } = stop;
  const whole = (): string => workflow.say(message, seen.world, context);
  const again = workflow.sayAgain?.(message, seen.world, context) ?? null;
  if (again === null || session === null || isHandFired(stop)) return { text: whole(), given: undefined };
  const task = fingerprint(again.task);
  const { given } = sidecar;
  const follows =
    guard.kind === 'hold' &&
    guard.recalls === true &&
    stop.afterHold !== false &&
    given?.session === session &&
    given.turn === turn &&
    given.task === task;
  const holds = follows ? (given.holds + 1) % WHOLE_AT : 1;
  return { text: follows && holds !== 0 ? again.text : whole(), given: { session, turn, task, holds } };
}
