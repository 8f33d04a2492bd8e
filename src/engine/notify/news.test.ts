import { describe, expect, it } from 'vitest';
import type { Waiting } from '../../store/records.ts';
import type { Served } from '../stop/turn.ts';
import { newsOf, newsOfLimit } from './news.ts';

const served = (more: Partial<Served> = {}, facts: object = {}): Served => ({
  answer: { kind: 'allow', notice: 'What the user is shown.', suppressOutput: false },
  ...{ quiet: false, over: null, ended: null },
  record: { workflow: 'toy', run: 'a', state: {}, facts: facts as never, guard: null, step: null },
  ...more,
});

const question: Waiting = { for: 'person', since: 5, until: 9, what: 'Which?' };
const unproven = (...why: string[]) => ({ proof: { worth: 'unproven', why } });

describe('a stop', () => {
  it.each<[string, Served, string | undefined]>([
    ['that shows a question', served({ shown: question }), 'needs-you'],
    [
      'that pauses for a person',
      served({ waits: [{ what: 'began', wait: { ...question, pause: true } }] }),
      'needs-you',
    ],
    ['that spent the budget', served({ ended: 'paused' }), 'needs-you'],
    ['at the limit', served({ ended: 'limit' }), 'needs-you'],
    ['that nobody trusts', served({ ended: 'completed' }, unproven('untrusted')), 'needs-you'],
    ['that is unproven', served({ ended: 'completed' }, unproven('failed')), 'let-go'],
    ['that the guard let go', served({ ended: 'released' }), 'let-go'],
    ['that is stuck', served({ ended: 'stuck' }), 'let-go'],
    ['whose review failed', served({}, { failedReviews: 2 }), 'let-go'],
    ['that completed', served({ ended: 'completed' }, { proof: { worth: 'proven', why: [] } }), 'done'],
    [
      'that waits for a reviewer',
      served({
        waits: [{ what: 'began', wait: { for: 'limit', since: 1, until: 9, what: 'x', reviewer: 'r' } }],
      }),
      'limit',
    ],
    [
      'that waits for work',
      served({ waits: [{ what: 'began', wait: { for: 'work', since: 1, until: 9, what: 'x' } }] }),
      undefined,
    ],
    ['that waits no longer', served({ waits: [{ what: 'ended', wait: question }] }), undefined],
    ['that is allowed', served(), undefined],
    ['that shows what else is waited for', served({ shown: { ...question, for: 'work' } }), undefined],
    [
      'that pauses for a person and ends something',
      served({ ended: 'completed', waits: [{ what: 'began', wait: question }] }),
      'needs-you',
    ],
    [
      'that ends the run and waits for a limit',
      served({
        ended: 'completed',
        waits: [{ what: 'began', wait: { for: 'limit', since: 1, until: 9, what: 'x' } }],
      }),
      'done',
    ],
    [
      'that begins a wait beside the end of another',
      served({
        waits: [
          { what: 'ended', wait: { ...question, for: 'work' } },
          { what: 'began', wait: question },
        ],
      }),
      'needs-you',
    ],
    [
      'that is proven, whatever else is said of it',
      served({ ended: 'completed' }, { proof: { worth: 'proven', why: ['untrusted'] } }),
      'done',
    ],
    [
      'that is unproven by nothing in particular',
      served({ ended: 'completed' }, { proof: { worth: 'unproven', why: 'untrusted' } }),
      'done',
    ],
    ['with facts that are none', served({ ended: 'completed' }, null as never), 'done'],
    ['without facts', served({}, null as never), undefined],
    ['whose failed reviews nobody counted', served({}, { failedReviews: '2' }), undefined],
    ['without a failed review', served({}, { failedReviews: 0 }), undefined],
    [
      'that is held with a notice',
      served({ answer: { kind: 'hold', reason: 'Go on.', notice: 'Look.' } }, { failedReviews: 2 }),
      undefined,
    ],
    [
      'that is held',
      served({ answer: { kind: 'hold', reason: 'Go on.', notice: null } }, { failedReviews: 2 }),
      undefined,
    ],
  ])('%s', (_, stop, event) => {
    expect(newsOf(stop, 'toy:a', 'state')?.event).toBe(event);
  });

  it('is another cause in another state, and the same in the same', () => {
    const cause = (state: string) => newsOf(served({ ended: 'completed' }), 'toy:a', state)?.cause;
    expect(cause('one')).toBe(cause('one'));
    expect(cause('one')).not.toBe(cause('two'));
  });

  it('is said in one line each', () => {
    const notice = 'Two\nlines \u001b[31mred';
    const answer = { kind: 'allow', notice, suppressOutput: false } as const;
    const news = newsOf(served({ answer, shown: { ...question, what: 'a\nb' } }), 'toy:a', '');
    expect(news?.text).toBe('toy:a asks: a b');
    expect([...(news?.why ?? '')].some((letter) => letter < ' ')).toBe(false);
  });
});

it('a usage limit names its end, where a date can hold it', () => {
  const wait: Waiting = { for: 'limit', since: 0, until: 3_600_000, what: 'rate_limit' };
  expect(newsOfLimit(wait, 'toy:a').text).toContain('1970-01-01T01:00Z');
  expect(newsOfLimit({ ...wait, until: Number.MAX_SAFE_INTEGER }, 'toy:a').text).not.toContain('until');
});

describe('the words for a stop', () => {
  const wait = (more: Partial<Waiting>) =>
    served({ waits: [{ what: 'began', wait: { for: 'limit', since: 1, until: 9, what: 'x', ...more } }] });

  it.each<[Served, string, string]>([
    [served({ shown: question }), 'asks: Which?', 'needs-you 5 s'],
    [wait({ for: 'person', since: 7 }), 'is paused for you', 'needs-you 7 s'],
    [wait({ reviewer: 'codex' }), 'waits for a usage limit of codex', 'limit 9 s'],
    [wait({ until: null }), 'waits for a usage limit', 'limit 1 s'],
    [served({ ended: 'completed' }), 'is done', 'done completed s'],
    [served({ ended: 'completed' }, unproven('failed')), 'is done, but unproven', 'let-go completed s'],
    [
      served({ ended: 'completed' }, unproven('failed', 'untrusted')),
      'is done, but nobody trusts its checks: `holdfast trust`',
      'needs-you completed s',
    ],
    [served({ ended: 'paused' }), 'is paused: its budget is spent', 'needs-you paused s'],
    [served({ ended: 'limit' }), 'reached its limit', 'needs-you limit s'],
    [served({ ended: 'released' }), 'was let go: there was no progress', 'let-go released s'],
    [served({ ended: 'stuck' }), 'says that it is stuck', 'let-go stuck s'],
    [served({ ended: 'cancelled' }), 'was cancelled', 'done cancelled s'],
    [served({}, { failedReviews: 1 }), 'may stop without its review, which failed', 'let-go review 1 s'],
  ])('%#', (stop, what, cause) => {
    expect(newsOf(stop, 'toy:a', 's')).toEqual({
      ...{
        event: cause.split(' ')[0],
        run: 'toy:a',
        cause,
        text: `toy:a ${what}`,
        why: 'What the user is shown.',
      },
    });
  });

  it('stand for a notice that is not there, and none is long', () => {
    const answer = { kind: 'allow', notice: null, suppressOutput: false } as const;
    expect(newsOf(served({ answer, ended: 'stuck' }), 'toy:a', 's')?.why).toBe('says that it is stuck');
    expect(newsOf(served({ answer }, { failedReviews: 2 }), 'toy:a', 's')).toBeNull();
    const long = { ...answer, notice: 'x'.repeat(501) };
    expect(newsOf(served({ answer: long, ended: 'stuck' }), 'toy:a', 's')?.why).toBe(`${'x'.repeat(499)}…`);
    const asks = newsOf(served({ shown: { ...question, what: 'y'.repeat(201) } }), 'toy:a', 's');
    expect(asks?.text).toBe(`toy:a asks: ${'y'.repeat(199)}…`);
  });

  it('say a usage limit and its cause', () => {
    const limit: Waiting = { for: 'limit', since: 5, until: 60_000, what: 'rate_limit' };
    expect(newsOfLimit(limit, 'toy:a')).toEqual({
      ...{ event: 'limit', run: 'toy:a', cause: 'limit rate_limit 60000' },
      text: 'toy:a waits for a usage limit until 1970-01-01T00:01Z',
      why: 'toy:a waits for a usage limit until 1970-01-01T00:01Z.',
    });
    expect(newsOfLimit({ ...limit, until: null }, 'toy:a')).toMatchObject({
      ...{ cause: 'limit rate_limit 5', text: 'toy:a waits for a usage limit' },
    });
    expect(newsOfLimit({ ...limit, until: 8.64e15 }, 'toy:a').text).toContain('until +275760-09-13');
  });
});
