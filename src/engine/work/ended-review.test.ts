import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW, projectAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import type { Reviewer } from '../../reviewers/reviewer.ts';
import { attemptFolder } from '../../store/home.ts';
import { type CheckAttempt, newSidecar, type ReviewAttempt, type Sidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import {
  beginReview,
  dropUnfinished,
  isSpent,
  markAttempt,
  reviewIn,
  setFileAside,
  takeOver,
  withReview,
} from './attempt.ts';
import { endedReview, failuresIn, finishedReview, withWhatEnded } from './ended-review.ts';
import { withLeftOutput } from './output.ts';
import { readReport, readReportAgain } from './report.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = tempFolder();
  project = projectAt(root);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'codex', kind: 'k', number: 4, file: 'r.md', model: 'm' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now' },
};
const check: CheckAttempt = {
  id: 'c1',
  work: 'check',
  ...{ check: 'test', definition: 'd', owner: null, deadline: 1 },
  status: 'running',
};
const sidecarWith = (...attempts: Sidecar['attempts']): Sidecar => ({ ...newSidecar('toy:a'), attempts });
const put = (file: string, text = 'x'): string => {
  const place = path.join(root, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
  return place;
};
const folderOf = (id: string): string => attemptFolder(project.home, id);

describe('a finished review', () => {
  it('of the state that stands is what was waited for', () => {
    const sidecar = sidecarWith(check, attempt);
    const cause = { kind: 'no-verdict', code: null } as const;
    expect(endedReview(sidecar, { stateHash: 'now' })).toEqual({
      ...{ ended: attempt, passed: null, sidecar },
      outcome: { verdict: 'clean', failedReviews: 0, reviewNumber: 4, reviewModel: 'm' },
    });
    const named = { ...attempt, named: 'n', content: 'c', cause };
    expect(endedReview(sidecarWith(named), { stateHash: 'now' }).outcome).toEqual({
      ...{ verdict: 'clean', failedReviews: 0, reviewNumber: 4, reviewModel: 'n' },
      ...{ reviewContent: 'c', noVerdict: cause },
    });
  });

  it('of another state has passed, and goes', () => {
    expect(endedReview(sidecarWith(check, attempt), { stateHash: 'other' })).toEqual({
      ...{ ended: null, passed: attempt, sidecar: sidecarWith(check) },
      outcome: { verdict: null, failedReviews: 0 },
    });
  });

  it('waits while the state cannot be understood', () => {
    const sidecar = sidecarWith(attempt);
    const seen = { stateHash: 'other', unreadable: true } as const;
    expect(endedReview(sidecar, seen)).toMatchObject({ ended: null, passed: null, sidecar });
  });

  it('still counts where an edit left alone what it speaks of', () => {
    const about = sidecarWith({ ...attempt, subject: 's' });
    expect(endedReview(about, { stateHash: 'other', subject: 's' }).ended?.id).toBe('a1');
    expect(endedReview(about, { stateHash: 'other', subject: 't' }).ended).toBeNull();
    expect(endedReview(sidecarWith(attempt), { stateHash: 'other' }).ended).toBeNull();
  });

  it('is none while it runs, and failures count for their own state', () => {
    const running = sidecarWith({ ...attempt, status: 'running' });
    expect(finishedReview(running)).toBeNull();
    expect(finishedReview(sidecarWith(check))).toBeNull();
    expect(finishedReview(sidecarWith(attempt))).toBe(attempt);
    const cause = { kind: 'timed-out', code: null } as const;
    const failed: Sidecar = { ...running, failures: { count: 2, state: 'now', cause } };
    expect([failuresIn(failed, 'now'), failuresIn(failed, 'other')]).toEqual([2, 0]);
    expect(endedReview(failed, { stateHash: 'now' }).outcome).toEqual({
      ...{ verdict: null, failedReviews: 2, noVerdict: cause },
    });
    expect(endedReview(failed, { stateHash: 'other' }).outcome).toEqual({ verdict: null, failedReviews: 0 });
  });

  it('is known by what just ended, and forgotten once its folder is gone', () => {
    fs.mkdirSync(folderOf('a1'), { recursive: true });
    const sidecar = sidecarWith(check, attempt);
    const just = { ...attempt, verdict: 'findings' as const };
    expect(withWhatEnded(sidecarWith(check), just, project)).toEqual(sidecarWith(check));
    expect(withWhatEnded(sidecar, just, project)).toEqual(sidecarWith(check, just));
    expect(withWhatEnded(sidecar, { ...just, id: 'a2' }, project)).toBe(sidecar);
    expect(withWhatEnded(sidecar, null, project)).toBe(sidecar);
    fs.rmSync(folderOf('a1'), { recursive: true });
    expect(withWhatEnded(sidecar, null, project)).toEqual(sidecarWith(check));
    expect([isSpent(project, attempt), isSpent(project, { ...attempt, status: 'running' })]).toEqual([
      true,
      false,
    ]);
  });
});

describe('the attempt of a review', () => {
  it('is one beside a check', () => {
    expect(reviewIn(sidecarWith(check))).toBeNull();
    expect(reviewIn(sidecarWith(check, attempt))).toBe(attempt);
    const other = { ...attempt, id: 'a2' };
    expect(withReview(sidecarWith(attempt, check), other)).toEqual(sidecarWith(check, other));
    expect(withReview(sidecarWith(attempt, check), null)).toEqual(sidecarWith(check));
  });

  it('is begun with its record, and what an earlier one left goes', () => {
    put('r.md', 'half of it');
    put('.holdfast/attempts/a1/stdout');
    const request = { reviewer: 'codex', kind: 'k', number: 5, file: 'r.md', model: 'm' };
    const { attempt: begun, held } = beginReview(project, {
      ...{ sidecar: sidecarWith(check, attempt), request, of: { stateHash: 'h', subject: 's' } },
      ...{ session: 's1', deadline: 9, passed: null },
    });
    expect(begun).toMatchObject({
      ...{
        ...request,
        owner: 's1',
        deadline: 9,
        status: 'running',
        verdict: null,
        before: 'h',
        subject: 's',
      },
    });
    expect(readSidecar(root, 'toy:a').attempts).toEqual([check, begun]);
    expect(fs.existsSync(folderOf('a1'))).toBe(false);
    expect(fs.existsSync(path.join(root, 'r.md'))).toBe(false);
    expect(fs.readFileSync(path.join(folderOf(begun.id), 'unfinished-r.md'), 'utf8')).toBe('half of it');
    // Its owner lives for as long as it is held.
    expect(takeOver(project, begun)).toBeNull();
    held.release();
    const taken = takeOver(project, begun);
    expect(taken).not.toBeNull();
    taken?.release();
  });

  it('that did not end is forgotten: its file is kept aside, and without one nothing is', () => {
    writeSidecar(root, sidecarWith(check, attempt));
    put('.holdfast/attempts/a1/stdout');
    put('r.md');
    expect(setFileAside(project, { ...attempt, file: 'none.md' })).toBe(false);
    dropUnfinished(project, 'toy:a', attempt);
    expect(readSidecar(root, 'toy:a').attempts).toEqual([check]);
    expect(fs.readdirSync(folderOf('a1')).sort()).toEqual(['stdout', 'unfinished-r.md']);
    dropUnfinished(project, 'toy:a', attempt);
    expect(fs.existsSync(folderOf('a1'))).toBe(false);
  });

  it('is marked in its own record, and in no other', () => {
    writeSidecar(root, sidecarWith(check, attempt));
    markAttempt(project, 'toy:a', 'a1', { verdict: 'findings' });
    expect(readSidecar(root, 'toy:a').attempts).toEqual([check, { ...attempt, verdict: 'findings' }]);
    const before = fs.readdirSync(path.join(root, '.holdfast/runs'));
    markAttempt(project, 'toy:other', 'a1', { verdict: 'none' });
    expect(fs.readdirSync(path.join(root, '.holdfast/runs'))).toEqual(before);
  });

  it('behind a link is left alone', () => {
    fs.mkdirSync(path.join(root, '.holdfast/attempts'), { recursive: true });
    fs.symlinkSync(root, folderOf('a1'));
    expect(() => takeOver(project, attempt)).toThrow(
      `${folderOf('a1')} is a link and is left alone; remove it`,
    );
  });
});

describe('what a review says beside its verdict', () => {
  const finding = { severity: 'high', file: null, line: null, claim: 'x', evidence: null } as const;
  const reviewer = {
    readFindings: (printed: string) => (printed === '' ? null : { list: [finding], cut: 0 }),
    readSpend: (printed: string) => (printed === '' ? null : { usd: 1, tokens: null }),
  } as unknown as Reviewer;
  const report = (of: ReviewAttempt = attempt, by = reviewer) =>
    withLeftOutput(project, of.id, (stdout) => readReport(of, by, stdout));
  const contextWith = (find: () => Promise<Reviewer>): StopContext =>
    ({ project, runtime: { findReviewer: find } }) as unknown as StopContext;

  it('is what it listed and cost, and how long it took', () => {
    const stdout = putOutput(project, 'a1', 'printed');
    fs.utimesSync(stdout, NOW / 1000, NOW / 1000);
    expect(report({ ...attempt, begun: NOW - 1500 })).toEqual({
      ...{ attempt: 'a1', findings: { list: [finding], cut: 0 }, listed: { high: 1, medium: 0, low: 0 } },
      ...{ spend: { usd: 1, tokens: null }, milliseconds: 1500, journaled: false },
    });
    expect(report({ ...attempt, begun: NOW + 5 }).milliseconds).toBe(0);
    expect(report(attempt).milliseconds).toBeNull();
    expect(report({ ...attempt, verdict: 'none' })).toMatchObject({
      findings: null,
      listed: null,
      spend: { usd: 1 },
    });
    expect(report(attempt, {} as Reviewer)).toMatchObject({ findings: null, listed: null, spend: null });
  });

  it('is nothing where nothing was printed', () => {
    expect(report({ ...attempt, begun: 1 })).toEqual({
      ...{ attempt: 'a1', findings: null, listed: null, spend: null, milliseconds: null, journaled: false },
    });
  });

  it('is read again by its reviewer, and is nothing where only another version knows that one', async () => {
    putOutput(project, 'a1', 'printed');
    const again = await readReportAgain(
      attempt,
      contextWith(() => Promise.resolve(reviewer)),
    );
    expect(again).toMatchObject({ spend: { usd: 1 }, journaled: false });
    const unknown = contextWith(() => Promise.reject(new Error('no such reviewer')));
    expect(await readReportAgain(attempt, unknown)).toEqual({
      ...{ attempt: 'a1', findings: null, listed: null, spend: null, milliseconds: null, journaled: false },
    });
    const line = {
      schema: 2,
      time: 't',
      session: null,
      event: 'review',
      workflow: 'toy',
      run: 'a',
      attempt: 'a1',
    };
    put('.holdfast/journal.jsonl', `${JSON.stringify(line)}\n`);
    expect((await readReportAgain(attempt, unknown)).journaled).toBe(true);
  });
});
