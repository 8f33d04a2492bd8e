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
