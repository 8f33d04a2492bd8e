import { expect, it } from 'vitest';
import type { Waiting } from '../../store/records.ts';
import type { Served } from '../stop/turn.ts';
import { newsOf, newsOfLimit } from './news.ts';

const NOTICE = 'What the user is shown.';
const served = (more: Partial<Served> = {}, facts: unknown = {}, notice: string | null = NOTICE): Served => ({
  answer: { kind: 'allow', notice, suppressOutput: false },
  ...{ quiet: false, over: null, ended: null },
  record: { workflow: 'toy', run: 'a', state: {}, facts: facts as never, guard: null, step: null },
  ...more,
});
const question: Waiting = { for: 'person', since: 5, until: 9, what: 'Which?' };
const limit: Waiting = { for: 'limit', since: 1, until: 9, what: 'x' };
const began = (wait: Waiting, more: Partial<Served> = {}) =>
  served({ waits: [{ what: 'began', wait }], ...more });
const proof = (worth: string, why: unknown) => ({ proof: { worth, why } });
const done = (facts: unknown) => served({ ended: 'completed' }, facts);
const held = (notice: string | null) => ({ answer: { kind: 'hold', reason: 'Go on.', notice } }) as const;

it.each<[Served, string, string]>([
  [served({ shown: question }), 'asks: Which?', 'needs-you 5 s'],
  [began({ ...question, since: 7 }), 'is paused for you', 'needs-you 7 s'],
  [began(question, { ended: 'completed' }), 'is paused for you', 'needs-you 5 s'],
  [began(limit), 'waits for a usage limit', 'limit 9 s'],
  [began({ ...limit, until: null }), 'waits for a usage limit', 'limit 1 s'],
  [began({ ...limit, reviewer: 'codex' }), 'waits for a usage limit of codex', 'limit 9 s'],
  [began(limit, { ended: 'completed' }), 'is done', 'done completed s'],
  [done({}), 'is done', 'done completed s'],
  [done(null), 'is done', 'done completed s'],
  [done(proof('proven', ['untrusted'])), 'is done', 'done completed s'],
  [done(proof('unproven', 'untrusted')), 'is done', 'done completed s'],
  [done(proof('unproven', ['failed'])), 'is done, but unproven', 'let-go completed s'],
  [
    done(proof('unproven', ['failed', 'untrusted'])),
    'is done, but nobody trusts its checks: `holdfast trust`',
    'needs-you completed s',
  ],
  [served({ ended: 'paused' }), 'is paused: its budget is spent', 'needs-you paused s'],
  [served({ ended: 'limit' }), 'reached its limit', 'needs-you limit s'],
  [served({ ended: 'released' }), 'was let go: there was no progress', 'let-go released s'],
  [served({ ended: 'stuck' }), 'says that it is stuck', 'let-go stuck s'],
  [served({ ended: 'cancelled' }), 'was cancelled', 'done cancelled s'],
  [served({}, { failedReviews: 1 }), 'may stop without its review, which failed', 'let-go review 1 s'],
])('somebody is called about it: %#', (stop, what, cause) => {
  const [event] = cause.split(' ');
  expect(newsOf(stop, 'toy:a', 's')).toEqual({
    event,
    run: 'toy:a',
    cause,
    text: `toy:a ${what}`,
    why: NOTICE,
  });
});

it.each<[string, Served]>([
  ['waits for work', began({ ...limit, for: 'work' })],
  ['waits no longer', served({ waits: [{ what: 'ended', wait: question }] })],
  ['shows what is no question', served({ shown: { ...question, for: 'work' } })],
  ['is allowed', served()],
  ['says nothing of its facts', served({}, null)],
  ['does not count its failed reviews', served({}, { failedReviews: '2' })],
  ['has no failed review', served({}, { failedReviews: 0 })],
  ['has failed reviews, and no notice', served({}, { failedReviews: 2 }, null)],
  ['is held with a notice', served(held('Look.'), { failedReviews: 2 })],
])('nobody is called about a stop that %s', (_, stop) => {
  expect(newsOf(stop, 'toy:a', 'state')).toBeNull();
});

it('what is said is one line each, and none is long', () => {
  const shown = { ...question, what: `a\nb \u001b[31m${'y'.repeat(200)}` };
  const news = newsOf(served({ shown }, {}, `Two\nlines ${'x'.repeat(500)}`), 'toy:a', '');
  expect([news?.text.length, news?.why.length]).toEqual(['toy:a asks: '.length + 200, 500]);
  expect([...`${news?.text}${news?.why}`].filter((letter) => letter < ' ')).toEqual([]);
  expect(newsOf(served({ ended: 'stuck' }, {}, null), 'toy:a', 's')?.why).toBe('says that it is stuck');
});

it.each([
  [60_000, 'limit x 60000', ' until 1970-01-01T00:01Z'],
  [null, 'limit x 1', ''],
  [8.64e15, 'limit x 8640000000000000', ' until +275760-09-13T00Z'],
  [8.64e15 + 1, 'limit x 8640000000000001', ''],
])('a usage limit beside a stop names its end, as far as there are dates: %s', (until, cause, ending) => {
  const text = `toy:a waits for a usage limit${ending}`;
  expect(newsOfLimit({ ...limit, until }, 'toy:a')).toEqual({
    event: 'limit',
    run: 'toy:a',
    cause,
    text,
    why: `${text}.`,
  });
});
