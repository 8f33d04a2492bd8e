import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { disk } from '../../store/disk.ts';
import { Refused } from '../../store/files.ts';
import { attemptFolder, homeOf } from '../../store/home.ts';
import {
  NO_GUARD_MEMORY,
  type NoVerdict,
  newSidecar,
  type ReviewAttempt,
  type Sidecar,
} from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { isSpent } from '../work/attempt.ts';
import { endedReview, failuresIn } from '../work/ended-review.ts';
import type { Commit } from '../workflow.ts';
import { commitStep, type ToCommit } from './commit.ts';

let temp: TempProject;
let project: Project;

beforeEach(() => {
  temp = tempProject();
  project = {
    root: temp.root,
    home: homeOf(temp.root),
    env: {},
    now: 0,
    cli: 'holdfast',
    config: { ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, timeoutMs: 1 } },
  };
  temp.write('state', 'old');
});

afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

const sidecar: Sidecar = { ...newSidecar('toy:a'), sessions: ['s1'], saved: 'old' };
const memory = { ...NO_GUARD_MEMORY, held: true, noProgress: 1 };

const attempt: ReviewAttempt = {
  id: 'a1',
  work: 'review',
  reviewer: 'toy',
  kind: 'toy-review',
  number: 1,
  file: 'review.md',
  model: 'opus',
  owner: 's1',
  deadline: 1,
  status: 'done',
  verdict: 'findings',
  before: 'before',
};

function commit(): Commit {
  const at = (name: string): string => path.join(temp.root, name);
  return {
    writes: [
      { kind: 'replace', path: at('prompt'), content: 'prompt' },
      { kind: 'replace', path: at('state'), content: 'new' },
    ],
    stateHash: 'after',
    saved: 'new',
  };
}

async function step(what: Partial<ToCommit>): Promise<void> {
  commitStep(project, {
    sidecar,
    stateHash: 'before',
    commit: null,
    memory: null,
    held: false,
    applied: null,
    passed: null,
    ...what,
  });
}

const saved = (): Sidecar => readSidecar(temp.root, 'toy:a');

/** The names of the files in the order in which they came to stand. */
function recordRenames(): string[] {
  const names: string[] = [];
  const rename = disk.rename;
  vi.spyOn(disk, 'rename').mockImplementation((from, to) => {
    names.push(path.basename(to));
    rename(from, to);
  });
  return names;
}

function dieAtRename(nth: number): void {
  let count = 0;
  const rename = disk.rename;
  vi.spyOn(disk, 'rename').mockImplementation((from, to) => {
    if (++count >= nth) throw new Error('killed');
    rename(from, to);
  });
}

describe('a step that changes the state', () => {
  it('writes the sidecar first and the state last', async () => {
    const names = recordRenames();

    await step({ commit: commit(), memory: { session: 's1', memory }, held: true });

    expect(names).toEqual(['toy-a.json', 'prompt', 'state']);
  });

  it('notes both states, the count and the workflow’s own part', async () => {
    await step({ commit: commit(), memory: { session: 's1', memory }, held: true });

    expect(saved()).toEqual({
      ...sidecar,
      committed: { before: 'before', after: 'after' },
      guard: { s1: memory },
      saved: 'new',
    });
    expect(temp.read('state')).toBe('new');
  });

  it('keeps the counts of other sessions', async () => {
    await step({
      sidecar: { ...sidecar, guard: { s2: memory } },
      memory: { session: 's1', memory },
      held: true,
    });

    expect(saved().guard).toEqual({ s1: memory, s2: memory });
  });

  it('cut short before the sidecar changes nothing at all', async () => {
    writeSidecar(temp.root, sidecar);
    dieAtRename(1);

    await expect(step({ commit: commit(), held: true })).rejects.toThrow('killed');

    expect(saved()).toEqual(sidecar);
    expect(temp.exists('prompt')).toBe(false);
    expect(temp.read('state')).toBe('old');
  });

  test.each([2, 3])(
    'cut short at write %i leaves the old state, known as ours by the sidecar',
    async (nth) => {
      dieAtRename(nth);

      await expect(step({ commit: commit(), held: true })).rejects.toThrow('killed');

      expect(temp.read('state')).toBe('old');
      expect(saved().committed).toEqual({ before: 'before', after: 'after' });
    },
  );

  it('refuses to write outside the project', async () => {
    const outside = path.join(path.dirname(temp.root), 'outside');
    const writes = [{ kind: 'replace' as const, path: outside, content: '' }];

    await expect(step({ commit: { ...commit(), writes } })).rejects.toThrow(Refused);

    expect(fs.existsSync(outside)).toBe(false);
  });

  it('writes where the workflow’s files were moved to, and nowhere else', async () => {
    const elsewhere = path.join(path.dirname(temp.root), 'elsewhere');
    fs.mkdirSync(elsewhere);
    const writes = [{ kind: 'replace' as const, path: path.join(elsewhere, 'state'), content: 'new' }];

    await step({ commit: { ...commit(), writes, within: elsewhere } });
    expect(fs.readFileSync(path.join(elsewhere, 'state'), 'utf8')).toBe('new');

    await expect(step({ commit: { ...commit(), within: elsewhere } })).rejects.toThrow(Refused);
  });
});

describe('a step that changes nothing', () => {
  it('writes nothing when there is nothing to remember', async () => {
    const names = recordRenames();

    await step({});

    expect(names).toEqual([]);
  });

  it('of a hold marks the state as the one we last saw', async () => {
    await step({ held: true, memory: { session: 's1', memory } });

    expect(saved().committed).toEqual({ before: 'before', after: 'before' });
    expect(saved().saved).toBe('old');
  });

  it('of an allowed stop that only notes something does not take a moved state for ours', async () => {
    const committed = { before: 'x', after: 'y' };
    const noted = { ...commit(), stateHash: 'before' };

    await step({ sidecar: { ...sidecar, committed }, commit: noted });

    expect(saved().committed).toEqual(committed);
    expect(saved().saved).toBe('new');
  });

  it('of an allowed stop keeps what the hook committed before', async () => {
    const committed = { before: 'x', after: 'y' };

    await step({ sidecar: { ...sidecar, committed }, memory: { session: 's1', memory } });

    expect(saved().committed).toEqual(committed);
    expect(saved().guard).toEqual({ s1: memory });
  });
});

describe('a step that rests on a finished review', () => {
  const withAttempt: Sidecar = { ...sidecar, attempts: [attempt] };

  beforeEach(() => {
    temp.write('.holdfast/attempts/a1/stdout', 'PASS');
  });

  it('is over with the review only after the state is written', async () => {
    const names = recordRenames();

    expect(isSpent(project, attempt)).toBe(false);
    await step({ sidecar: withAttempt, commit: commit(), held: true, applied: attempt });

    expect(names).toEqual(['toy-a.json', 'prompt', 'state']);
    expect(isSpent(project, attempt)).toBe(true);
    expect(fs.existsSync(attemptFolder(project.home, 'a1'))).toBe(false);
  });

  test.each([2, 3])('cut short at write %i finds the verdict again: it is paid for', async (nth) => {
    dieAtRename(nth);

    await expect(
      step({ sidecar: withAttempt, commit: commit(), held: true, applied: attempt }),
    ).rejects.toThrow('killed');

    expect(saved().attempts).toEqual([attempt]);
    expect(isSpent(project, attempt)).toBe(false);
    expect(temp.read('.holdfast/attempts/a1/stdout')).toBe('PASS');
  });

  it('forgets it at once when the state stays', async () => {
    const names = recordRenames();

    await step({ sidecar: withAttempt, applied: attempt });

    expect(names).toEqual(['toy-a.json']);
    expect(saved().attempts).toEqual([]);
  });

  test.each([
    ['none', 1],
    ['failed', 1],
    ['clean', 0],
    ['findings', 0],
  ] as const)('with the verdict %s counts %i failures of this state', async (verdict, count) => {
    const ended = { ...attempt, verdict };

    await step({ sidecar: { ...withAttempt, attempts: [ended] }, applied: ended });

    expect(failuresIn(saved(), 'before')).toBe(count);
  });

  it('adds to the failures of the same state and starts again for another', async () => {
    const failed = { ...attempt, verdict: 'failed' as const };
    const twice = { ...withAttempt, attempts: [failed], failures: { count: 2, state: 'before' } };

    await step({ sidecar: twice, applied: failed });
    expect(saved().failures).toEqual({ count: 3, state: 'before' });

    await step({ sidecar: { ...twice, failures: { count: 2, state: 'another' } }, applied: failed });
    expect(saved().failures).toEqual({ count: 1, state: 'before' });
  });
});

describe('failures', () => {
  it('count only for the state they happened in', () => {
    const failing = { ...sidecar, failures: { count: 2, state: 'before' } };

    expect(failuresIn(failing, 'before')).toBe(2);
    expect(failuresIn(failing, 'edited')).toBe(0);
    expect(failuresIn(sidecar, 'before')).toBe(0);
  });
});

describe('what the guard remembers', () => {
  const released = { ...memory, noProgress: 3, noTools: 3, toolsUnknown: 2, released: true };
  const guard = { s1: released, s2: { ...released, notified: 'a notice' } };
  const moved: Sidecar = { ...sidecar, guard, committed: { before: 'h1', after: 'h2' } };
  const live = { noProgress: 0, noTools: 0, toolsUnknown: 0, released: false, held: true };

  it('is settled for every session when an allowed stop commits a state that others had moved', async () => {
    await step({
      sidecar: moved,
      commit: commit(),
      held: false,
      memory: { session: 's1', memory: released },
    });

    expect(saved().guard).toMatchObject({ s1: live, s2: { ...live, notified: 'a notice' } });
  });

  test.each(['h1', 'h2'])('stays as it is where the state was ours: %s', async (stateHash) => {
    await step({ sidecar: moved, commit: commit(), held: false, memory: null, stateHash });

    expect(saved().guard).toEqual(guard);
  });

  it('stays as it is when the state is not written: the next stop can still tell who moved it', async () => {
    await step({ sidecar: moved, commit: null, held: false, memory: { session: 's1', memory: released } });

    expect(saved()).toMatchObject({ guard, committed: moved.committed });
  });
});

describe('a failure', () => {
  it('is remembered with its cause, which the next one replaces', async () => {
    const ended = (cause: NoVerdict): ReviewAttempt => ({ ...attempt, verdict: 'failed', cause });
    await step({ commit: null, applied: ended({ kind: 'missing', code: null }) });
    expect(endedReview(saved(), { stateHash: 'before' }).outcome.noVerdict).toEqual({
      kind: 'missing',
      code: null,
    });

    await step({ sidecar: saved(), commit: null, applied: ended({ kind: 'exit-code', code: 3 }) });

    expect(saved().failures).toMatchObject({ count: 2, cause: { kind: 'exit-code', code: 3 } });
    expect(endedReview(saved(), { stateHash: 'edited' }).outcome.noVerdict).toBeUndefined();
  });
});

describe('a verdict that is not applied', () => {
  it('on another state goes with its files, even when nothing else is written', async () => {
    temp.write('.holdfast/attempts/a1/stdout', 'PASS');
    writeSidecar(temp.root, { ...sidecar, attempts: [attempt] });

    await step({ passed: attempt });

    expect(saved()).toEqual(sidecar);
    expect(fs.existsSync(attemptFolder(project.home, 'a1'))).toBe(false);
  });

  it('on this state is written down when the guard lets go', async () => {
    temp.write('.holdfast/attempts/a1/stdout', 'PASS');

    await step({ sidecar: { ...sidecar, attempts: [attempt] }, keepsVerdict: true });

    expect(saved().attempts).toEqual([attempt]);
    expect(isSpent(project, attempt)).toBe(false);
  });

  it('leaves the disk alone when there is nothing to write', async () => {
    const names = recordRenames();

    await step({});

    expect(names).toEqual([]);
  });
});
