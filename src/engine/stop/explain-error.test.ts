import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { journalIn, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import { ensureHome } from '../../store/home.ts';
import { LockBusy } from '../../store/lock.ts';
import { explainDenied } from '../../store/trouble.ts';
import type { Project } from '../project.ts';
import { explainError, keepingTheAnswer, oneLine } from './explain-error.ts';
import { notices } from './notices.ts';

const FAILED =
  'Holdfast: hit an error, so this stop was allowed: no luck. Run `holdfast doctor` to see what is wrong.';

let project: Project;
beforeEach(() => {
  project = bareProject();
  ensureHome(project.root);
});
const at = (lockPatienceMs = 2000) => stoppedIn(project, { session: SESSION }, { lockPatienceMs });
const denied = (message: string, file?: string): Error =>
  Object.assign(new Error(message), { code: 'EACCES', ...(file === undefined ? {} : { path: file }) });

describe('an error', () => {
  it('is explained in its first line, once in a session', async () => {
    expect(await explainError(new Error('no luck\nat all'), at())).toEqual([FAILED]);
    expect(await explainError(new Error('no luck'), at())).toEqual([]);
  });

  it('of a lock that is busy is said each time, with how long it was waited for', async () => {
    const busy = Object.create(LockBusy.prototype) as LockBusy;
    const said = (seconds: number): string[] => [
      `Holdfast: another Holdfast process held the lock for ${seconds} s; this stop was allowed unchecked. The next one is checked again.`,
    ];
    expect(await explainError(busy, at())).toEqual(said(2));
    expect(await explainError(busy, at())).toEqual(said(2));
    expect(await explainError(busy, at(3_600))).toEqual(said(4));
  });

  it('of a place that may not be used names what changes that, where it is known', async () => {
    const runs = path.join(project.home, 'runs');
    fs.rmSync(runs, { recursive: true, force: true });
    fs.writeFileSync(runs, 'a file in the place of a folder');
    const error = denied('no luck', path.join(runs, 'a'));
    const trouble = explainDenied(error, project.root);
    expect(trouble).not.toBeNull();
    expect(await explainError(error, at())).toEqual(trouble && [notices.denied(trouble)]);
    const without = new Error('no luck', { cause: error });
    expect(await explainError(without, at())).toEqual([FAILED]);
  });

  it('of a place that nobody knows is explained as any other', async () => {
    expect(await explainError(denied('no luck\nat all'), at())).toEqual([FAILED]);
  });

  it('is one line, whatever was thrown', () => {
    expect(oneLine(new Error('one\ntwo'))).toBe('one');
    expect(oneLine('one')).toBe('one');
    expect(oneLine(new Error(''))).toBe('');
  });
});

describe('bookkeeping after the answer', () => {
  it('says nothing where it went well', async () => {
    let done = false;
    const work = async (): Promise<void> => {
      done = true;
    };
    expect(await keepingTheAnswer(work, at())).toEqual([]);
    expect([done, journalIn(project)]).toEqual([true, []]);
  });

  it('is reported beside the answer where it failed', async () => {
    const work = () => Promise.reject(new Error('no luck'));
    expect(await keepingTheAnswer(work, at())).toEqual([FAILED]);
    expect(journalIn(project)).toMatchObject([{ event: 'stop', error: 'Error: no luck' }]);
  });
});
