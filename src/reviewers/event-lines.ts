// What programs print that give an event per line. Pure.

import { isObject, parseJson } from '../store/json.ts';

export type Event = Readonly<Record<string, unknown>>;

/** Lines that are no events, such as a warning or one cut off in the middle, do no harm. */
export function eventsIn(stdout: string): Event[] {
  return stdout.split('\n').map(parseJson).filter(isObject);
}
