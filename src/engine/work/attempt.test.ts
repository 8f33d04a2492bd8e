import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { disk } from '../../store/disk.ts';
import { attemptFolder, ensureAttemptFolder, ensureHome, sidecarPath } from '../../store/home.ts';
import { tryHold } from '../../store/lock.ts';
import { outputFolder } from '../../store/outputs.ts';
import { type CheckAttempt, newSidecar, type ReviewAttempt, type Sidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import {
  beginCheck,
  beginReview,
  dropUnfinished,
  endCheck,
  isSpent,
  markAttempt,
  takeOver,
} from './attempt.ts';
import { endedReview, finishedReview, withWhatEnded } from './ended-review.ts';

const wanted = { check: 'test', definition: 'd', owner: 's1', deadline: 2 };
const check: CheckAttempt = { id: 'c1', work: 'check', ...wanted, status: 'running' };
const request = { reviewer: 'codex', kind: 'k', number: 4, file: 'r.md', model: 'm' };
const done: ReviewAttempt = {
  ...{ id: 'r1', work: 'review', ...request, owner: 's1', deadline: 2, status: 'done', verdict: 'clean' },
  before: 'now',
};
const sidecarWith = (...attempts: Sidecar['attempts']): Sidecar => ({ ...newSidecar('toy:a'), attempts });

let project: Project;
beforeEach(() => {
  project = bareProject();
  ensureHome(project.root);
  writeSidecar(project.root, sidecarWith(check, done));
  for (const id of ['c1', 'r1']) ensureAttemptFolder(project.root, id);
});
afterEach(() => void vi.restoreAllMocks());
const attempts = () => readSidecar(project.root, 'toy:a').attempts;
const folderOf = (id: string): string => attemptFolder(project.home, id);
const isThere = (id: string): boolean => fs.existsSync(folderOf(id));

describe('the attempt of a check', () => {
  it('is the only one of its run until it has ended, and prints where only the user reads', () => {
    expect(beginCheck(project, 'toy:a', wanted)).toEqual({ busy: 'c1' });
    endCheck(project, 'toy:a', check);
    expect([attempts(), isThere('c1')]).toEqual([[done], false]);
    const begun = beginCheck(project, 'toy:a', wanted);
    if ('busy' in begun) throw new Error('nobody else runs one');
    begun.held.release();
    const { id } = begun.attempt;
    expect(attempts()).toEqual([done, { id, work: 'check', ...wanted, status: 'running' }]);
    expect(fs.statSync(outputFolder(project, id)).mode & 0o777).toBe(0o700);
  });

  it('loses its folder even where the record cannot be written', () => {
    vi.spyOn(disk, 'createNew').mockImplementation(() => {
      throw new Error('no space left on device');
    });
    expect(() => endCheck(project, 'toy:a', check)).toThrow('no space left on device');
    expect([attempts(), isThere('c1')]).toEqual([[check, done], false]);
  });

  it('is given up where its place is somebody’s already', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const first = beginCheck(project, 'toy:b', wanted);
    expect(() => beginCheck(project, 'toy:c', wanted)).toThrow("is already somebody's");
    expect(readSidecar(project.root, 'toy:c').attempts).toEqual([]);
    if ('held' in first) first.held.release();
  });
});

describe('the attempt of a review', () => {
  const begin = (passed: ReviewAttempt | null, subject?: string) => {
    const of = { stateHash: 'h', ...(subject && { subject }) };
    const sidecar = readSidecar(project.root, 'toy:a');
    return beginReview(project, { sidecar, request, of, session: 's1', deadline: 7, passed });
  };

  it('takes the place of the one before, whose folder goes, and finds no file of an earlier try', () => {
    writeIn(project, 'r.md', 'half of it');
    const { attempt, held } = begin(null, 's');
    expect(attempt).toEqual({
      ...{ id: attempt.id, work: 'review', ...request, owner: 's1', begun: expect.any(Number), deadline: 7 },
      ...{ status: 'running', verdict: null, before: 'h', subject: 's' },
    });
    expect([attempts(), isThere('r1')]).toEqual([[check, attempt], false]);
    expect(fs.existsSync(path.join(project.root, 'r.md'))).toBe(false);
    expect(fs.readFileSync(path.join(folderOf(attempt.id), 'unfinished-r.md'), 'utf8')).toBe('half of it');
    expect(takeOver(project, attempt)).toBeNull();
    held.release();
    takeOver(project, attempt)?.release();
    const next = begin({ ...done, id: 'c1' });
    next.held.release();
    expect([isThere('c1'), isThere(attempt.id), next.attempt]).toMatchObject([false, true, { before: 'h' }]);
    expect(next.attempt).not.toHaveProperty('subject');
  });

  it('is changed alone, and only where it is there', () => {
    markAttempt(project, 'toy:a', 'r1', { verdict: 'findings' });
    expect(attempts()).toEqual([check, { ...done, verdict: 'findings' }]);
    markAttempt(project, 'toy:b', 'r1', { status: 'done' });
    expect(fs.existsSync(sidecarPath(project.home, 'toy:b'))).toBe(false);
  });

  it('that did not end is forgotten: what it wrote is set aside, else its folder goes', () => {
    writeIn(project, 'r.md', 'half of');
    dropUnfinished(project, 'toy:a', done);
    expect(attempts()).toEqual([check]);
    expect(fs.readdirSync(folderOf('r1'))).toEqual(['unfinished-r.md']);
    dropUnfinished(project, 'toy:a', done);
    expect(isThere('r1')).toBe(false);
  });

  it('has no file set aside that a forged record names and no agent may write', () => {
    writeIn(project, '.claude/settings.json', 'dear');
    for (const file of ['.claude/settings.json', '.claude/settings.json/../settings.json'])
      expect(() => dropUnfinished(project, 'toy:a', { ...done, file })).toThrow('leads to .claude');
    dropUnfinished(project, 'toy:a', { ...done, file: '.claude' });
    expect(fs.existsSync(path.join(project.root, '.claude/settings.json'))).toBe(true);
  });

  it('is taken over from the dead, not from the living, and not through a link', () => {
    const living = tryHold(path.join(folderOf('r1'), 'owner'));
    expect(takeOver(project, done)).toBeNull();
    living?.release();
    const taken = takeOver(project, done);
    expect(tryHold(path.join(folderOf('r1'), 'owner'))).toBeNull();
    taken?.release();
    fs.rmSync(folderOf('r1'), { recursive: true });
    fs.symlinkSync(project.root, folderOf('r1'));
    expect(() => takeOver(project, done)).toThrow(`${folderOf('r1')} is a link and is left alone; remove it`);
  });
});

describe('a finished review', () => {
  const cause = { kind: 'timed-out', code: null } as const;
  it.each<[string, Partial<ReviewAttempt>, object, 'ended' | 'passed' | null]>([
    ['of the state that stands', {}, { stateHash: 'now' }, 'ended'],
    ['of another state', {}, { stateHash: 'other' }, 'passed'],
    ['of another state that cannot be understood', {}, { stateHash: 'other', unreadable: true }, null],
    ['of what an edit left alone', { subject: 's' }, { stateHash: 'other', subject: 's' }, 'ended'],
    ['of what an edit changed', { subject: 's' }, { stateHash: 'other', subject: 't' }, 'passed'],
    ['that still runs', { status: 'running' }, { stateHash: 'now' }, null],
  ])('%s', (_, more, seen, which) => {
    const attempt = { ...done, ...more };
    const found = endedReview(sidecarWith(check, attempt), seen as never);
    expect([found.ended, found.passed]).toEqual([
      ...[which === 'ended' ? attempt : null, which === 'passed' ? attempt : null],
    ]);
    expect(found.sidecar.attempts).toEqual(which === 'passed' ? [check] : [check, attempt]);
    const outcome = { verdict: 'clean', failedReviews: 0, reviewNumber: 4, reviewModel: 'm' };
    expect(found.outcome).toEqual(which === 'ended' ? outcome : { verdict: null, failedReviews: 0 });
  });

  it('is known by its own name, content and cause; failures count for their own state', () => {
    const named = { ...done, named: 'n', content: 'c', cause };
    expect(endedReview(sidecarWith(named), { stateHash: 'now' }).outcome).toMatchObject({
      ...{ reviewModel: 'n', reviewContent: 'c', noVerdict: cause },
    });
    const failed: Sidecar = { ...sidecarWith(check), failures: { count: 2, state: 'now', cause } };
    const outcome = { verdict: null, failedReviews: 2, noVerdict: cause };
    expect(endedReview(failed, { stateHash: 'now' }).outcome).toEqual(outcome);
    expect(endedReview(failed, { stateHash: 'other' }).outcome).toEqual({ verdict: null, failedReviews: 0 });
    expect([finishedReview(failed), finishedReview(sidecarWith(done))]).toEqual([null, done]);
  });

  it('is what just ended here, and is spent once its folder is gone', () => {
    const sidecar = sidecarWith(check, done);
    const just = { ...done, verdict: 'findings' as const };
    expect(withWhatEnded(sidecar, just, project)).toEqual(sidecarWith(check, just));
    expect(withWhatEnded(sidecar, { ...just, id: 'r2' }, project)).toBe(sidecar);
    fs.rmSync(folderOf('r1'), { recursive: true });
    expect(withWhatEnded(sidecar, null, project)).toEqual(sidecarWith(check));
    expect([isSpent(project, done), isSpent(project, { ...done, status: 'running' })]).toEqual([true, false]);
  });
});
