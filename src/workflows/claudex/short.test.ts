// The loops that go on, for a status line.

import { beforeEach, expect, it } from 'vitest';
import { ID, putLoop } from '../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { liveRuns } from './short.ts';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder(), { env: { CLAUDEX_MAX_PLAN_ROUNDS: '7' } });
});

it.each([
  [{ phase: 'reviewing', round: '2', max_rounds: '5' }, 'reviewing 2/5'],
  [{ phase: 'reviewing', round: '9', max_rounds: '5' }, 'reviewing 5/5'],
  [{ phase: 'drafting', round: '1', max_rounds: 'x' }, 'drafting 1/7'],
  [{ mode: 'review', phase: 'reviewing' }, 'reviewing'],
  [{ mode: 'dream', phase: 'reviewing' }, 'reviewing'],
])('a loop with %j stands at %s', (fields: Record<string, string>, stands) => {
  putLoop(project, fields);
  expect(liveRuns(project)).toEqual([{ run: ID, stands }]);
});

it.each(['done', 'cancelled', 'errored'])('a loop that is %s does not go on', (phase) => {
  putLoop(project, { phase });
  expect(liveRuns(project)).toEqual([]);
});
