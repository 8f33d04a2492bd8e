// A setup file of vitest's, which it runs before each file of tests. One worker plays many files: what a file leaves
// behind must not be there for the next, whichever that is.

import { afterAll } from 'vitest';
import { takeAllAway } from './at-the-end.ts';

const { setInterval: start } = globalThis;
const started: NodeJS.Timeout[] = [];
globalThis.setInterval = ((...words: Parameters<typeof start>) => {
  const timer = start(...words);
  started.push(timer);
  return timer;
}) as typeof start;

afterAll(takeAllAway);
/** A lock that a test did not give back is renewed every few seconds, in the middle of others' files. */
afterAll(() => {
  for (const timer of started) clearInterval(timer);
  globalThis.setInterval = start;
});
