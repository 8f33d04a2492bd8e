// The loops of a project for those who look from outside: the newest, those that go on, and each in a few letters.

import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop } from '../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { liveRuns } from './short.ts';
import { newestRun, unfinishedRuns } from './unfinished-runs.ts';

const OTHER = '20260131-092900-bbbbbb';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder(), { env: { CLAUDEX_MAX_PLAN_ROUNDS: '5' } });
});
const put = (id: string, minutes: number, fields: Record<string, string>): void => {
  const { state } = putLoop(project, fields, { id }).files;
  fs.utimesSync(state, NOW / 1000 - minutes * 60, NOW / 1000 - minutes * 60);
};
const runOf = (id: string) => ({ run: `claudex:${id}`, adopt: `holdfast adopt claudex:${id}` });

describe('the loops of a project, from outside', () => {
  it('are none where there are none', () => {
    expect([newestRun(project), unfinishedRuns(project), liveRuns(project)]).toEqual([null, [], []]);
  });

  it('are those that nobody has finished, the one changed last first', () => {
    put(ID, 5, { phase: 'drafting' });
    put(OTHER, 1, { phase: 'dreaming' });
    expect([newestRun(project), unfinishedRuns(project)]).toEqual([OTHER, [runOf(OTHER), runOf(ID)]]);
    put(OTHER, 1, { phase: 'done' });
    expect([newestRun(project), unfinishedRuns(project)]).toEqual([OTHER, [runOf(ID)]]);
    expect(liveRuns(project)).toEqual([{ run: ID, stands: 'drafting 1/3' }]);
  });

  it.each([
    [{ phase: 'reviewing', round: '2' }, 'reviewing 2/3'],
    [{ phase: 'reviewing', round: '7' }, 'reviewing 3/3'],
    [{ phase: 'reviewing', round: '7', max_rounds: 'x' }, 'reviewing 5/5'],
    [{ phase: 'reviewing', mode: 'review' }, 'reviewing'],
    [{ phase: 'dreaming', mode: 'dream' }, 'unknown'],
  ])('are, with %j, in a few letters %s', (fields: Record<string, string>, stands) => {
    put(ID, 0, fields);
    expect(liveRuns(project)).toEqual([{ run: ID, stands }]);
  });
});
