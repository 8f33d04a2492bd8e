// What a verdict is good for that an earlier stop left: the content that the reviewer saw, and no other.

import { describe, expect, it } from 'vitest';
import { decide, type Known } from './decide.ts';
import { type At, NO_SIGNAL } from './types.ts';

const DONE = { to: 'done', is: 'let-go', visits: 0, watches: false } as const;

const STATE: At = {
  ...{ kind: 'at', flow: 'critic', at: 'work', pause: false, limit: null },
  lines: [
    {
      when: [
        { kind: 'signal', name: 'go' },
        { kind: 'review', name: 'critic', is: 'clean' },
      ],
      target: DONE,
    },
  ],
  ...{ visits: 1, stay: 0, held: 0, most: 10 },
};

const LEFT: Known = {
  ...{ run: 'critic-1-1', pinned: 'same', signal: 'go', nearMiss: 'none', seen: null, files: null },
  ...{ content: null, reviewed: null, reviews: 0, marks: null, failedReviews: 0, proof: null, until: null },
  ...{ verdict: 'clean', reviewNumber: 1, reviewContent: 'as it was' },
};

describe('a verdict', () => {
  it('counts once the content has been looked at, and is stored with it', () => {
    expect(decide(STATE, LEFT)).toEqual({ kind: 'look', at: 'content' });
    const reviewed = { name: 'critic', content: 'as it was', verdict: 'clean', number: 1 };
    expect(decide(STATE, { ...LEFT, content: 'as it was' })).toMatchObject({
      ...{ kind: 'allow', over: 'stuck', change: { to: 'done', reviewed } },
    });
  });

  it('of other content is passed over: another review is asked for, beside its file', () => {
    expect(decide(STATE, { ...LEFT, content: 'changed since' })).toMatchObject({
      kind: 'review',
      review: { number: 2, content: 'changed since', file: expect.stringContaining('review-2-critic') },
    });
  });

  it('that nobody asks about at this stop is stored with the content it saw', () => {
    expect(decide(STATE, { ...LEFT, signal: NO_SIGNAL })).toMatchObject({
      ...{ kind: 'hold', change: { reviewed: { content: 'as it was', verdict: 'clean' } } },
    });
  });
});
