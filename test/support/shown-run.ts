// A run as views show it, with nothing in it but what a test puts there.

import type {
  BudgetView,
  CheckResult,
  FindingView,
  ProjectView,
  RoundView,
  RunView,
  StopView,
} from '../../src/view/model.ts';

const position = { segment: 1, offset: 0 };

export const shownRun = (more: Partial<RunView> = {}): RunView => ({
  ...{ id: 'p/toy:a', name: 'toy:a', workflow: 'toy', run: 'a', status: 'running', needs: null, live: true },
  ...{ dismissed: false, unseen: false, reviewsGivenUp: null },
  ...{ stage: 'at work', state: null, progress: null, asked: null, holder: null, startedAt: null },
  ...{ movedAt: null, end: null, waiting: null, work: [], counts: NO_COUNTS, stops: [], events: [] },
  ...{ rounds: [], findings: null, checks: [], proof: null, budget: null, forecast: null, files: [] },
  ...{ trouble: null, detail: {} },
  ...more,
});

export const NO_COUNTS: RunView['counts'] = {
  ...{ stops: 0, held: 0, allowed: 0, letGo: 0, failed: 0 },
  ...{ reviews: 0, checks: 0, receipts: 0, usd: 0, tokens: 0 },
};

export const shownProject = (more: Partial<ProjectView> = {}): ProjectView => ({
  ...{ id: 'p', root: '/p', name: 'p', runs: [], leftOut: 0, troubles: [], readBackTo: null },
  ...more,
});

export const shownStop = (more: Partial<StopView> = {}): StopView => ({
  ...{ position, at: 0, kind: 'held', moved: true, step: 'go-on', why: 'It said so.', state: null },
  ...{ client: 'claude-code', session: 's1', milliseconds: 5 },
  ...more,
});

export const shownRound = (more: Partial<RoundView> = {}): RoundView => ({
  ...{ number: 1, about: '', reviewer: null, model: null, verdict: 'clean', at: null, milliseconds: null },
  ...{ found: { high: 0, medium: 0, low: 0 }, usd: null, tokens: null, file: null, position: null },
  ...more,
});

export const shownFinding = (more: Partial<FindingView> = {}): FindingView => ({
  ...{ id: 'F1', severity: 'high', round: 1, by: 'r', review: 'review-1.md', file: null, line: null },
  ...{ claim: 'It breaks.', evidence: null, status: 'open', answer: null, contested: false, earlier: [] },
  ...more,
});

export const shownResult = (more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ at: 0, end: 'passed', code: 0, milliseconds: null, receipt: false, flaky: false, position },
  ...more,
});

export const NO_LIMITS: BudgetView['limits'] = { tokens: null, timeMs: null, reviews: null, usd: null };

export const shownBudget = (more: Partial<BudgetView> = {}): BudgetView => ({
  ...{ stage: 'open', limits: NO_LIMITS, left: NO_LIMITS, iterations: 0, burn: [], text: 'Budget.' },
  spent: { tokens: 0, timeMs: 0, reviews: 0, usd: 0, cacheRead: 0 },
  ...more,
});
