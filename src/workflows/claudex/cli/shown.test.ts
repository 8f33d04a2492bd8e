import { beforeEach, describe, expect, it } from 'vitest';
import { ID, NOW, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { readLoop } from '../state-format.ts';
import { reportOn } from './describe.ts';
import { shown, stateOf } from './shown.ts';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder());
});
const show = (fields: Record<string, string>, topic = 'a cache') => {
  const { dir, files, text } = putLoop(project, fields, { topic });
  const known = { id: ID, text, loop: readLoop(text) };
  return { files, now: () => shown(known, reportOn(known, dir, project), dir, NOW) };
};
const one = { high: 1, medium: 0, low: 0 };

describe('a loop as views show it', () => {
  it('is of a plan its rounds, and which of them runs', () => {
    const { files, now } = show({ phase: 'reviewing', round: '2' });
    writeAt(files.findings(1), '## High\n- A (x)\n');
    const round = (number: number, found: object | null, running: boolean) => ({
      ...{ number, found, running, file: files.findings(number) },
    });
    const rest = {
      ...{ state: 'reviewing', progress: { unit: 'round', at: 2, of: 3 }, asked: 'a cache', startedAt: NOW },
      files: [`${project.root}/PLAN.md`, files.findings(1), files.findings(2), files.state],
    };
    expect(now()).toEqual({ ...rest, rounds: [round(1, one, false), round(2, null, false)] });
    writeAt(files.heartbeat, '', NOW);
    expect(now().rounds).toEqual([round(1, one, false), round(2, null, true)]);
    writeAt(files.findings(2), '## High\n- A (x)\n');
    expect(now().rounds).toEqual([round(1, one, false), round(2, one, false)]);
  });

  it('runs no round but the one it is at', () => {
    const { files, now } = show({ phase: 'reviewing', round: '2' });
    writeAt(files.heartbeat, '', NOW);
    expect(now().rounds?.map(({ running }) => running)).toEqual([false, true]);
  });

  it('is of a review its two files', () => {
    const { files, now } = show({ phase: 'dreaming', mode: 'review' }, '');
    expect(now()).toEqual({
      ...{ state: null, progress: null, asked: null, startedAt: NOW, rounds: [] },
      files: [files.review, files.proposedFixes, files.state],
    });
  });
});

it.each([
  [{ phase: 'reviewing' }, 'reviewing'],
  [{ phase: 'unknown' }, null],
  [{ phase: 7 }, null],
  [{}, null],
  [null, null],
  [['reviewing'], null],
])('the state of a stop recorded as %j is %s', (state, words) => {
  expect(stateOf(state)).toBe(words);
});
