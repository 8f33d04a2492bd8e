// The proof that the races of runs that wait can fail. The slow disk opens the gaps wide in which two processes meet.

import { expect, it } from 'vitest';
import { problemsOf } from './planted.ts';
import {
  askAmongStops,
  askAndFailure,
  capAmongStops,
  failureAmongStops,
  manyAsks,
  twoSessions,
  waitAmongStops,
} from './waiting-races.ts';

it('finds a question that is noted without the lock', async () => {
  const defect = {
    name: 'race-ask-unlocked',
    file: 'cli/ask.ts',
    from: 'return await withLock(project.home, COMMAND_PATIENCE_MS, note);',
    to: 'void withLock; void COMMAND_PATIENCE_MS; return note();',
  };
  expect(await problemsOf(defect, askAmongStops, 'slow')).not.toEqual([]);
});

it('finds calls of wait that are noted without the lock', async () => {
  const defect = {
    name: 'race-wait-unlocked',
    file: 'cli/wait.ts',
    from: 'return await withLock(project.home, patienceMs, add);',
    to: 'void withLock; void patienceMs; return add();',
  };
  expect(await problemsOf(defect, waitAmongStops, 'slow')).not.toEqual([]);
});

it('finds a failed turn that is noted without the lock', async () => {
  const defect = {
    name: 'race-failure-unlocked',
    file: 'hook/stop-failure.ts',
    from: 'withLock(project.home, runtime.lockPatienceMs, async () => {',
    to: '((_: unknown, __: unknown, act: () => Promise<void>) => Promise.resolve(void withLock).then(act))(project.home, runtime.lockPatienceMs, async () => {',
  };
  expect(await problemsOf(defect, failureAmongStops, 'slow')).not.toEqual([]);
});

it('finds a failed turn that takes the place of a question', async () => {
  const defect = {
    name: 'race-failure-over-question',
    file: 'hook/stop-failure.ts',
    from: "if (waiting?.for === 'person' && !isOver(waiting, now)) return null;",
    to: 'void isOver;',
  };
  expect(await problemsOf(defect, askAndFailure)).not.toEqual([]);
});

it('finds questions that are counted although nobody was shown them', async () => {
  const defect = {
    name: 'race-asks-counted',
    file: 'cli/ask.ts',
    from: 'isUnshown(sidecar.waiting) ? questions : questions + 1',
    to: 'isUnshown(sidecar.waiting) ? questions + 1 : questions + 1',
  };
  expect(await problemsOf(defect, manyAsks)).not.toEqual([]);
});

it('finds a wait that begins anew at every stop', async () => {
  const defect = {
    name: 'race-work-anew',
    file: 'engine/waiting/wait.ts',
    from: "...(known ?? { for: 'work', since: now, until: now + limits.work }),",
    to: "...{ for: 'work', since: now, until: now + limits.work },",
  };
  expect(await problemsOf(defect, twoSessions)).not.toEqual([]);
});

it('finds holds that are not counted for a client’s cap', async () => {
  const defect = {
    name: 'race-cap-uncounted',
    file: 'engine/stop/client-cap.ts',
    from: 'const count = heldInRow(index, stop) + 1;',
    to: 'const count = Math.min(1, heldInRow(index, stop) + 1);',
  };
  expect(await problemsOf(defect, capAmongStops)).not.toEqual([]);
});
