import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { endAtTheEnd } from '../../../test/support/at-the-end.ts';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import type { Reviewer } from '../../reviewers/reviewer.ts';
import { ATTEMPT_VARIABLE } from '../../store/environment.ts';
import { attemptFolder, ensureHome } from '../../store/home.ts';
import { type Attempt, newSidecar } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { beginCheck, beginReview, takeOver } from './attempt.ts';
import { recover } from './recover.ts';

const RUN = 'toy:a';
const REVIEW = 'review-1.md';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
  ensureHome(project.root);
});

const critic: Reviewer = {
  name: 'critic',
  call: () => ({ program: 'critic', args: [], env: {} }),
  readVerdict: (stdout) => (stdout === 'PASS' ? 'clean' : 'none'),
};

const recovered = (attempt: Attempt, name = RUN): Promise<boolean> =>
  recover(
    name,
    attempt,
    stoppedIn(
      project,
      {},
      {
        findReviewer: async (wanted) => {
          if (wanted !== 'critic') throw new Error(`no reviewer ${wanted}`);
          return critic;
        },
      },
    ),
  );

function check() {
  const begun = beginCheck(project, RUN, { check: 'unit', definition: 'd', owner: null, deadline: 2 });
  if ('busy' in begun) throw new Error('busy');
  return begun;
}

function review(reviewer = 'critic') {
  return beginReview(project, {
    sidecar: newSidecar(RUN),
    request: { reviewer, kind: 'k', number: 1, file: REVIEW, model: 'm' },
    ...{ of: { stateHash: 's' }, session: null, deadline: 2, passed: null },
  });
}

const attempts = (): readonly Attempt[] => readSidecar(project.root, RUN).attempts;
const folderOf = ({ id }: Attempt): string => attemptFolder(project.home, id);
/** Its place is free again. */
const isFree = (attempt: Attempt): boolean => {
  const held = takeOver(project, attempt);
  held?.release();
  return held !== null;
};

describe('what a hook left', () => {
  it('is its own while it lives', async () => {
    const { attempt, held } = check();
    expect(await recovered(attempt)).toBe(false);
    expect(attempts()).toEqual([attempt]);
    held.release();
    expect(await recovered(attempt)).toBe(true);
  });

  it('is nothing of a check', async () => {
    const { attempt, held } = check();
    held.release();
    expect(await recovered(attempt)).toBe(true);
    expect(attempts()).toEqual([]);
    expect(fs.existsSync(folderOf(attempt))).toBe(false);
    expect(isFree(attempt)).toBe(true);
  });

  it('is the verdict of a review that ran to its end', async () => {
    const { attempt, held } = review();
    held.release();
    putOutput(project, attempt.id, 'PASS');
    writeIn(project, REVIEW, 'all is well\n');
    expect(await recovered(attempt)).toBe(true);
    expect(attempts()).toEqual([{ ...attempt, status: 'done', verdict: 'clean' }]);
    expect(fs.existsSync(folderOf(attempt))).toBe(true);
    expect(isFree(attempt)).toBe(true);
  });

  it('is nothing of a review that did not, but what it wrote is set aside', async () => {
    const { attempt, held } = review();
    held.release();
    const written = writeIn(project, REVIEW, 'half of i');
    expect(await recovered(attempt)).toBe(true);
    expect(attempts()).toEqual([]);
    expect(fs.existsSync(written)).toBe(false);
    expect(fs.readFileSync(`${folderOf(attempt)}/unfinished-${REVIEW}`, 'utf8')).toBe('half of i');
    expect(isFree(attempt)).toBe(true);
  });

  it('is kept where nobody knows its reviewer, and the next one may look', async () => {
    const { attempt, held } = review('other');
    held.release();
    await expect(recovered(attempt)).rejects.toThrow('no reviewer other');
    expect(attempts()).toEqual([attempt]);
    expect(isFree(attempt)).toBe(true);
  });

  it('is ended where it still runs', async () => {
    const { attempt, held } = check();
    held.release();
    const left = spawn('/bin/sh', ['-c', 'echo begun; exec sleep 60'], {
      env: { PATH: project.env.PATH, [ATTEMPT_VARIABLE]: attempt.id },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    endAtTheEnd(left);
    const ended = new Promise((resolve) => left.once('exit', (_, signal) => resolve(signal)));
    await new Promise((resolve) => left.stdout.once('data', resolve));
    expect(await recovered(attempt)).toBe(true);
    expect(await ended).toBe('SIGINT');
  });
});
