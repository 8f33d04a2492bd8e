import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { ensureHome } from '../../store/home.ts';
import { newSidecar } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { beginCheck, beginReview, endCheck } from './attempt.ts';

let temp: TempProject;
let project: Project;

beforeEach(() => {
  temp = tempProject();
  const { root } = temp;
  project = { root, home: ensureHome(root), env: {}, now: 1, cli: 'holdfast', config: DEFAULT_CONFIG };
});
afterEach(() => temp.remove());

const wanted = { check: 'test', definition: 'd', owner: 'a-session', deadline: 2 };

describe('the attempt of a check', () => {
  it('is the only one of its run, until it has ended', () => {
    const first = beginCheck(project, 'idle:a', wanted);
    if ('busy' in first) throw new Error('nobody else runs one');

    expect(beginCheck(project, 'idle:a', wanted)).toEqual({ busy: first.attempt.id });
    const other = beginCheck(project, 'idle:b', wanted);
    expect(other).toMatchObject({ attempt: { work: 'check', status: 'running' } });

    endCheck(project, 'idle:a', first.attempt);
    first.held.release();
    expect(readSidecar(project.root, 'idle:a').attempts).toEqual([]);
    const next = beginCheck(project, 'idle:a', wanted);
    expect(next).toMatchObject({ attempt: { check: 'test' } });
    for (const begun of [other, next]) if ('held' in begun) begun.held.release();
  });
});

describe('the attempt of a review', () => {
  it('finds no review file of an earlier try in its place', () => {
    temp.write('plan-review-1.md', 'half of');
    const { attempt, held } = beginReview(project, {
      sidecar: newSidecar('idle:a'),
      request: {
        kind: 'plan-review',
        number: 1,
        reviewer: 'claude',
        model: 'opus',
        file: 'plan-review-1.md',
      },
      of: { stateHash: 'h' },
      session: 'a-session',
      deadline: 2,
      passed: null,
    });
    held.release();
    expect(temp.exists('plan-review-1.md')).toBe(false);
    expect(temp.read(`.holdfast/attempts/${attempt.id}/unfinished-plan-review-1.md`)).toBe('half of');
    expect(readSidecar(project.root, 'idle:a').attempts).toEqual([attempt]);
  });
});
