import { expect, it } from 'vitest';
import { troubleIn } from './trouble.ts';

it.each([
  ['429 slow down', 'limit', 'slow down'],
  ['500 so', 'server', 'so'],
  ['599 so', 'server', 'so'],
  ['499 so', 'refused', 'so'],
  ['402 so', 'billing', 'so'],
  ['401 so', 'login', 'so'],
  ['403 so', 'login', 'so'],
  ['404 so\nand more', 'refused', 'so and more'],
  ['400 This model’s maximum context length is 5', 'context', 'This model’s maximum context length is 5'],
  ['context_length_exceeded', 'context', 'context_length_exceeded'],
  ['Prompt is too long', 'context', 'Prompt is too long'],
  ['Connection error.', 'network', 'Connection error.'],
  ['Request timed out', 'network', 'Request timed out'],
  ['timeout', 'network', 'timeout'],
  ['fetch failed', 'network', 'fetch failed'],
  ['so 429', 'unknown', 'so 429'],
  ['4290 so', 'unknown', '4290 so'],
  ['429', 'unknown', '429'],
])('Droid’s %j is %s', (message, what, said) => {
  expect(troubleIn(message)).toEqual({ what, resetsAt: null, said });
});
