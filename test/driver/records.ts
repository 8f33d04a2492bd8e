// A driver's record as `holdfast run` begins with it, for tests.

import { randomUUID } from 'node:crypto';
import { type DriveOptions, type DriverRecord, NOTHING_SPENT } from '../../src/driver/record.ts';
import { NO_COUNTS } from '../../src/driver/types.ts';

export const NO_BUDGET = { tokens: null, timeMs: null, reviews: null, usd: null };

export function newRecord(
  given: Pick<DriverRecord, 'root' | 'run'> & Partial<DriverRecord>,
  options: Partial<DriveOptions> = {},
): DriverRecord {
  return {
    ...{ schema: 1, id: randomUUID(), workflow: 'idle', asked: 'idle loop Do it all' },
    ...{ prompt: 'Do it all', session: null },
    options: {
      ...{ client: 'claude-code', access: 'edit', fresh: false, model: null, persist: 1, stopAt: null },
      ...{ unattended: false, budget: NO_BUDGET, args: [] },
      ...options,
    },
    counts: NO_COUNTS,
    mark: '',
    next: { session: 'same', say: 'first', at: null },
    driver: { pid: process.pid, start: null },
    client: null,
    spent: NOTHING_SPENT,
    startedAt: Date.now() - 1000,
    ...{ commit: null, worktree: null, ended: null },
    ...given,
  };
}
