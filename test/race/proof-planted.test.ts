// The proof that the races of claims can fail. The slow disk opens the gaps wide in which two processes meet.

import { expect, it } from 'vitest';
import { problemsOf } from './planted.ts';
import { manyReceipts, oneCheck, revokedMeanwhile } from './proof-races.ts';

it('finds a check that is taken from its living owner', async () => {
  const defect = {
    name: 'race-check-owner',
    file: 'engine/work/attempt.ts',
    from: 'return tryHold(ownerLock(project, attempt.id), project.root);',
    to: 'void tryHold; return { release() {} };',
  };
  expect(await problemsOf(defect, oneCheck)).not.toEqual([]);
});

it('finds a check that is begun beside another of its run', async () => {
  const defect = {
    name: 'race-check-beside',
    file: 'engine/work/attempt.ts',
    from: 'if (other !== undefined) return { busy: other.id };',
    to: 'void other;',
  };
  const asked = {
    name: 'race-check-asked',
    file: 'engine/stop/answer-turn.ts',
    from: "if (unfinished === undefined) return { kind: 'prove'",
    to: "if (unfinished !== null) return { kind: 'prove'",
  };
  expect(await problemsOf(defect, oneCheck, undefined, asked)).not.toEqual([]);
});

it('finds receipts that are written without the lock of their folder', async () => {
  const defect = {
    name: 'race-receipts',
    file: 'store/user-state.ts',
    from: "const held = holdLock(below(folder, 'lock'));",
    to: 'void holdLock; const held = { release() {} };',
  };
  expect(await problemsOf(defect, manyReceipts, 'slow')).not.toEqual([]);
});

it('finds trust that counts although it was taken back', async () => {
  const defect = {
    name: 'race-revoked',
    file: 'engine/proof/checking.ts',
    from: 'return !untrusted.includes(check.name) && isTrusted(check, this.#trust, startedAt);',
    to: 'void isTrusted; void startedAt; return !untrusted.includes(check.name);',
  };
  expect(await problemsOf(defect, revokedMeanwhile)).not.toEqual([]);
});
