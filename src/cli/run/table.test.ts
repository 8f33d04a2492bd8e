import { expect, it } from 'vitest';
import type { Summary } from '../../driver/summary.ts';
import { tableOf } from './table.ts';

const summary: Summary = {
  ...{ asked: 'idle loop Do it', run: 'idle:a', outcome: 'completed', proof: 'proven by test' },
  ...{ iterations: 3, reviews: 2, findings: 1, tokens: 12_345, usd: 1.5 },
  ...{ elapsedMs: 600_000, workedMs: 480_000, waitedMs: 60_000 },
  ...{ sessions: 2, turns: 4, tools: 9, files: 5, commits: 1 },
};

it('the table at the end has a row for each thing that is known', () => {
  expect(tableOf(summary)).toEqual([
    '  asked       idle loop Do it',
    '  run         idle:a',
    '  outcome     completed',
    '  proven by   proven by test',
    '  iterations  3',
    '  reviews     2, 1 with findings',
    '  tokens      12.3k',
    '  cost        $1.50, as the client reports it',
    '  elapsed     10 min: 8 min of work, 60 s of waiting',
    '  client      2 sessions, 4 turns, 9 tools',
    '  files       5 changed',
    '  commits     1',
  ]);
});

it('the table at the end leaves out what nobody knows, and keeps what is none', () => {
  const unknown = {
    ...summary,
    ...{ run: null, proof: null, iterations: 0, reviews: 0, tokens: null, usd: null },
    ...{ sessions: 1, turns: 1, tools: 1, files: null, commits: null },
  };
  expect(tableOf(unknown)).toEqual([
    '  asked       idle loop Do it',
    '  outcome     completed',
    '  proven by   no checks were asked for',
    '  iterations  0',
    '  elapsed     10 min: 8 min of work, 60 s of waiting',
    '  client      1 session, 1 turn, 1 tool',
  ]);
  const none = { ...unknown, tokens: 0, usd: 0, sessions: 0, turns: 0, tools: 0, files: 0, commits: 0 };
  expect(tableOf(none).slice(4)).toEqual([
    '  tokens      0',
    '  cost        $0.00, as the client reports it',
    '  elapsed     10 min: 8 min of work, 60 s of waiting',
    '  client      0 sessions, 0 turns, 0 tools',
    '  files       0 changed',
    '  commits     0',
  ]);
});
