import { expect, it } from 'vitest';
import { accountsOf, contestedIn, describeAccounts } from './accounts.ts';
import { EMPTY_DOCKET, type Entry } from './types.ts';

const entry = (id: string, status: Entry['status'], earlier: readonly string[] = []): Entry => ({
  ...{ id, review: 'r.md', round: 1, by: null, severity: 'high', file: null, line: null, claim: id },
  ...{ evidence: null, status, answer: null, earlier, others: {} },
});

it('counts nothing in an empty docket', () => {
  expect(accountsOf(EMPTY_DOCKET)).toEqual({ found: 0, fixed: 0, rejected: 0, open: 0, contested: [] });
});

it('counts each finding by what became of it, and names those that were rejected and raised again', () => {
  const contested = entry('F2', 'rejected');
  const findings = [
    ...[entry('F1', 'fixed'), contested, entry('F3', 'rejected'), entry('F4', 'open')],
    ...[entry('F5', 'fixed', ['F1', 'F2']), entry('F6', 'fixed', ['F4', 'F9'])],
  ];
  const accounts = accountsOf({ ...EMPTY_DOCKET, last: 6, findings });
  expect(accounts).toEqual({ found: 6, fixed: 3, rejected: 2, open: 1, contested: [contested] });
  expect(contestedIn(findings)).toEqual([contested]);
  expect(describeAccounts(accounts)).toBe('6 found: 3 fixed, 2 rejected, 1 open');
});
