import { expect, test } from 'vitest';
import { newSidecar, type Waiting } from '../store/records.ts';
import { describeWait, describeWaiting } from './describe-waiting.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const since = Date.UTC(2026, 10, 16, 23);
const now = since + 12 * MINUTE;

const said = (waiting: Pick<Waiting, 'for' | 'until' | 'what'> & Partial<Waiting>): string =>
  describeWaiting({ since, ...waiting }, 'toy:a', now);

const question: Waiting = { for: 'person', since, until: since + 7 * 24 * HOUR, what: 'Which one?' };
const shown = { marker: null, turn: 'p1' };

test.each([
  [
    'work',
    said({ for: 'work', until: since + 2 * HOUR, what: 'subagent: look' }),
    'It has waited for 12 min for what runs in the background: subagent: look. Its client wakes the agent when that ends; in 1 h 48 min at the latest it is held again.',
  ],
  [
    'a question that is shown at the end of the turn',
    said({ ...question, shown: null }),
    'It has a question for you, which is shown when the agent ends its turn: Which one?',
  ],
  [
    'a question that was shown',
    said({ ...question, shown }),
    'It asked you 12 min ago: Which one? Answer it in its session, or in another one after `holdfast adopt toy:a` there. It waits for 7 days more.',
  ],
  [
    'a question that ends without a mark, or with several lines',
    said({ ...question, what: 'a\n● toy:b  done', shown }),
    'It asked you 12 min ago: “a ● toy:b done”. Answer it in its session, or in another one after `holdfast adopt toy:a` there. It waits for 7 days more.',
  ],
  [
    'a limit',
    said({ for: 'limit', until: since + HOUR, what: 'rate_limit' }),
    'Its session has been at a usage limit for 12 min, until 2026-11-17 00:00 UTC (in 48 min). It goes on when its client does.',
  ],
  [
    'a limit without a known end',
    said({ for: 'limit', until: null, what: 'rate_limit' }),
    'Its session has been at a usage limit for 12 min, and nobody knows until when. Once it is over, type something in its session; in 23 h 48 min it no longer waits.',
  ],
  [
    'a server’s error',
    said({ for: 'limit', until: null, what: 'server_error' }),
    'The server of its model answered with an error 12 min ago. Type something in its session to go on; in 23 h 48 min it no longer waits.',
  ],
  [
    'a login that is over',
    said({ for: 'limit', until: null, what: 'authentication_failed' }),
    'Its client could not log in 12 min ago. Log in there, then type something in its session to go on; in 23 h 48 min it no longer waits.',
  ],
  [
    'a bill',
    said({ for: 'limit', until: null, what: 'billing_error' }),
    'Its client reported a problem with billing 12 min ago. Once that is settled, type something in its session to go on; in 23 h 48 min it no longer waits.',
  ],
  [
    'a word that only another version knows',
    said({ for: 'limit', until: null, what: 'overloaded' }),
    'Its session ended with “overloaded” 12 min ago. Type something in its session to go on; in 23 h 48 min it no longer waits.',
  ],
  [
    'a reviewer’s limit',
    said({ for: 'limit', until: since + HOUR, what: 'usage-limit', reviewer: 'toy' }),
    'Its review waits: toy is at a usage limit until 2026-11-17 00:00 UTC (in 48 min). The first stop after that runs it.',
  ],
  [
    'a reviewer’s limit without a known end',
    said({ for: 'limit', until: null, since: now - 4 * MINUTE, what: 'usage-limit', reviewer: 'toy' }),
    'Its review waits: toy is at a usage limit and does not say until when. The first stop after 2026-11-16 23:18 UTC (in 6 min) tries it again.',
  ],
])('%s', (_, line, expected) => {
  expect(line).toBe(expected);
});

test.each([
  ['work', { for: 'work', what: 'a subagent' }, 'longer than it may, and has not stopped since. If nothing'],
  [
    'a question',
    { for: 'person', what: 'Which one?' },
    'no longer waits for the answer: Which one? To go on',
  ],
  [
    'a limit',
    { for: 'limit', what: 'rate_limit' },
    'met a usage limit 12 min ago, which should be over, and has not stopped since',
  ],
  ['an error', { for: 'limit', what: 'server_error' }, 'ended with an error (server_error) 12 min ago'],
  ['a reviewer', { for: 'limit', what: 'x', reviewer: 'codex' }, 'The usage limit of codex should be over'],
] as const)('%s whose time is up, unseen by any stop', (_, wait, words) => {
  const at = (waiting: Waiting) =>
    describeWait({ name: 'toy:a', sidecar: { ...newSidecar('toy:a'), waiting } }, { now });
  const lapsed: Waiting = { since, until: since + MINUTE, ...wait };
  expect(at(lapsed)).toContain(words);
  if (wait.for !== 'limit') expect(at(lapsed)).toContain('`holdfast adopt toy:a`');
  expect(at({ ...lapsed, since: since + MINUTE })).toBeNull();
  expect(at({ ...lapsed, until: now + HOUR })).not.toContain(words);
});

test('nothing is said of a run that does not wait', () => {
  expect(describeWait({ name: 'toy:a', sidecar: newSidecar('toy:a') }, { now })).toBeNull();
});

const paused: Waiting = { ...question, what: 'Look at it', pause: true, shown };

test.each<[string, Waiting, string]>([
  [
    'one that was paused for a person',
    paused,
    'It has been paused for you for 12 min. Type in its session how to go on, or in another one after `holdfast adopt toy:a` there. It waits for 7 days more. What it said: Look at it',
  ],
  [
    'one that was paused, though it was not shown yet',
    { ...paused, shown: null },
    'It has been paused for you for 12 min. Type in its session how to go on, or in another one after `holdfast adopt toy:a` there. It waits for 7 days more. What it said: Look at it',
  ],
  [
    'a pause whose time is up',
    { ...paused, until: now },
    'It was paused for you 12 min ago, and no longer waits. To go on, type something in its session, or in another one after `holdfast adopt toy:a` there.',
  ],
  [
    'work whose time is up',
    { for: 'work', since, until: now, what: 'a\nbuild' },
    'Its agent began to wait for what runs in the background (a build) 12 min ago, longer than it may, and has not stopped since. If nothing goes on there, type something in its session, or in another one after `holdfast adopt toy:a` there.',
  ],
  [
    'a question whose time is up',
    { ...question, until: now, what: 'Say' },
    'It asked you 12 min ago, and no longer waits for the answer: “Say”. To go on, answer it all the same, in its session, or in another one after `holdfast adopt toy:a` there.',
  ],
  [
    'a limit whose time is up',
    { for: 'limit', since, until: now, what: 'rate_limit' },
    'Its session met a usage limit 12 min ago, which should be over, and has not stopped since. If nothing goes on there, type something in its session, or in another one after `holdfast adopt toy:a` there.',
  ],
  [
    'an error whose time is up',
    { for: 'limit', since, until: now, what: 'x' },
    'Its session ended with an error (x) 12 min ago, which should be over, and has not stopped since. If nothing goes on there, type something in its session, or in another one after `holdfast adopt toy:a` there.',
  ],
  [
    'a reviewer’s limit whose time is up',
    { for: 'limit', since, until: now, what: 'x', reviewer: 'r'.repeat(41) },
    `The usage limit of ${'r'.repeat(39)}… should be over: its next stop can have the review.`,
  ],
  [
    'a reviewer with a long name',
    { for: 'limit', since, until: since + HOUR, what: 'x', reviewer: 'r'.repeat(41) },
    `Its review waits: ${'r'.repeat(39)}… is at a usage limit until 2026-11-17 00:00 UTC (in 48 min). The first stop after that runs it.`,
  ],
])('%s, in whole', (_, waiting, text) => {
  const sidecar = { ...newSidecar('toy:a'), waiting };
  expect(describeWait({ name: 'toy:a', sidecar }, { now })).toBe(text);
});

test('a wait that a stop has seen ends where it begins: nothing is said of it', () => {
  const at = (until: number) =>
    describeWait(
      {
        name: 'toy:a',
        sidecar: { ...newSidecar('toy:a'), waiting: { for: 'work', since, until, what: 'w' } },
      },
      { now },
    );
  expect(at(since)).toBeNull();
  expect(at(since - 1)).toBeNull();
  expect(at(since + 1)).toContain('12 min ago');
});

test.each(['Which?', 'Go.', 'Go!', 'Go…'])('%s is a sentence already', (what) => {
  expect(said({ ...question, what, shown })).toContain(`12 min ago: ${what} Answer it`);
});

test('a question as long as it may be is not cut, a longer one is', () => {
  const of = (length: number): string => said({ ...question, what: 'x'.repeat(length), shown: null });
  expect(of(2000).endsWith(`: ${'x'.repeat(2000)}`)).toBe(true);
  expect(of(2001).endsWith(`: ${'x'.repeat(1999)}…`)).toBe(true);
});

test('a clock that was set back makes no span below nothing', () => {
  expect(describeWaiting({ for: 'work', since: now + 5000, until: null, what: 'w' }, 'a', now)).toContain(
    'It has waited for 0 s for',
  );
  expect(describeWaiting({ for: 'work', since, until: now - 5000, what: 'w' }, 'a', now)).toContain(
    'in 0 s at the latest',
  );
});
