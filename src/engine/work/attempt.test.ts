import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { disk } from '../../store/disk.ts';
import { attemptFolder, ensureAttemptFolder, ensureHome, sidecarPath } from '../../store/home.ts';
import { tryHold } from '../../store/lock.ts';
import { outputFolder } from '../../store/outputs.ts';
import { newSidecar, type ReviewAttempt } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import {
  beginCheck,
  beginReview,
  dropUnfinished,
  endCheck,
  isSpent,
  markAttempt,
  reviewIn,
  setFileAside,
  takeOver,
  withReview,
} from './attempt.ts';

let temp: TempProject;
let project: Project;

beforeEach(() => {
  temp = tempProject();
  const { root } = temp;
  project = {
    root,
    home: ensureHome(root),
    env: { HOME: temp.home },
    now: 1,
    cli: 'holdfast',
    config: DEFAULT_CONFIG,
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

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

describe('a new attempt', () => {
  it('is given up where its place is somebody’s already', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const first = beginCheck(project, 'idle:a', wanted);
    if ('busy' in first) throw new Error('nobody else runs one');
    const { id } = first.attempt;
    expect(id).toBe(`1-${process.pid}-${Math.floor(0.5 * 0xffffffff).toString(36)}`);

    expect(() => beginCheck(project, 'idle:b', wanted)).toThrow(
      `the new attempt ${id} is already somebody's`,
    );
    expect(readSidecar(project.root, 'idle:b').attempts).toEqual([]);
    first.held.release();
  });

  it('is only what was asked for, with nothing of a review', () => {
    const begun = beginCheck(project, 'idle:a', wanted);
    if ('busy' in begun) throw new Error('nobody else runs one');
    begun.held.release();
    const { id } = begun.attempt;
    expect(begun.attempt).toEqual({ id, work: 'check', ...wanted, status: 'running' });
    expect(readSidecar(project.root, 'idle:a').attempts).toEqual([begun.attempt]);
    expect(fs.statSync(outputFolder(project, id)).mode & 0o777).toBe(0o700);
    expect(outputFolder(project, id)).toContain(`${temp.home}/.local/state/holdfast/attempts/`);
  });
});

describe('the record of an attempt', () => {
  const review: ReviewAttempt = {
    ...{ id: 'r1', work: 'review', reviewer: 'claude', kind: 'plan-review', number: 1, file: 'r.md' },
    ...{ model: 'opus', owner: 's1', begun: 1, deadline: 2, status: 'running', verdict: null, before: 'h' },
  };
  const check = { id: 'c1', work: 'check' as const, ...wanted, status: 'running' as const };
  const put = (): void => writeSidecar(project.root, { ...newSidecar('idle:a'), attempts: [check, review] });
  const attempts = () => readSidecar(project.root, 'idle:a').attempts;
  const folderOf = (id: string): string => attemptFolder(project.home, id);

  it('is found among others, and replaced alone', () => {
    const sidecar = { ...newSidecar('idle:a'), attempts: [check, review] };
    expect(reviewIn(sidecar)).toBe(review);
    expect(reviewIn({ ...sidecar, attempts: [check] })).toBeNull();
    const next = { ...review, id: 'r2' };
    expect(withReview(sidecar, next).attempts).toEqual([check, next]);
    expect(withReview(sidecar, null).attempts).toEqual([check]);
  });

  it('is changed alone, and only where it is there', () => {
    put();
    markAttempt(project, 'idle:a', 'r1', { status: 'done', verdict: 'clean' });
    expect(attempts()).toEqual([check, { ...review, status: 'done', verdict: 'clean' }]);
    markAttempt(project, 'idle:b', 'r1', { status: 'done' });
    expect(fs.existsSync(sidecarPath(project.home, 'idle:b'))).toBe(false);
  });

  it('goes where it did not end, and what it wrote is set aside', () => {
    put();
    ensureAttemptFolder(project.root, 'r1');
    temp.write('r.md', 'half of');
    dropUnfinished(project, 'idle:a', review);
    expect(attempts()).toEqual([check]);
    expect(temp.exists('r.md')).toBe(false);
    expect(fs.readFileSync(path.join(folderOf('r1'), 'unfinished-r.md'), 'utf8')).toBe('half of');
  });

  it('goes with its folder where it wrote nothing', () => {
    put();
    ensureAttemptFolder(project.root, 'r1');
    expect(setFileAside(project, review)).toBe(false);
    dropUnfinished(project, 'idle:a', review);
    expect(attempts()).toEqual([check]);
    expect(fs.existsSync(folderOf('r1'))).toBe(false);
  });

  it('of a check goes alone, and its folder goes even where the record cannot be written', () => {
    put();
    ensureAttemptFolder(project.root, 'c1');
    endCheck(project, 'idle:a', check);
    expect(attempts()).toEqual([review]);
    expect(fs.existsSync(folderOf('c1'))).toBe(false);
    put();
    ensureAttemptFolder(project.root, 'c1');
    vi.spyOn(disk, 'createNew').mockImplementation(() => {
      throw new Error('no space left on device');
    });
    expect(() => endCheck(project, 'idle:a', check)).toThrow('no space left on device');
    expect(attempts()).toEqual([check, review]);
    expect(fs.existsSync(folderOf('c1'))).toBe(false);
  });

  it('is spent where it is done and its folder is gone', () => {
    const done = { ...review, status: 'done' as const };
    expect([isSpent(project, done), isSpent(project, review)]).toEqual([true, false]);
    ensureAttemptFolder(project.root, 'r1');
    expect(isSpent(project, done)).toBe(false);
  });

  it('is taken over from the dead, not from the living', () => {
    const place = path.join(folderOf('r1'), 'owner');
    ensureAttemptFolder(project.root, 'r1');
    const living = tryHold(place);
    expect(takeOver(project, review)).toBeNull();
    living?.release();
    const taken = takeOver(project, review);
    expect(tryHold(place)).toBeNull();
    taken?.release();
    fs.rmSync(folderOf('r1'), { recursive: true });
    const again = takeOver(project, review);
    expect(again).not.toBeNull();
    again?.release();
  });

  it('is not taken over through a link', () => {
    fs.mkdirSync(path.dirname(folderOf('r1')), { recursive: true });
    temp.write('elsewhere/x', '');
    fs.symlinkSync(path.join(project.root, 'elsewhere'), folderOf('r1'));
    expect(() => takeOver(project, review)).toThrow(
      `${folderOf('r1')} is a link and is left alone; remove it`,
    );
    expect(fs.readdirSync(path.join(project.root, 'elsewhere'))).toEqual(['x']);
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

  it('takes the place of the one before, whose folder goes, and knows what it is of', () => {
    const request = { kind: 'k', number: 2, reviewer: 'claude', model: 'opus', file: 'r.md' };
    const begin = (passed: ReviewAttempt | null, of: { stateHash: string; subject?: string }) => {
      const { attempt, held } = beginReview(project, {
        ...{ sidecar: readSidecar(project.root, 'idle:a'), request, of, session: 's1', deadline: 7, passed },
      });
      held.release();
      return attempt;
    };
    const there = ({ id }: ReviewAttempt): boolean => fs.existsSync(attemptFolder(project.home, id));

    const first = begin(null, { stateHash: 'h1' });
    expect(first).toEqual({
      ...{ id: first.id, work: 'review', ...request, owner: 's1', begun: expect.any(Number), deadline: 7 },
      ...{ status: 'running', verdict: null, before: 'h1' },
    });
    expect(first).not.toHaveProperty('subject');
    const second = begin(null, { stateHash: 'h2', subject: 'plan' });
    expect(second).toMatchObject({ before: 'h2', subject: 'plan' });
    expect([there(first), there(second)]).toEqual([false, true]);
    const passed = { ...second, id: 'passed' };
    ensureAttemptFolder(project.root, 'passed');
    const third = begin(passed, { stateHash: 'h3' });
    expect([there(passed), there(second), there(third)]).toEqual([false, true, true]);
    expect(readSidecar(project.root, 'idle:a').attempts).toEqual([third]);
  });
});
