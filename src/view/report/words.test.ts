import { describe, expect, it } from 'vitest';
import {
  NO_COUNTS,
  shownBudget,
  shownResult,
  shownRound,
  shownRun,
  shownStop,
} from '../../../test/support/shown-run.ts';
import type { CheckView, RunView } from '../model.ts';
import type { RunEnd } from '../run-state.ts';
import { checkInWords, costs, howItEnded, spanOf, titleOf, VERDICTS, whoReviewed } from './words.ts';

const check = (name: string, ...ends: CheckView['results'][number]['end'][]): CheckView => ({
  name,
  log: null,
  results: ends.map((end) => shownResult({ end })),
});
const ended = (end: Partial<RunEnd>, more: Partial<RunView> = {}): RunView =>
  shownRun({
    live: false,
    status: 'ended',
    end: { kind: 'proven', at: 1, why: [], by: null, ...end },
    ...more,
  });
const proof = (...checks: string[]): RunView['proof'] => ({
  ...{ checks, untrusted: [], off: false, refusals: 0, text: '' },
});

describe('how a run ended', () => {
  it.each<[string, RunView, string]>([
    ['goes on', shownRun(), 'Running: at work.'],
    [
      'needs a person',
      shownRun({ status: 'needs-you', needs: 'Answer it.' }),
      'Needs you: at work. Answer it.',
    ],
    ['is unproven', ended({ kind: 'unproven', why: ['failed'] }), 'Done, unproven (failed).'],
    [
      'is proven by the checks whose last result is a pass',
      ended({}, { checks: [check('lint', 'passed', 'failed'), check('a', 'passed'), check('b', 'passed')] }),
      'Done and proven by a and b.',
    ],
    [
      'is proven by three that only the pin names',
      ended({}, { proof: proof('x', 'y', 'z') }),
      'Done and proven by x, y and z.',
    ],
  ])('one that %s', (_, run, words) => {
    expect(howItEnded(run)).toBe(words);
  });
});

describe('the span of a run', () => {
  const stops = [shownStop({ at: 40 }), shownStop({ at: 10 })];
  it.each<[string, Partial<RunView>, number | null]>([
    [
      'from start to end',
      { startedAt: 5, end: { kind: 'done', at: 30, why: [], by: null }, movedAt: 90, stops },
      25,
    ],
    ['from start to its last move', { startedAt: 5, movedAt: 90, stops }, 85],
    [
      'to its last move where the end has no time',
      { startedAt: 5, movedAt: 9, end: { kind: 'done', at: null, why: [], by: null } },
      4,
    ],
    ['from its oldest stop', { movedAt: 90, stops }, 80],
    ['never below nothing', { startedAt: 50, movedAt: 20 }, 0],
    ['unknown without a start', { movedAt: 20 }, null],
    ['unknown without an end', { startedAt: 20 }, null],
  ])('is %s', (_, more, span) => {
    expect(spanOf(shownRun(more))).toBe(span);
  });
});

describe('what a run took', () => {
  const took = (more: Partial<RunView>): string[] =>
    costs(shownRun(more)).map(({ what, amount }) => `${what}: ${amount}`);

  it('is its stops alone where there was nothing else', () => {
    expect(took({})).toEqual(['stops: 0, of which 0 were held']);
    const { spent } = shownBudget();
    expect(took({ budget: shownBudget({ spent }) })).toEqual(['stops: 0, of which 0 were held']);
  });

  it('is everything that was counted, in its order', () => {
    const counts = { ...NO_COUNTS, stops: 7, held: 5, reviews: 1, checks: 2, tokens: 1500, usd: 0.25 };
    const spent = { tokens: 2_000_000, timeMs: 0, reviews: 0, usd: 0.1, cacheRead: 0 };
    expect(took({ counts, startedAt: 0, movedAt: 90_000, budget: shownBudget({ spent }) })).toEqual([
      'from start to end: 90 s',
      'stops: 7, of which 5 were held',
      'reviews: 1',
      'checks run: 2',
      'tokens of reviewers: 1.5k',
      'tokens of its budget: 2M tokens',
      'cost: $0.25',
    ]);
  });

  it('costs what the budget knows where that is more', () => {
    const spent = { tokens: 0, timeMs: 0, reviews: 0, usd: 3, cacheRead: 0 };
    const counts = { ...NO_COUNTS, usd: 2 };
    expect(took({ counts, budget: shownBudget({ spent }) }).at(-1)).toBe('cost: $3.00');
  });
});

describe('a round', () => {
  it.each([
    ['', 2, 'round 2'],
    ['task-2', 3, 'task-2, round 3'],
  ])('about "%s" is titled %s', (about, number, title) => {
    expect(titleOf(shownRound({ about, number }))).toBe(title);
  });

  it.each([
    [null, 'm', ''],
    ['codex', null, 'codex'],
    ['codex', '', 'codex'],
    ['codex', 'gpt', 'codex/gpt'],
  ])('by %s with %s is by "%s"', (reviewer, model, who) => {
    expect(whoReviewed(shownRound({ reviewer, model }))).toBe(who);
  });

  it('has a mark and a word for its verdict', () => {
    const said = Object.entries(VERDICTS).map(([verdict, { mark, word }]) => `${verdict}: ${mark} ${word}`);
    expect(said).toEqual([
      'clean: ✓ clean',
      'findings: ✗ findings',
      'none: · no verdict',
      'failed: · it failed',
      'running: … runs now',
      'not-reviewed: · not reviewed',
    ]);
  });
});

describe('a check in words', () => {
  it.each<[CheckView, string]>([
    [check('test'), '; last: never run'],
    [check('test', 'passed'), 'passed once; last: passed'],
    [check('test', 'failed', 'failed', 'passed'), 'failed twice, passed once; last: passed'],
    [check('test', 'passed', 'failed', 'passed', 'passed'), 'passed 3 times, failed once; last: passed'],
  ])('%#', (of, words) => {
    expect(checkInWords(of)).toBe(words);
  });

  it('says how long it took last', () => {
    const results = [shownResult({ milliseconds: 9000 }), shownResult({ end: 'failed', milliseconds: 3000 })];
    expect(checkInWords({ name: 'test', log: null, results })).toBe(
      'passed once, failed once; last: failed after 3 s',
    );
    expect(checkInWords({ name: 'test', log: null, results: [shownResult({ milliseconds: 0 })] })).toBe(
      'passed once; last: passed after 0 s',
    );
  });
});
