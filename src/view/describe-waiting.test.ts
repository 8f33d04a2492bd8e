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
