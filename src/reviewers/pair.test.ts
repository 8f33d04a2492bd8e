import { describe, expect, it } from 'vitest';
import type { NamedReviewer, Pair } from './names.ts';
import { modelAfter, otherModel, pairOf, type ReviewerFacts, reviewerOf, standInFor } from './pair.ts';

const chosen: ReviewerFacts = { pair: ['codex/gpt', 'haiku'], standIn: null };
const standsIn: ReviewerFacts = { pair: ['opus', 'sonnet'], standIn: 'codex' };

describe('the pair', () => {
  it('is the user’s, or opus and sonnet', () => {
    expect(pairOf({ reviewers: chosen })).toEqual(['codex/gpt', 'haiku']);
    expect([pairOf({}), pairOf({ reviewers: null })]).toEqual([
      ['opus', 'sonnet'],
      ['opus', 'sonnet'],
    ]);
  });

  it.each<[string, ReviewerFacts | null, NamedReviewer | null]>([
    ['opus', null, { program: 'claude', model: 'opus' }],
    ['haiku', null, { program: 'claude', model: 'haiku' }],
    ['claude/opus', null, { program: 'claude', model: 'opus' }],
    ['opus', standsIn, { program: 'codex', model: '' }],
    ['sonnet', standsIn, { program: 'codex', model: '' }],
    ['haiku', standsIn, { program: 'claude', model: 'haiku' }],
    ['codex/gpt', chosen, { program: 'codex', model: 'gpt' }],
    ['haiku', chosen, { program: 'claude', model: 'haiku' }],
    // The user did not choose this one: a repository may have.
    ['codex/other', chosen, null],
    ['codex/gpt', null, null],
    ['codex/', standsIn, null],
    ['-x', chosen, null],
    ['', null, null],
  ])('%s with %j is %j', (name, reviewers, named) => {
    expect(reviewerOf(name, { reviewers })).toEqual(named);
  });

  it.each<[string, ReviewerFacts | null | undefined, string | null]>([
    ['opus', standsIn, 'codex'],
    ['sonnet', standsIn, 'codex'],
    ['haiku', standsIn, null],
    ['opus', chosen, null],
    ['opus', null, null],
    ['opus', undefined, null],
  ])('in the place of %s with %j there is %j', (name, reviewers, standIn) => {
    expect(standInFor(name, reviewers === undefined ? {} : { reviewers })).toBe(standIn);
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
    ['c', 'a'],
    ['', 'a'],
  ])('after %s comes %s', (model, next) => {
    expect(otherModel(model, ['a', 'b'])).toBe(next);
  });

  it.each<[string, string | undefined, string]>([
    ['a', undefined, 'b'],
    ['a', 'a', 'b'],
    ['b', 'b', 'a'],
    // Put there while another reviewed.
    ['a', 'b', 'a'],
    ['c', 'a', 'c'],
  ])('with %s in the state, reviewed by %s, the next is %s', (model, reviewer, next) => {
    const pair: Pair = ['a', 'b'];
    expect(modelAfter(model, reviewer, pair)).toBe(next);
  });
});
