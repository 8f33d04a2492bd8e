// A review, run to its end: what test/hook/reviews.test.ts and verdicts.test.ts cannot show with their one reviewer.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import type { Reviewer, ReviewerCommand, ReviewTask } from '../../reviewers/reviewer.ts';
import { attemptFolder } from '../../store/home.ts';
import { outputFolder } from '../../store/outputs.ts';
import type { NoVerdict } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Runtime } from '../context.ts';
import type { Project } from '../project.ts';
import type { ReviewCall } from '../workflow.ts';
import { beginReview } from './attempt.ts';
import { Interrupted } from './interrupted.ts';
import { review, verdictLeftBehind } from './review.ts';

/** Its verdict is the first word that it prints. */
const READS: Omit<Reviewer, 'call'> = {
  name: 'critic',
  readVerdict(stdout, code) {
    if (code !== null && code !== 0) return 'failed';
    return stdout.startsWith('PASS') ? 'clean' : stdout.startsWith('FAIL') ? 'findings' : 'none';
  },
};
const REVIEW = 'notes/review-1.md';
const WRITES = `echo found >${REVIEW}`;
const MANY = 'head -c 34000000 /dev/zero';
function causeOf(text: string): NoVerdict {
  const [kind, code] = text.split(' ');
  return { kind: kind as NoVerdict['kind'], code: code === undefined ? null : Number(code) };
}

type Given = {
  reviewer?: Partial<Reviewer>;
  command?: Partial<ReviewerCommand>;
  call?: Partial<ReviewCall>;
  runtime?: Partial<Runtime>;
  deadline?: number;
};

/** A review that is begun, by a reviewer that does what `script` says. */
function begun(script: string, given: Given = {}) {
  const bare = bareProject();
  const config = { ...bare.config, review: { ...bare.config.review, access: 'full' as const } };
  const project: Project = { ...bare, config };
  const log = writeIn(project, 'notes/review-1.log', 'of an earlier try');
  const file = path.join(project.root, REVIEW);
  const { attempt, held } = beginReview(project, {
    sidecar: readSidecar(project.root, 'toy:a'),
    request: { reviewer: 'critic', kind: 'plan', number: 1, file: REVIEW, model: 'opus' },
    ...{
      of: { stateHash: 'now' },
      session: 's1',
      deadline: given.deadline ?? Date.now() + 60_000,
      passed: null,
    },
  });
  held.release();
  const tasks: ReviewTask[] = [];
  const call: Reviewer['call'] = (task) => {
    tasks.push(task);
    return { program: 'sh', args: ['-c', script], env: {}, ...given.command };
  };
  const findReviewer: Runtime['findReviewer'] = async () => ({ ...READS, call, ...given.reviewer });
  const stopped = stoppedIn(project, {}, { findReviewer, ...given.runtime });
  const run = () => review('toy:a', attempt, { prompt: 'look at it', file, log, ...given.call }, stopped);
  const read = (place: string) => (fs.existsSync(place) ? fs.readFileSync(place, 'utf8') : null);
  const noted = () => readSidecar(project.root, 'toy:a').attempts[0];
  return {
    ...{ project, attempt, tasks, run, noted, file, log },
    text: () => read(file),
    said: () => read(log),
  };
}

describe('a review', () => {
  it('is called with all it needs, in the project, and its verdict is noted with the step that rests on it', async () => {
    const scene = begun(`echo PASS; pwd; echo "$GIVEN $HOLDFAST_DISABLE" >${REVIEW}`, {
      command: { env: { GIVEN: 'given' }, files: { 'rules.md': 'Be kind.' } },
      call: { reads: ['/elsewhere'] },
      reviewer: { readSpend: () => ({ usd: 1, tokens: null }) },
    });
    const { attempt, report, complaint } = await scene.run();
    expect([attempt, complaint]).toEqual([{ ...scene.attempt, status: 'done', verdict: 'clean' }, null]);
    expect(report).toMatchObject({ attempt: attempt.id, spend: { usd: 1 }, journaled: false });
    expect([scene.noted(), scene.text(), scene.said()]).toEqual([scene.attempt, 'given 1\n', null]);
    const folder = outputFolder(scene.project, attempt.id);
    expect(scene.tasks).toEqual([
      {
        ...{ prompt: 'look at it', model: 'opus', access: 'full', folder, reads: ['/elsewhere'] },
        ...{ file: scene.file, log: scene.log },
      },
    ]);
    expect(fs.readFileSync(path.join(folder, 'stdout'), 'utf8')).toBe(`PASS\n${scene.project.root}\n`);
    expect(fs.readFileSync(path.join(folder, 'rules.md'), 'utf8')).toBe('Be kind.');
    expect(fs.statSync(path.join(folder, 'rules.md')).mode & 0o777).toBe(0o600);
  });

  it('has no more than the sandbox where what it is asked may have come with a repository', async () => {
    const scene = begun(`echo PASS; ${WRITES}`, { call: { sandboxed: true } });
    await scene.run();
    expect(scene.tasks[0]?.access).toBe('sandboxed');
  });

  it('is about the changes it asks for, where git can show them', async () => {
    const changes = { since: null, say: ({ count }: { count: number }) => `The files: ${count}` };
    const without = begun(`echo PASS; ${WRITES}`, { call: { changes } });
    expect([(await without.run()).attempt.verdict, without.tasks[0]?.prompt]).toEqual([
      'clean',
      'look at it',
    ]);
    const scene = begun(`echo PASS; ${WRITES}`, { call: { changes } });
    execFileSync('git', ['init', '--quiet', scene.project.root]);
    await scene.run();
    expect(scene.tasks[0]?.prompt).toBe('look at it\n\nThe files: 1');
    expect(scene.tasks[0]?.reads).toEqual([attemptFolder(scene.project.home, scene.attempt.id)]);
  });

  it('that is written counts as findings, though its verdict cannot be read; and that is on record at once', async () => {
    const scene = begun(`${WRITES}; echo fine`);
    const { attempt, complaint } = await scene.run();
    expect(attempt).toMatchObject({ verdict: 'findings', cause: { kind: 'no-verdict', code: null } });
    expect([scene.noted(), scene.said()]).toEqual([attempt, null]);
    expect(complaint).toMatch(/gave no verdict; its file is there, so it counts as findings\.$/);
  });

  const LIMIT = 'usage-limit 1800000000';
  const atLimit = { reviewer: { readNoVerdict: () => causeOf(LIMIT) } };
  const says = (verdict: 'none' | 'failed') => ({ reviewer: { readVerdict: () => verdict } });
  it.each<[string, string, string, string, string, Given?]>([
    ['is not there', '', 'failed', 'missing', 'not found on PATH', { command: { program: 'not-there' } }],
    ['takes too long', 'sleep 50', 'failed', 'timed-out', 'ended at our deadline', { deadline: 1 }],
    ['prints too much', `${WRITES}; echo PASS; ${MANY}`, 'none', 'too-much-output 32', 'code 0, no verdict'],
    ['fails', `${WRITES}; echo PASS; echo ' no ' >&2; exit 128`, 'failed', 'exit-code 128', '\nPASS\nno\n'],
    ['is killed', 'exit 129', 'failed', 'killed 1', 'critic: exit code 129, failed\n'],
    ['fails, and says none', `${WRITES}; exit 1`, 'none', 'no-verdict', 'code 1, no verdict', says('none')],
    ['says that it failed', `${WRITES}; echo hm`, 'failed', 'no-verdict', 'failed\nhm\n', says('failed')],
    ['writes no file', 'echo PASS', 'none', 'no-file', 'no verdict or no review file\nPASS\n'],
    ['writes an empty file', `echo FAIL; : >${REVIEW}`, 'none', 'no-file', 'no review file\nFAIL\n'],
    ['makes a folder', `echo PASS; mkdir ${REVIEW}`, 'none', 'no-file', 'no review file\nPASS\n'],
    ['says nothing of the kind', 'echo fine', 'none', 'no-verdict', 'no review file\nfine\n'],
    [
      'says why',
      'exit 1',
      'failed',
      'exit-code 1',
      '\nLog in.\n',
      { reviewer: { readReason: () => 'Log in.' } },
    ],
    ['is at its limit', 'exit 1', 'failed', LIMIT, 'failed\n', atLimit],
  ])('by a program that %s has no verdict, which is on record at once, and a log', async (...row) => {
    const [, script, verdict, cause, log, given] = row;
    const scene = begun(script, given);
    const { attempt, complaint, report } = await scene.run();
    expect(attempt).toEqual({ ...scene.attempt, status: 'done', verdict, cause: causeOf(cause) });
    expect([scene.noted(), report.findings]).toEqual([attempt, null]);
    expect(complaint).toMatch(/^the review into notes\/review-1\.md ended without a verdict: /);
    expect(scene.said()).toContain(log);
    expect(fs.statSync(scene.log).mode & 0o777).toBe(0o600);
  });

  it('at a limit leaves no half of itself: its file goes aside', async () => {
    const scene = begun(`${WRITES}; exit 1`, atLimit);
    await scene.run();
    expect(scene.text()).toBeNull();
    expect(fs.readdirSync(attemptFolder(scene.project.home, scene.attempt.id))).toContain(
      'unfinished-review-1.md',
    );
  });

  it('leaves the end of what was said in its log, and counts though there can be none', async () => {
    const many = (letter: string, count: number): string => `head -c ${count} /dev/zero | tr '\\0' ${letter}`;
    const scene = begun(`${many('o', 20_000)}; ${many('e', 300_000)} >&2; exit 1`);
    await scene.run();
    expect(scene.said()).toBe(
      `critic: exit code 1, failed\n${'o'.repeat(16 * 1024)}\n${'e'.repeat(256 * 1024)}\n`,
    );
    const without = begun('echo hm', { call: { log: '/nowhere/at/all/review.log' } });
    expect((await without.run()).attempt).toMatchObject({ status: 'done', verdict: 'none' });
  });

  it('is interrupted where the client ends the hook, and that is on record', async () => {
    const scene = begun('sleep 50', { runtime: { whenAskedToEnd: (listener) => listener() } });
    await expect(scene.run()).rejects.toThrow(Interrupted);
    expect(scene.noted()).toEqual({ ...scene.attempt, status: 'interrupted' });
  });
});

it.each([
  ['PASS', 'found', 'clean'],
  ['FAIL', 'found', 'findings'],
  ['PASS', null, null],
  ['PASS', '', null],
  ['hm', 'found', null],
] as const)('a hook that died left %j and %j as its file: the verdict is %j', (printed, file, verdict) => {
  const { project, attempt } = begun('');
  putOutput(project, attempt.id, printed);
  if (file !== null) writeIn(project, REVIEW, file);
  const reviewer = { ...READS, call: () => ({ program: '', args: [], env: {} }) };
  expect(verdictLeftBehind(project, attempt, reviewer)).toBe(verdict);
});
