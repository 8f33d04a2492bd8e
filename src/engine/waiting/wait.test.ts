import { expect, it, test } from 'vitest';
import type { Waiting } from '../../store/records.ts';
import { type WaitAnswer, type WaitQuestion, waitAt } from './wait.ts';

const HOUR = 3_600_000;
const since = 1_000 * HOUR;
const work: Waiting = { for: 'work', since, until: since + 2 * HOUR, what: 'a subagent' };
const shown = { marker: 'm', turn: 't' };
const asked: Waiting = { for: 'person', since, until: since + 168 * HOUR, what: 'Which one?', shown };
const unshown: Waiting = { ...asked, shown: null };
const limit: Waiting = { for: 'limit', since, until: since + HOUR, what: 'rate_limit' };
const reviewer: Waiting = { ...limit, reviewer: 'codex' };
const runs = { work: 'a subagent' };
const begunAt = (hours: number): Waiting => ({
  ...{ ...work, since: since + hours * HOUR, until: since + (hours + 2) * HOUR },
});
/** Used up: it stays on record, so that the same work is not waited for again. */
const spent: Waiting = { ...work, since: since + 2 * HOUR };

const goesOn = (waiting: Waiting | null, ended: Waiting | null) => ({ kind: 'goes-on', waiting, ended });
const waits = (waiting: Waiting, more: object = {}) => ({
  ...{ kind: 'waits', waiting, news: false, ended: null },
  ...more,
});
const at = (hours: number, more: Partial<WaitQuestion>): WaitAnswer =>
  waitAt({
    ...{ now: since + hours * HOUR, step: 'hold', waiting: null, work: null, answered: null },
    ...{ limits: { work: 2 * HOUR }, ...more },
  });

test.each<[string, number, Partial<WaitQuestion>, object]>([
  ['nothing: it goes on', 0, {}, goesOn(null, null)],
  ['work, from the first stop at which it runs, silently', 0, runs, waits(work)],
  [
    'work, from now on where its wait began on a clock that was ahead',
    -720,
    { ...runs, waiting: work },
    waits(begunAt(-720), { ended: work }),
  ],
  [
    'work, no longer when other work takes its place',
    1,
    { work: 'another', waiting: work },
    waits({ ...work, what: 'another' }),
  ],
  ['work that has ended: it goes on', 1, { waiting: work }, goesOn(null, work)],
  ['work, for the longest time', 2, { ...runs, waiting: work }, goesOn(spent, work)],
  ['work that was waited for so long', 3, { ...runs, waiting: spent }, goesOn(spent, spent)],
  ['work that ended after that', 9, { waiting: spent }, goesOn(null, spent)],
  [
    'work, where no time is allowed for it',
    0,
    { ...runs, limits: { work: 0 } },
    goesOn({ ...work, until: since }, null),
  ],
  ['a question, which is shown', 0, { waiting: unshown }, waits(unshown, { news: true })],
  ['a question that was shown', 9, { waiting: asked, answered: 'no' }, waits(asked)],
  ['a question, whatever runs', 1, { ...runs, waiting: asked, answered: 'no' }, waits(asked)],
  ['a question that was answered', 9, { waiting: asked, answered: 'yes' }, goesOn(null, asked)],
  [
    'a question that was answered, then for work',
    1,
    { ...runs, waiting: asked, answered: 'yes' },
    waits(begunAt(1), { ended: asked }),
  ],
  [
    'a question that nobody answered in time, uncounted',
    168,
    { waiting: asked, answered: 'no' },
    goesOn(null, null),
  ],
  ['a question that nobody saw in time', 168, { waiting: unshown }, goesOn(null, null)],
  ['a question that was answered too late', 169, { waiting: asked, answered: 'yes' }, goesOn(null, null)],
  ['a limit: a stop means that the session is back', 0.5, { waiting: limit }, goesOn(null, limit)],
  ['a limit, then for work', 1, { ...runs, waiting: limit }, waits(begunAt(1), { ended: limit })],
  ['a reviewer: a review waits', 0.5, { step: 'review', waiting: reviewer }, waits(reviewer)],
  [
    'a reviewer: a hold does not, but the limit stays and its time is counted',
    0.5,
    { waiting: reviewer },
    goesOn({ ...reviewer, since: since + HOUR / 2 }, reviewer),
  ],
  [
    'a reviewer: nor do checks',
    0.5,
    { step: 'prove', waiting: reviewer },
    goesOn({ ...reviewer, since: since + HOUR / 2 }, reviewer),
  ],
  [
    'a reviewer: the review comes at the first stop after it',
    1,
    { step: 'review', waiting: reviewer },
    goesOn(null, reviewer),
  ],
  [
    'a reviewer: work that runs comes before a hold',
    0,
    { ...runs, waiting: reviewer },
    waits(work, { ended: reviewer }),
  ],
  [
    'a reviewer that does not say until when: ten minutes',
    0.1,
    { waiting: { ...reviewer, until: null } },
    goesOn({ ...reviewer, since: since + HOUR / 10, until: since + HOUR / 6 }, { ...reviewer, until: null }),
  ],
])('a run that waits for %s', (_, hours, question, answer) => {
  expect(at(hours, question)).toEqual(answer);
});

it('work and questions are waited for before every step', () => {
  for (const step of ['hold', 'review', 'prove'] as const)
    for (const question of [runs, { waiting: asked, answered: 'no' as const }])
      expect(at(0, { step, ...question }).kind).toBe('waits');
});

it('a wait for work ends even if its record does not say when', () => {
  const first = at(25, { ...runs, waiting: { ...work, until: null } });
  expect([first.kind, at(26, { ...runs, waiting: first.waiting }).kind]).toEqual(['goes-on', 'goes-on']);
});
