import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { ensureHome } from '../../store/home.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { beginCheck, endCheck } from './attempt.ts';

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
