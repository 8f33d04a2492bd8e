import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { NO_WAITS, newSidecar, type Sidecar } from '../../../store/records.ts';
import { readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { restartClock, savedAfter } from './write-state.ts';

const RUN = 'idle:r1';
const HOUR = 3_600_000;

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});

const restarted = (over: Partial<Sidecar>): Sidecar => {
  writeSidecar(root, { ...newSidecar(RUN), ...over });
  restartClock(project, RUN);
  return readSidecar(root, RUN);
};
const wait = (over: object = {}) => ({
  ...{ for: 'person' as const, since: NOW - HOUR, until: NOW + HOUR, what: 'x' },
  ...over,
});

describe('the clock of a loop that a command changes', () => {
  it('counts a wait under way from now on', () => {
    expect(restarted({ waiting: wait() }).waiting).toEqual(wait({ since: NOW }));
  });

  it('drops a wait that is over, but for work', () => {
    expect(restarted({ waiting: wait({ until: NOW }) })).not.toHaveProperty('waiting');
    expect(restarted({ waiting: wait({ for: 'work', until: NOW - 1000 }) }).waiting).toEqual(
      wait({ for: 'work', until: NOW - 1000, since: NOW - 1000 }),
    );
  });

  it('forgets what was waited before, and nothing else', () => {
    expect(restarted({ waits: { ...NO_WAITS, waited: HOUR, questions: 2, calls: 3 } }).waits).toEqual({
      ...NO_WAITS,
      questions: 2,
      calls: 3,
    });
    const both = restarted({ waiting: wait(), waits: { ...NO_WAITS, waited: HOUR } });
    expect([both.waiting?.since, both.waits]).toEqual([NOW, NO_WAITS]);
    expect(restarted({ waiting: wait() })).not.toHaveProperty('waits');
  });

  it('leaves notes alone that say of no wait', () => {
    expect(restarted({ sessions: ['s1'] })).toEqual({ ...newSidecar(RUN), sessions: ['s1'] });
    expect(restarted({ waits: { ...NO_WAITS, questions: 1 } }).waits).toEqual({ ...NO_WAITS, questions: 1 });
  });
});

describe('what a command leaves for the hook', () => {
  it('is where in the log to go on reading', () => {
    expect(savedAfter({ topic: 'T', inode: 1, size: 2 })).toEqual({
      position: { topic: 'T', inode: 1, scanned: 2 },
      seen: null,
      keptSignal: null,
    });
    expect(savedAfter({ topic: null, inode: 1, size: 2 })).toMatchObject({ position: null });
    expect(savedAfter(null)).toMatchObject({ position: null });
  });
});
