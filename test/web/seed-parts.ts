// What the seeded runs are made of: times, stops, rounds, checks.

import type { FindingView, RoundView, RunView, StopKind, StopView } from '../../src/view/model.ts';
import { NO_COUNTS } from '../support/shown-run.ts';

/** 14:20 UTC on a Tuesday. */
export const NOW = Date.UTC(2026, 10, 17, 14, 20, 0);

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const SESSION = '0b5d6c1e-4c2f-4a8e-9d57-1f0a6b2c3d4e';

export const WHY: Readonly<Record<StopKind, (index: number) => string>> = {
  held: (index) =>
    index % 2 === 0
      ? `No completion signal was in the agent's last message, so iteration ${index + 1} began.`
      : 'The review listed findings, so the agent is to answer each of them before the next round.',
  allowed: () => 'The review was clean, so the agent may stop; the next phase begins with its next turn.',
  waits: () =>
    'The agent asked a question with `holdfast ask`, so the stop was allowed and nothing was counted.',
  'let-go': () => 'Nothing moved over three holds in a row, so the run was let go.',
  failed: () => 'Holdfast hit an error, so this stop was allowed.',
};

export function finding(
  ...[id, severity, round, file, line, claim, status, answer]: [
    string,
    FindingView['severity'],
    number,
    string,
    number | null,
    string,
    FindingView['status'],
    string | null,
  ]
): FindingView {
  return {
    id,
    severity,
    round,
    by: round % 2 === 1 ? 'codex' : 'opus',
    review: `code-review-${round}.md`,
    file,
    line,
    claim,
    evidence: null,
    status,
    answer,
    contested: false,
    earlier: [],
  };
}

export function round(
  number: number,
  about: string,
  reviewer: string,
  [high, medium, low]: readonly [number, number, number],
  at: number,
): RoundView {
  return {
    number,
    about,
    reviewer,
    model: reviewer === 'codex' ? 'gpt-5' : '',
    verdict: high + medium + low === 0 ? 'clean' : 'findings',
    found: { high, medium, low },
    at,
    milliseconds: (180 + number * 31) * SECOND,
    usd: 0.31 + number * 0.04,
    tokens: 60_000 + number * 4000,
    file:
      about === ''
        ? `.claude/claudex/round-${number}.md`
        : `.taskie/plans/checkout/${about.split(',')[0]}-${number}.md`,
    position: { segment: 1, offset: 100_000 + (at % 90_000) },
  };
}

export function stop(index: number, at: number, kind: StopKind, state: string, why: string): StopView {
  return {
    position: { segment: 1, offset: index * 400 },
    at,
    kind,
    moved: true,
    step: kind,
    why,
    state,
    client: 'claude-code',
    session: SESSION,
    milliseconds: 48 + (index % 7),
  };
}

export function event(
  index: number,
  at: number,
  name: 'start' | 'review',
  text: string,
): RunView['events'][number] {
  return { position: { segment: 1, offset: 50_000 + index * 200 }, at, event: name, text };
}

export function check(
  name: string,
  seconds: readonly number[],
  codes: readonly number[],
  start: number,
): RunView['checks'][number] {
  return {
    name,
    log: `.holdfast/checks/${name}.log`,
    results: seconds.map((each, index) => ({
      at: start + (index + 1) * 12 * MINUTE,
      end: codes[index] === 0 ? 'passed' : 'failed',
      code: codes[index] ?? 0,
      milliseconds: each * SECOND,
      receipt: false,
      flaky: false,
      position: { segment: 1, offset: 70_000 + index * 100 + name.length },
    })),
  };
}

export function empty(workflow: string, run: string): RunView {
  return {
    id: '',
    name: `${workflow}:${run}`,
    workflow,
    run,
    status: 'running',
    ...{ dismissed: false, unseen: false, reviewsGivenUp: null },
    needs: null,
    live: false,
    stage: '',
    state: null,
    progress: null,
    asked: null,
    holder: null,
    startedAt: null,
    movedAt: null,
    end: null,
    waiting: null,
    work: [],
    counts: NO_COUNTS,
    stops: [],
    events: [],
    rounds: [],
    findings: null,
    checks: [],
    proof: null,
    budget: null,
    forecast: null,
    files: [],
    trouble: null,
    detail: {},
  };
}
