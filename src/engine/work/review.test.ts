import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { runtimeIn, stoppedIn } from '../../../test/support/stop-here.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Reviewer, ReviewerCommand, ReviewTask } from '../../reviewers/reviewer.ts';
import { attemptFolder } from '../../store/home.ts';
import { outputFolder } from '../../store/outputs.ts';
import type { NoVerdict, ReviewAttempt } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Runtime } from '../context.ts';
import type { Project } from '../project.ts';
import type { ReviewCall } from '../workflow.ts';
import { beginReview } from './attempt.ts';
import { Interrupted } from './interrupted.ts';
import { type EndedReview, endProgram, review, verdictLeftBehind } from './review.ts';

/** Its verdict is the first word that it prints. */
const READS: Omit<Reviewer, 'call'> = {
  name: 'critic',
  readVerdict(stdout, code) {
    if (code !== null && code !== 0) return 'failed';
    return stdout.startsWith('PASS') ? 'clean' : stdout.startsWith('FAIL') ? 'findings' : 'none';
  },
};

const REVIEW = 'notes/review-1.md';
const LOG = 'notes/review-1.log';
const WRITES = `echo found >${REVIEW}`;

type Scene = {
  project: Project;
  attempt: ReviewAttempt;
  /** What the reviewer was called with. */
  tasks: ReviewTask[];
  run(): Promise<EndedReview>;
  read(file: string): string | null;
};

type Given = {
  reviewer?: Partial<Reviewer>;
  command?: Partial<ReviewerCommand>;
  call?: Partial<ReviewCall>;
  runtime?: Partial<Runtime>;
  deadline?: number;
  config?: Partial<Project['config']['review']>;
};

/** A review that is begun, by a reviewer that does what `script` says. */
function begun(script: string, given: Given = {}): Scene {
  const bare = bareProject();
  const config = { ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, ...given.config } };
  const project: Project = { ...bare, config };
  fs.mkdirSync(path.join(project.root, 'notes'));
  const { attempt, held } = beginReview(project, {
    sidecar: readSidecar(project.root, 'toy:a'),
    request: { reviewer: 'critic', kind: 'plan', number: 1, file: REVIEW, model: 'opus' },
    of: { stateHash: 'now' },
    session: 's1',
    deadline: given.deadline ?? Date.now() + 60_000,
    passed: null,
  });
  held.release();
  const tasks: ReviewTask[] = [];
  const reviewer: Reviewer = {
    ...READS,
    call(task) {
      tasks.push(task);
      return { program: 'sh', args: ['-c', script], env: {}, ...given.command };
    },
    ...given.reviewer,
  };
  const findReviewer: Runtime['findReviewer'] = async (name) => ({ ...reviewer, name });
  const call: ReviewCall = {
    prompt: 'look at it',
    file: path.join(project.root, REVIEW),
    log: path.join(project.root, LOG),
    ...given.call,
  };
  const read = (file: string): string | null => {
    const place = path.join(project.root, file);
    return fs.existsSync(place) ? fs.readFileSync(place, 'utf8') : null;
  };
  const stopped = stoppedIn(project, {}, { ...runtimeIn(project), findReviewer, ...given.runtime });
  return { project, attempt, tasks, run: () => review('toy:a', attempt, call, stopped), read };
}

const noted = ({ project }: Scene): ReviewAttempt => {
  const [only] = readSidecar(project.root, 'toy:a').attempts;
  return only as ReviewAttempt;
};

describe('a review with a verdict', () => {
  it.each([
    ['PASS', 'clean'],
    ['FAIL', 'findings'],
  ] as const)('that prints %s is %s, and is noted with the step that rests on it', async (said, verdict) => {
    const scene = begun(`echo ${said}; ${WRITES}`);
    writeIn(scene.project, LOG, 'of an earlier try');
    const { attempt, report, complaint } = await scene.run();
    expect(attempt).toEqual({ ...scene.attempt, status: 'done', verdict });
    expect(attempt).not.toHaveProperty('cause');
    expect(report).toEqual({
      ...{ attempt: scene.attempt.id, findings: null, listed: null, spend: null, journaled: false },
      milliseconds: expect.any(Number),
    });
    expect(complaint).toBeNull();
    expect(noted(scene)).toEqual(scene.attempt);
    expect(scene.read(REVIEW)).toBe('found\n');
    expect(scene.read(LOG)).toBeNull();
  });

  it('is called with all it needs, in the project', async () => {
    const scene = begun(`pwd; ${WRITES}; echo "$GIVEN $HOLDFAST_DISABLE $OURS" >>${REVIEW}`, {
      reviewer: { readVerdict: () => 'clean' },
      command: { env: { GIVEN: 'given' }, files: { 'rules.md': 'Be kind.' } },
      call: { reads: ['/elsewhere'] },
      config: { access: 'full' },
    });
    await scene.run();
    const folder = outputFolder(scene.project, scene.attempt.id);
    expect(scene.tasks).toEqual([
      {
        ...{ prompt: 'look at it', model: 'opus', access: 'full', folder, reads: ['/elsewhere'] },
        ...{ file: path.join(scene.project.root, REVIEW), log: path.join(scene.project.root, LOG) },
      },
    ]);
    expect(fs.readFileSync(path.join(folder, 'stdout'), 'utf8')).toBe(`${scene.project.root}\n`);
    expect(scene.read(REVIEW)).toBe('found\ngiven 1 \n');
    expect(fs.readFileSync(path.join(folder, 'rules.md'), 'utf8')).toBe('Be kind.');
    expect(fs.statSync(path.join(folder, 'rules.md')).mode & 0o777).toBe(0o600);
  });

  it('has no more than the sandbox where what it is asked may have come with a repository', async () => {
    const scene = begun(`echo PASS; ${WRITES}`, { call: { sandboxed: true }, config: { access: 'full' } });
    await scene.run();
    expect(scene.tasks[0]?.access).toBe('sandboxed');
  });

  it('begins once what the next step needs is loaded', async () => {
    const order: string[] = [];
    const scene = begun(`echo PASS; ${WRITES}`, {
      call: {
        loadFirst: async () => {
          order.push('loaded');
        },
      },
      reviewer: {
        call: () => {
          order.push('called');
          return { program: 'sh', args: ['-c', `echo PASS; ${WRITES}`], env: {} };
        },
      },
    });
    await scene.run();
    expect(order).toEqual(['loaded', 'called']);
  });

  it('tells what it found and what it cost', async () => {
    const spend = { usd: 1, tokens: 2 } as never;
    const scene = begun(`echo PASS; ${WRITES}`, { reviewer: { readSpend: () => spend } });
    expect((await scene.run()).report.spend).toBe(spend);
  });

  it('is about the changes it asks for, where git can show them', async () => {
    const said: unknown[] = [];
    const say = (changes: { count: number }): string => `The files: ${said.push(changes.count)}`;
    const call = { changes: { since: null, say } };
    const without = begun(`echo PASS; ${WRITES}`, { call });
    expect((await without.run()).attempt.verdict).toBe('clean');
    expect(without.tasks[0]?.prompt).toBe('look at it');
    expect(said).toEqual([]);
    const scene = begun(`echo PASS; ${WRITES}`, { call });
    execFileSync('git', ['init', '--quiet', scene.project.root]);
    writeIn(scene.project, 'new.ts', 'export {};\n');
    expect((await scene.run()).attempt.verdict).toBe('clean');
    expect(scene.tasks[0]).toMatchObject({
      prompt: 'look at it\n\nThe files: 1',
      reads: [attemptFolder(scene.project.home, scene.attempt.id)],
    });
  });

  it('is one, though its log cannot be written', async () => {
    const scene = begun('echo hm', { call: { log: '/nowhere/at/all/review.log' } });
    expect((await scene.run()).attempt).toMatchObject({ status: 'done', verdict: 'none' });
  });
});

describe('a review whose verdict cannot be read', () => {
  it('counts as findings where it ran to its end and its file is there: it is not run again', async () => {
    const scene = begun(`${WRITES}; echo fine`);
    writeIn(scene.project, LOG, 'of an earlier try');
    const { attempt, complaint } = await scene.run();
    const ended = { status: 'done', verdict: 'findings', cause: { kind: 'no-verdict', code: null } };
    expect(attempt).toEqual({ ...scene.attempt, ...ended });
    // Its exit code is nowhere else, and the hook may not live to commit it.
    expect(noted(scene)).toEqual(attempt);
    expect(complaint).toBe(
      `the review into ${REVIEW} ended without a verdict: it ran to its end but gave no verdict; its file is there, so it counts as findings.`,
    );
    expect(scene.read(LOG)).toBeNull();
  });

  it.each<[string, string, Given]>([
    [
      'its program says that it failed',
      `${WRITES}; echo fine`,
      { reviewer: { readVerdict: () => 'failed' } },
    ],
    [
      'it was at its limit',
      `${WRITES}; echo fine`,
      { reviewer: { readNoVerdict: () => ({ kind: 'usage-limit', code: null }) } },
    ],
    ['its file is empty', `echo fine; : >${REVIEW}`, {}],
    ['it ended with an error', `${WRITES}; echo fine; exit 1`, { reviewer: { readVerdict: () => 'none' } }],
  ])('does not count where %s', async (_, script, given) => {
    const { attempt } = await begun(script, given).run();
    expect(['none', 'failed']).toContain(attempt.verdict);
    expect(attempt.cause).toBeDefined();
  });
});

describe('a review without a verdict', () => {
  const limit: NoVerdict = { kind: 'usage-limit', code: 1_800_000_000 };
  const cases: [string, string, Given, Partial<ReviewAttempt> & { cause: NoVerdict }, string, string][] = [
    [
      'that cannot be started',
      '',
      { command: { program: 'codex-that-is-not-there' } },
      { verdict: 'failed', cause: { kind: 'missing', code: null } },
      '`codex-that-is-not-there` was not found on PATH, so no review ran',
      'critic: not found on PATH, so no review ran\n',
    ],
    [
      'that takes too long',
      'sleep 50',
      { deadline: Date.now() - 1 },
      { verdict: 'failed', cause: { kind: 'timed-out', code: null } },
      'it was ended at our deadline (review.timeout in holdfast.config.json)',
      'critic: ended at our deadline (review.timeout in holdfast.config.json) before it had a verdict\n',
    ],
    [
      'that prints without end',
      `${WRITES}; echo PASS; head -c 40000000 /dev/zero; head -c 40000000 /dev/zero >&2`,
      {},
      { verdict: 'failed', cause: { kind: 'too-much-output', code: 64 } },
      'it printed more than 64 MB, which is not read',
      'critic: printed more than 64 MB, so it was ended and nothing of it was read\n',
    ],
    [
      'that prints more than is read',
      `${WRITES}; echo PASS; head -c 34000000 /dev/zero`,
      {},
      { verdict: 'none', cause: { kind: 'too-much-output', code: 32 } },
      'it printed more than 32 MB, which is not read',
      'critic: exit code 0, no verdict or no review file\n',
    ],
    [
      'that ends with an error',
      `${WRITES}; echo PASS; echo ' no model ' >&2; exit 128`,
      {},
      { verdict: 'failed', cause: { kind: 'exit-code', code: 128 } },
      'it ended with exit code 128',
      'critic: exit code 128, failed\nPASS\nno model\n',
    ],
    [
      'that is killed',
      `${WRITES}; echo PASS; kill -s KILL $$`,
      {},
      { verdict: 'failed', cause: { kind: 'killed', code: 9 } },
      'it was killed by signal 9',
      'critic: exit code 137, failed\nPASS\n',
    ],
    [
      'that is killed by the first signal',
      'exit 129',
      {},
      { verdict: 'failed', cause: { kind: 'killed', code: 1 } },
      'it was killed by signal 1',
      'critic: exit code 129, failed\n',
    ],
    [
      'whose file is not there',
      'echo PASS',
      {},
      { verdict: 'none', cause: { kind: 'no-file', code: null } },
      'it gave a verdict but wrote no review file',
      'critic: exit code 0, no verdict or no review file\nPASS\n',
    ],
    [
      'whose file is empty',
      `echo FAIL; : >${REVIEW}`,
      {},
      { verdict: 'none', cause: { kind: 'no-file', code: null } },
      'it gave a verdict but wrote no review file',
      'critic: exit code 0, no verdict or no review file\nFAIL\n',
    ],
    [
      'whose file is a folder',
      `echo PASS; mkdir -p ${REVIEW}/x`,
      {},
      { verdict: 'none', cause: { kind: 'no-file', code: null } },
      'it gave a verdict but wrote no review file',
      'critic: exit code 0, no verdict or no review file\nPASS\n',
    ],
    [
      'that says nothing of the kind',
      'echo fine',
      {},
      { verdict: 'none', cause: { kind: 'no-verdict', code: null } },
      'it ran to its end but gave no verdict',
      'critic: exit code 0, no verdict or no review file\nfine\n',
    ],
    [
      'that says why, in a place of its own',
      'echo "{...}"; exit 1',
      {
        reviewer: {
          readNoVerdict: () => ({ kind: 'not-logged-in', code: null }),
          readReason: () => 'Log in.',
        },
      },
      { verdict: 'failed', cause: { kind: 'not-logged-in', code: null } },
      '`sh` is not logged in; run `sh` in a terminal and log in',
      'critic: exit code 1, failed\nLog in.\n',
    ],
    [
      'that has no such place in what it printed',
      'echo "as it is"; exit 1',
      { reviewer: { readNoVerdict: () => null, readReason: () => null } },
      { verdict: 'failed', cause: { kind: 'exit-code', code: 1 } },
      'it ended with exit code 1',
      'critic: exit code 1, failed\nas it is\n',
    ],
    [
      'for which its account has nothing left',
      `${WRITES}; exit 1`,
      { reviewer: { readNoVerdict: () => limit } },
      { verdict: 'failed', cause: limit },
      'the usage limit of its account is reached; it ends at 2027-01-15 08:00 UTC',
      'critic: exit code 1, failed\n',
    ],
  ];
  it.each(cases)('%s says why', async (_, script, given, end, why, log) => {
    const scene = begun(script, given);
    const { attempt, complaint, report } = await scene.run();
    const ended = { ...scene.attempt, status: 'done', ...end };
    expect(attempt).toEqual(ended);
    expect(complaint).toBe(`the review into ${REVIEW} ended without a verdict: ${why}.`);
    expect(report).toMatchObject({ attempt: scene.attempt.id, findings: null });
    // It is on record at once: whoever comes after us must not run it again.
    expect(noted(scene)).toEqual(ended);
    expect(scene.read(LOG)).toBe(log);
    expect(fs.statSync(path.join(scene.project.root, LOG)).mode & 0o777).toBe(0o600);
  });

  it('is asked why it has none with what it printed, and when', async () => {
    const asked: unknown[] = [];
    const before = Date.now();
    const scene = begun('echo out of money; exit 1', {
      reviewer: {
        readNoVerdict: (...words) => {
          asked.push(...words);
          return null;
        },
      },
    });
    await scene.run();
    expect(asked).toEqual(['out of money\n', expect.any(Number)]);
    expect(asked[1]).toBeGreaterThanOrEqual(before);
  });

  it('by a limit leaves no half of itself: its file goes aside', async () => {
    const reviewer = { readNoVerdict: () => limit };
    const scene = begun(`${WRITES}; exit 1`, { reviewer });
    await scene.run();
    expect(scene.read(REVIEW)).toBeNull();
    const folder = attemptFolder(scene.project.home, scene.attempt.id);
    expect(fs.readFileSync(path.join(folder, 'unfinished-review-1.md'), 'utf8')).toBe('found\n');
  });

  it('by anything else keeps its file', async () => {
    const scene = begun(`${WRITES}; exit 1`);
    await scene.run();
    expect(scene.read(REVIEW)).toBe('found\n');
  });

  it('leaves the end of what it said in the log, and more of its complaints', async () => {
    const many = (letter: string, count: number): string => `head -c ${count} /dev/zero | tr '\\0' ${letter}`;
    const scene = begun(`${many('o', 20_000)}; ${many('e', 300_000)} >&2; exit 1`);
    await scene.run();
    expect(scene.read(LOG)).toBe(
      `critic: exit code 1, failed\n${'o'.repeat(16 * 1024)}\n${'e'.repeat(256 * 1024)}\n`,
    );
  });

  it('because the client ended the hook is interrupted, and says so before anything else', async () => {
    const scene = begun('sleep 50', { runtime: { whenAskedToEnd: (listener) => listener() } });
    await expect(scene.run()).rejects.toThrow(Interrupted);
    expect(noted(scene)).toEqual({ ...scene.attempt, status: 'interrupted' });
    expect(scene.read(LOG)).toBeNull();
  });
});

describe('what a hook that died left of a review', () => {
  const leftBy = (printed: string, file: string | null) => {
    const { project, attempt } = begun('');
    putOutput(project, attempt.id, printed);
    if (file !== null) writeIn(project, REVIEW, file);
    return verdictLeftBehind(project, attempt, {
      ...READS,
      call: () => ({ program: '', args: [], env: {} }),
    });
  };

  it.each([
    ['PASS', 'found', 'clean'],
    ['FAIL', 'found', 'findings'],
    ['PASS', null, null],
    ['PASS', '', null],
    ['hm', 'found', null],
  ] as const)('%j with %j as its file is %j', (printed, file, verdict) => {
    expect(leftBy(printed, file)).toBe(verdict);
  });
});

it('hands the watcher what ends a program', () => {
  expect(endProgram).toBeTypeOf('function');
});
