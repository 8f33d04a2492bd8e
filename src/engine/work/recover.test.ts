import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { endAtTheEnd } from '../../../test/support/at-the-end.ts';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { reviewing, stoppedIn } from '../../../test/support/stop-here.ts';
import { ATTEMPT_VARIABLE } from '../../store/environment.ts';
import { attemptFolder, ensureHome } from '../../store/home.ts';
import { type Attempt, newSidecar } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { beginCheck, beginReview, takeOver } from './attempt.ts';
import { recover } from './recover.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
  ensureHome(project.root);
});

const recovered = (attempt: Attempt, runtime: object = reviewing({ does: '' })): Promise<boolean> =>
  recover('toy:a', attempt, stoppedIn(project, {}, runtime));
function check() {
  const begun = beginCheck(project, 'toy:a', { check: 'unit', definition: 'd', owner: null, deadline: 2 });
  if ('busy' in begun) throw new Error('busy');
  return begun;
}
const review = () =>
  beginReview(project, {
    sidecar: newSidecar('toy:a'),
    request: { reviewer: 'critic', kind: 'k', number: 1, file: 'r.md', model: 'm' },
    ...{ of: { stateHash: 's' }, session: null, deadline: 2, passed: null },
  });
const attempts = (): readonly Attempt[] => readSidecar(project.root, 'toy:a').attempts;
/** Of the dead; then its place is free again. */
async function left({ attempt, held }: { attempt: Attempt; held: { release(): void } }): Promise<Attempt> {
  expect(await recovered(attempt)).toBe(false);
  held.release();
  expect(await recovered(attempt)).toBe(true);
  const free = takeOver(project, attempt);
  expect(free).not.toBeNull();
  free?.release();
  return attempt;
}

it('of a check nothing is kept', async () => {
  await left(check());
  expect(attempts()).toEqual([]);
});

it('of a review that ran to its end its verdict is kept', async () => {
  const begun = review();
  putOutput(project, begun.attempt.id, 'PASS');
  writeIn(project, 'r.md', 'all is well\n');
  const attempt = await left(begun);
  expect(attempts()).toEqual([{ ...attempt, status: 'done', verdict: 'clean' }]);
  expect(fs.existsSync(attemptFolder(project.home, attempt.id))).toBe(true);
});

it('of one that did not, what it wrote is set aside', async () => {
  const begun = review();
  const written = writeIn(project, 'r.md', 'half of i');
  const { id } = await left(begun);
  expect([attempts(), fs.existsSync(written)]).toEqual([[], false]);
  expect(fs.readFileSync(`${attemptFolder(project.home, id)}/unfinished-r.md`, 'utf8')).toBe('half of i');
});

it('one whose reviewer nobody knows is kept, and the next stop may look', async () => {
  const { attempt, held } = review();
  held.release();
  await expect(recovered(attempt, {})).rejects.toThrow('no reviewer critic');
  expect(attempts()).toEqual([attempt]);
  takeOver(project, attempt)?.release();
});

it('a program that still runs is ended', async () => {
  const { attempt, held } = check();
  held.release();
  const running = spawn('/bin/sh', ['-c', 'echo begun; exec sleep 60'], {
    env: { PATH: project.env.PATH, [ATTEMPT_VARIABLE]: attempt.id },
    ...{ detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  endAtTheEnd(running);
  const ended = new Promise((resolve) => running.once('exit', (_, signal) => resolve(signal)));
  await new Promise((resolve) => running.stdout?.once('data', resolve));
  expect([await recovered(attempt), await ended]).toEqual([true, 'SIGINT']);
});
