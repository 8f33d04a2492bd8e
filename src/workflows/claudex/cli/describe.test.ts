import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, NOW, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { stateDirOf } from '../files.ts';
import { readLoop } from '../state-format.ts';
import { reportOn, stageOf } from './describe.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDEX_MAX_PLAN_ROUNDS: '5', CLAUDEX_MAX_REVIEW_ROUNDS: '7' } });
});

const put = (fields: Record<string, string> = {}) => {
  const { text, files, dir } = putLoop(project, fields);
  return { known: { id: ID, text, loop: readLoop(text) }, files, dir };
};
const known = (text: string) => ({ id: ID, text, loop: readLoop(text) });
const reportOf = (fields: Record<string, string>) =>
  reportOn(put(fields).known, stateDirOf(project), project);
const ONE = { high: 1, medium: 0, low: 0 };

describe('a loop as data', () => {
  it('is all that is known of it', () => {
    const fields = { phase: 'reviewing', round: '3', from_draft: 'true', interview_used: 'true' };
    const { known: loop, files, dir } = put({ ...fields, decision_signal: 'max-reached' });
    fs.utimesSync(files.state, (NOW - 300_000) / 1000, (NOW - 300_000) / 1000);
    writeAt(files.findings(1), '## High\n- A (x)\n', NOW - 600_000);
    writeAt(files.exit(1), '9', NOW - 600_000);
    writeAt(files.exit(2), '127', NOW - 600_000);
    expect(reportOn(loop, dir, { ...project, now: NOW + 60_000 })).toEqual({
      ...{ id: ID, mode: 'plan', phase: 'reviewing', round: 3, max_rounds: 3, topic: 'a cache' },
      ...{ started_at: '2026-01-31T09:30:00Z', elapsed: '1 min', decision_signal: 'max-reached' },
      ...{ interview_used: true, from_draft: true, activity: 'last moved 6 min ago' },
      rounds: [
        { round: 1, counts: ONE, exit: null },
        { round: 2, counts: null, exit: 127 },
        { round: 3, counts: null, exit: null },
      ],
    });
  });

  it('says that its review runs', () => {
    const { known: loop, files, dir } = put({ phase: 'reviewing', round: '2' });
    writeAt(files.heartbeat, '2\n', NOW);
    expect(reportOn(loop, dir, project).activity).toBe('the review of round 2 runs now');
    writeAt(files.heartbeat, '1\n', NOW);
    expect(reportOn(loop, dir, project).activity).toMatch(/^last moved /);
  });

  it('says of mode and phase what is written, and that there is nothing', () => {
    expect(reportOf({ mode: 'dream', phase: 'asleep' })).toMatchObject({ mode: 'dream', phase: 'asleep' });
    expect(reportOn(known('x: y\n'), stateDirOf(project), project)).toMatchObject({
      ...{ mode: 'unknown', phase: 'unknown', topic: '', elapsed: 'unknown', rounds: [] },
    });
  });

  it.each([
    [{ phase: 'drafting', round: '2' }, []],
    [{ mode: 'review', phase: 'reviewing' }, []],
    [{ phase: 'reviewing', round: '2' }, [1, 2]],
    [{ phase: 'done', round: '9' }, [1, 2, 3]],
    [{ phase: 'done', round: '9', max_rounds: 'x' }, [1, 2, 3, 4, 5]],
    [
      { phase: 'done', round: '100', max_rounds: '100' },
      Array.from({ length: 100 }, (_, index) => index + 1),
    ],
    [
      { phase: 'done', round: '101', max_rounds: '101' },
      Array.from({ length: 100 }, (_, index) => index + 2),
    ],
  ])('of %j has these rounds', (fields: Record<string, string>, rounds) => {
    expect(reportOf(fields).rounds.map(({ round }) => round)).toEqual(rounds);
  });
});

describe('where a loop stands', () => {
  it.each([
    [{ phase: 'reviewing', round: '2' }, 'plan, reviewing, round 2 of 3'],
    [{ phase: 'dreaming', round: '9' }, 'plan, unknown phase, round 3 of 3'],
    [{ phase: 'drafting', round: '9', max_rounds: 'x' }, 'plan, drafting, round 5 of 5'],
    [{ mode: 'review', phase: 'reviewing' }, 'review, reviewing'],
    [{ mode: 'dream', phase: 'dreaming' }, 'unknown, unknown phase'],
  ])('with %j is %s', (fields: Record<string, string>, words) => {
    expect(stageOf(put(fields).known, project)).toBe(words);
  });

  it('is not known of a state that holds nothing', () => {
    expect(stageOf(known(''), project)).toBe('its state cannot be read');
    expect(stageOf(known(' '), project)).toBe('unknown, unknown phase');
  });

  it('is bounded by the variable of its mode where its state is silent', () => {
    expect(reportOf({ max_rounds: '' }).max_rounds).toBe(5);
    expect(reportOf({ max_rounds: '', mode: 'review' }).max_rounds).toBe(7);
  });
});
