// The proof that the race suite can fail. The slow disk opens the gaps wide in which two processes meet.

import { expect, it } from 'vitest';
import { problemsOf } from './planted.ts';
import {
  editDuringReview,
  oneDocket,
  oneGuard,
  oneIndex,
  oneLoop,
  oneReview,
  oneStart,
  oneTicket,
  segments,
} from './races.ts';

const NO_LOCK = {
  file: 'store/lock.ts',
  from: 'await waitForTurn(contender, path, patienceMs);',
  to: 'void waitForTurn; void patienceMs;',
};

it('finds stops that do not wait for the lock', async () => {
  expect(await problemsOf({ name: 'race-no-lock', ...NO_LOCK }, oneLoop, 'slow')).not.toEqual([]);
});

it('finds a guard that is counted without the lock', async () => {
  expect(await problemsOf({ name: 'race-guard-no-lock', ...NO_LOCK }, oneGuard, 'slow')).not.toEqual([]);
});

it('finds commands that do not wait for the lock', async () => {
  expect(await problemsOf({ name: 'race-index-no-lock', ...NO_LOCK }, oneIndex, 'slow')).not.toEqual([]);
});

it('finds an index that forgets the other runs of its session', async () => {
  const defect = {
    name: 'race-index',
    file: 'store/sidecars.ts',
    from: 'runs: [...index.runs.filter((other) => other !== run), run]',
    to: 'runs: [run]',
  };
  expect(await problemsOf(defect, oneIndex)).not.toEqual([]);
});

it('finds a docket that is begun again at every review', async () => {
  const defect = {
    name: 'race-docket',
    file: 'engine/docket/keep.ts',
    from: "if (text === null || text.trim() === '') return opened;",
    to: 'if (text !== undefined) return opened;',
  };
  expect(await problemsOf(defect, oneDocket)).not.toEqual([]);
});

it('finds a review that is taken from its living owner', async () => {
  const defect = {
    name: 'race-owner',
    file: 'engine/work/attempt.ts',
    from: 'return tryHold(ownerLock(project, attempt.id), project.root);',
    to: 'void tryHold; return { release() {} };',
  };
  expect(await problemsOf(defect, oneReview)).not.toEqual([]);
});

it('finds a verdict that is laid over an edit', async () => {
  const defect = {
    name: 'race-edit',
    file: 'engine/work/ended-review.ts',
    from: 'return attempt.before === seen.stateHash || isOfItsSubject;',
    to: "return attempt.before === seen.stateHash || isOfItsSubject || seen.stateHash !== '';",
  };
  const review = {
    ...defect,
    file: 'workflows/taskie/decide.ts',
    name: 'race-edit-decide',
    from: 'const due = owed ?? asReview(state.next);',
    to: "const due = owed ?? asReview(state.next) ?? (facts.verdict === null ? null : 'plan-review');",
  };
  expect(await problemsOf(defect, editDuringReview, undefined, review)).not.toEqual([]);
});

it('finds a start that does not look for another loop', async () => {
  const defect = {
    name: 'race-start',
    file: 'workflows/claudex/cli/start.ts',
    from: '    refuseBesideAnother(project, made);',
    to: '    void refuseBesideAnother;',
  };
  expect(await problemsOf(defect, oneStart)).not.toEqual([]);
});

it('finds a ticket that more than one session takes', async () => {
  const defect = {
    name: 'race-ticket',
    file: 'store/tickets.ts',
    from: 'for (const run of runs) give(run);\n    return [];',
    to: 'for (const run of runs) give(run);\n    return waiting;',
  };
  // Either safeguard alone keeps the run with the first session.
  const given = {
    ...defect,
    name: 'race-ticket-given',
    file: 'engine/stop/find-runs.ts',
    from: 'if (!hasSession(project, run)) bind(',
    to: 'void hasSession; bind(',
  };
  expect(await problemsOf(defect, oneTicket, undefined, given)).not.toEqual([]);
});

it('finds a segment that is written over the one before', async () => {
  const defect = {
    name: 'race-segment',
    file: 'store/journal.ts',
    from: 'const number = (numbersIn(folder)[0] ?? 0) + 1;',
    to: 'const number = Math.min(numbersIn(folder).length + 1, 1);',
  };
  expect(await problemsOf(defect, segments)).not.toEqual([]);
});
