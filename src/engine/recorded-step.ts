// A step as the journal holds it, for `why`: what it was, what it said, what it changed. Outside data, so parsed.

import { isObject } from '../store/json.ts';
import type { Message } from './step.ts';

export type RecordedStep = {
  kind: string;
  /** What was said: to the agent by a hold, else to the user. */
  said: Message | null;
  change: Readonly<Record<string, unknown>>;
};

export function readRecordedStep(step: unknown): RecordedStep | null {
  if (!isObject(step) || typeof step.kind !== 'string') return null;
  const change = isObject(step.change) ? step.change : {};
  return { kind: step.kind, said: readMessage(step.message) ?? readMessage(step.notice), change };
}

function readMessage(message: unknown): Message | null {
  if (!isObject(message) || typeof message.name !== 'string' || !isObject(message.slots)) return null;
  const slots = Object.entries(message.slots).filter(
    (slot): slot is [string, string | number] => typeof slot[1] === 'string' || typeof slot[1] === 'number',
  );
  return { name: message.name, slots: Object.fromEntries(slots) };
}
