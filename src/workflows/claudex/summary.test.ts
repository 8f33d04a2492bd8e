import { beforeEach, describe, expect, it } from 'vitest';
import { putLoop, writeAt } from '../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import type { World } from './observe.ts';
import { reviewerFor } from './reviewer.ts';
import { readLoop } from './state-format.ts';
import { describeRound, elapsed, lastReviewed, roundsTable, shorten, verdictOn } from './summary.ts';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder());
});

/** A loop at this round, of at most so many, of which these were reviewed. */
const world = (round: number, maxRounds: number, reviewed: readonly number[] = []) => {
  const { dir, files, text } = putLoop(project, { phase: 'reviewing', round: String(round) });
  const rounds: World['rounds'] = new Map(reviewed.map((each) => [each, { high: each, medium: 0, low: 0 }]));
  return { loop: readLoop(text), maxRounds, rounds, dir, files, reviewer: reviewerFor(project.config) };
};

describe('the table of rounds', () => {
  it('has a line for each, with what was found or why nothing was', () => {
    const at = world(3, 3, [1]);
    writeAt(at.files.exit(2), '127\n');
    expect(roundsTable(at)).toBe(
      [
        '- Round 1 (Senior-engineer review): high=1 medium=0 low=0',
        '- Round 2 (Security and data-integrity review): not reviewed (exit code 127: codex was not found on PATH)',
        '- Round 3 (Ops and SRE review): not reviewed',
      ].join('\n'),
    );
    expect(describeRound(at, 1)).toBe('high=1 medium=0 low=0');
  });

  it('ends with the last round that is allowed, or that was begun', () => {
    expect(roundsTable(world(9, 1))).toBe('- Round 1 (Senior-engineer review): not reviewed');
    expect(roundsTable(world(1, 9))).toBe('- Round 1 (Senior-engineer review): not reviewed');
  });

  it.each([
    [20, 20, '- Round 1 (Senior-engineer review): not reviewed'],
    [21, 21, '- Rounds 1 to 1: see their findings files'],
    [30, 21, '- Rounds 1 to 10: see their findings files'],
  ])('of %i rounds has %i lines', (rounds, length, first) => {
    const lines = roundsTable(world(rounds, rounds)).split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      length,
      first,
      `- Round ${rounds} (Ops and SRE review): not reviewed`,
    ]);
  });
});

describe('the last round that was reviewed', () => {
  it.each([
    [2, 3, [], null],
    [2, 3, [3], null],
    [3, 3, [1, 2], 2],
    [3, 3, [2, 1, 3], 3],
    [5, 2, [1, 2, 3], 2],
  ])('at round %i of %i with %j is %j', (round, max, reviewed, last) => {
    expect(lastReviewed(world(round, max, reviewed))).toBe(last);
  });
});

describe('the verdict on a loop', () => {
  const nobody = 'No review ran in this loop: nobody but its author has examined the plan. Say so plainly.';
  it.each([
    [1, 3, [], nobody],
    [1, 3, [2], nobody],
    [
      3,
      3,
      [1, 2],
      'Round 3 was not reviewed, so nobody has examined the plan since round 2. Say so plainly.',
    ],
    [3, 3, [3], '2 of the rounds were not reviewed. Say so plainly.'],
    [2, 3, [1, 2, 3], 'The loop was declared done after the review of round 2.'],
    [5, 2, [1, 2], 'The loop was declared done after the review of round 2.'],
  ])('at round %i of %i with %j reviewed', (round, max, reviewed, words) => {
    expect(verdictOn(world(round, max, reviewed))).toBe(words);
  });
});

describe('how long it has been', () => {
  it.each([
    [29_999, 'less than a minute'],
    [-600_000, 'less than a minute'],
    [30_000, '1 min'],
    [59 * 60_000, '59 min'],
    [60 * 60_000, '1 h 0 min'],
    [125 * 60_000, '2 h 5 min'],
  ])('after %i ms is %s', (time, words) => {
    expect(elapsed(1000, 1000 + time)).toBe(words);
  });

  it('is not known where the start is not', () => {
    expect(elapsed(null, 0)).toBe('unknown');
  });
});

describe('a text that is shortened', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc …'],
    ['😀😀😀', 3, '😀😀😀'],
    ['😀😀😀a', 3, '😀😀😀 …'],
    ['', 0, ''],
    ['a', 0, ' …'],
  ])('%j to %i is %j', (text, most, words) => {
    expect(shorten(text, most)).toBe(words);
  });
});
