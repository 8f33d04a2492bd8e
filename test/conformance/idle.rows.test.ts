// What requirements ask for beyond the table of transitions, in every way of firing.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { latest } from '../fixtures/idle/loops.ts';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { type Talk, talkIn, ways } from '../support/ways.ts';

let project: TempProject;
let talk: Talk;

afterEach(() => project.remove());

describe.each(ways)('a loop from its start%s', (_where, way) => {
  beforeEach(() => {
    project = tempProject();
    talk = talkIn(way, project);
  });

  it.each([
    ['loop', ['loop', 'Fix the parser.'], 10],
    ['issue', ['issue', '42'], 10],
    ['grind', ['grind', 'bugs'], 100],
  ])(
    'idle %s takes the project from IDLE to ACTIVE',
    { tags: ['I-transition-1'] },
    async (mode, args, max) => {
      expect(await talk.stop('Nothing to do.')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
      const started = await runCli(project.root, ['idle', ...args], { env: { ...talk.env } });
      expect(started).toMatchObject({ exitCode: 0, stderr: '' });
      expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ mode, iter: 0, max }] });
      const fired = await talk.stop('Working.');
      expect(fired).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
      expect(fired.answer?.reason).toMatch(
        new RegExp(
          `^\\[ITERATION 1/${max}\\] Continue working on the task\\. Check your progress and either complete`,
        ),
      );
      expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ mode, iter: 1, max }] });
    },
  );
});
