// Sound records and lines of budgets and drivers, to be broken.

import { newBudget } from '../../src/engine/budget/pin.ts';
import type { Budget } from '../../src/engine/budget/types.ts';
import { newRecord } from '../driver/records.ts';
import { recordedLines } from '../support/recorded.ts';
import { claudeLines, codexLines, NOW, SESSION } from './corpus.ts';

export const RUN = 'idle:loop-1';
const ROOT = '/somewhere/project';
const LIMITS = { tokens: 2_000_000, timeMs: 14_400_000, reviews: 12, usd: 10 };

const fresh = newBudget(ROOT, RUN, LIMITS, NOW - 3_600_000, NOW);

const used: Budget = {
  ...fresh,
  spent: { tokens: 1_999_999, cacheRead: 31_000_000, timeMs: 5_000_000, reviews: 11, usd: 9.5 },
  holds: 7,
  clock: { at: NOW - 60_000, still: { for: 'limit', since: NOW - 90_000, until: NOW, reviewer: 'claude' } },
  meter: {
    ...{ session: SESSION, since: NOW - 3_600_000, isHeld: true },
    pauses: [{ from: NOW - 9_000, to: NOW - 5_000 }],
    files: {
      '/t.jsonl': { inode: 12, offset: 400, at: NOW - 60_000, total: { tokens: 500, cacheRead: 20 } },
    },
    seen: [{ id: 'msg_1', tokens: 120, cacheRead: 7 }],
  },
  reviewed: ['review-1'],
  money: { [SESSION]: 1.25 },
};

export const budgets = [
  fresh,
  used,
  { ...used, stage: 'last-hold', due: 'review' },
  { ...used, stage: 'paused', pausedAt: NOW - 1000 },
].map((budget) => JSON.stringify(budget));

/** Those that speak of tokens, and some that do not. */
export const usageLines = {
  'claude-code': claudeLines.filter((line) => line.length < 6000),
  codex: [...codexLines.filter((line) => line.length < 6000), ...codexTotals()],
  copilot: recordedLines('copilot/transcript-usage.jsonl').filter((line) => line.length < 6000),
  qwen: recordedLines('qwen/transcript-usage.jsonl').filter((line) => line.length < 6000),
};

function codexTotals(): string[] {
  const total = { input_tokens: 900, cached_input_tokens: 300, output_tokens: 60 };
  const last = { input_tokens: 120, cached_input_tokens: 0, output_tokens: 20 };
  const timestamp = '2026-01-31T09:30:00.000Z';
  const info = { total_token_usage: total, last_token_usage: last, model_context_window: 258400 };
  const count = { timestamp, type: 'event_msg', payload: { type: 'token_count', info } };
  const record = {
    timestamp,
    type: 'token_usage_record',
    payload: { thread_token_usage: total, usage: last },
  };
  return Array.from({ length: 10 }, () => [JSON.stringify(count), JSON.stringify(record)]).flat();
}

export const driverRecords = [
  // Written when the machine's clock was a month ahead.
  newRecord({
    root: ROOT,
    run: RUN,
    next: { session: 'same', say: 'after-limit', at: NOW + 40 * 86_400_000 },
  }),
  newRecord({ root: ROOT, run: RUN, id: 'an-id', session: SESSION, startedAt: NOW }),
  newRecord(
    {
      ...{ root: ROOT, run: null, id: 'an-id', workflow: 'taskie', former: [SESSION], mark: 'a mark' },
      ...{ client: { pid: 77, start: '12345' }, commit: 'abc', startedAt: NOW },
      next: { session: 'new', say: 'after-limit', at: NOW + 3_600_000 },
      worktree: { path: '/somewhere/project-1', branch: 'holdfast/1', from: ROOT },
      spent: { usdBefore: 1.5, usdHere: 0.25, turns: 3, tools: 9, sessions: 2, workedMs: 10, waitedMs: 20 },
      ended: { code: 7, why: 'paused', at: NOW },
    },
    { stopAt: 'plan', model: 'opus', args: ['--add-dir', '/x'], budget: LIMITS },
  ),
].map((record) => JSON.stringify(record));

const line = { schema: 2, time: '2026-01-31T09:30:00.000Z', session: SESSION, workflow: 'idle' };

export const journalLines = [
  { ...line, event: 'drive', run: null, what: 'began', why: 'claude-code' },
  { ...line, event: 'drive', run: 'loop-1', what: 'waits', why: 'after-limit', until: line.time },
  { ...line, event: 'drive', run: 'loop-1', what: 'finished', why: 'completed, exit code 0' },
  { ...line, event: 'drive', run: 'loop-1', what: 'constructor' },
  { ...line, event: 'budget', run: 'loop-1', what: 'spent', limits: LIMITS },
].map((entry) => JSON.stringify(entry));
