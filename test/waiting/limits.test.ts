// Runs that wait for a limit, through the real hook and commands: the event that tells of it, a loop that grows no older
// meanwhile, what becomes of it when that event is lost, and a reviewer at a limit of its own.

import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NO_WAITS, type Sidecar, type Waiting } from '../../src/store/records.ts';
import { latest, postState } from '../fixtures/idle/loops.ts';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { type Fired, fireHook, type Ran, type RunOptions, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { recordedLines, recordedPayload } from '../support/recorded.ts';

/** Adds a line to the transcript in the middle of the hook. */
const LATE = path.resolve(import.meta.dirname, '../hook/late-line.cjs');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const projects: TempProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

type Scene = TempProject & {
  session: string;
  transcript: string;
  run: string;
  cli(args: readonly string[], session?: string | null): Promise<Ran>;
  /** The state as of so long ago. */
  age(milliseconds: number): void;
  notes(): Sidecar;
  note(change: Partial<Sidecar>): void;
  fails(error?: string, options?: RunOptions): Promise<Fired>;
  stop(options?: RunOptions): Promise<Fired>;
};

/** A loop that a session of Claude Code started. */
async function loopScene(): Promise<Scene> {
  const project = tempProject();
  projects.push(project);
  const session = randomUUID();
  const transcript = path.join(project.home, `${session}.jsonl`);
  fs.writeFileSync(transcript, '');
  const cli: Scene['cli'] = (args, by = session) =>
    runCli(project.root, args, { env: by === null ? {} : { CLAUDE_CODE_SESSION_ID: by } });
  const { exitCode, stderr } = await cli(['idle', 'loop', 'Fix the parser.']);
  expect([exitCode, stderr]).toEqual([0, '']);
  const run = latest(project).run_id ?? '';
  const sidecar = `.holdfast/runs/idle-${run}.json`;
  const payload = (recording: string) => ({
    ...recordedPayload(`claude-code/${recording}`),
    session_id: session,
    transcript_path: transcript,
    cwd: project.root,
  });
  const scene: Scene = {
    ...project,
    ...{ session, transcript, run, cli },
    age: (milliseconds) => {
      const { stack } = latest(project);
      const updated_at = new Date(Date.now() - milliseconds).toISOString();
      postState(project, stack, { run_id: run, updated_at });
    },
    notes: () => JSON.parse(project.read(sidecar)),
    note: (change) => void project.write(sidecar, JSON.stringify({ ...scene.notes(), ...change })),
    fails: (error = 'rate_limit', options = {}) =>
      fireHook(
        project.root,
        { ...payload('stop-failure-rate-limit-2.1.325.json'), error },
        { args: ['stop-failure'], ...options },
      ),
    stop: (options) =>
      fireHook(project.root, { ...payload('stop-first.json'), last_assistant_message: 'Working.' }, options),
  };
  return scene;
}

const rows = recordedLines('claude-code/transcript-usage-limit-2.1.325.jsonl').map((line) =>
  JSON.parse(line),
);
const row = (mark: string) => rows.find((line) => JSON.stringify(line).includes(mark));

type Row = { ago: number; resetsAt?: number; error?: string };

/** The recorded error, so long ago. */
function errorRow({ session }: Scene, { ago, resetsAt, error = 'rate_limit' }: Row): object {
  const recorded = row('isApiErrorMessage');
  const limits = { ...recorded.quotaLimits, resetsAt: Math.round((resetsAt ?? 0) / 1000) };
  return {
    ...recorded,
    ...{ uuid: randomUUID(), sessionId: session, error },
    timestamp: new Date(Date.now() - ago).toISOString(),
    quotaLimits: resetsAt === undefined ? undefined : limits,
  };
}

/** The client goes on by itself, as recorded. */
function backRow({ session }: Scene, ago: number): object {
  const timestamp = new Date(Date.now() - ago).toISOString();
  return { ...row('auto_continuation'), uuid: randomUUID(), sessionId: session, timestamp };
}

const append = ({ transcript }: Scene, ...lines: object[]): void =>
  fs.appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

const SILENT = { exitCode: 0, stdout: '', stderr: '' };

const limit = (since: number, until: number | null = null): Waiting => ({
  for: 'limit',
  ...{ since, until, what: 'rate_limit' },
});

describe.concurrent('a turn that an API error ended', () => {
  test.each(['rate_limit', 'server_error', 'authentication_failed', 'billing_error'])(
    'makes the run wait, without a word: %s',
    async (error) => {
      const scene = await loopScene();
      const before = Date.now();
      expect(await scene.fails(error)).toMatchObject(SILENT);
      const { waiting } = scene.notes();
      expect(waiting).toMatchObject({ for: 'limit', until: null, what: error });
      expect(waiting?.since).toBeGreaterThanOrEqual(before);
      expect(waiting?.since).toBeLessThanOrEqual(Date.now());
    },
  );

  test.each(['invalid_request', '', 'constructor', 'RATE_LIMIT'])(
    'is no wait where waiting does not help: %j',
    async (error) => {
      const scene = await loopScene();
      const before = scene.notes();
      expect(await scene.fails(error)).toMatchObject(SILENT);
      expect(scene.notes()).toEqual(before);
    },
  );

  test('waits until the time that the transcript has', async () => {
    const scene = await loopScene();
    const resetsAt = Math.round(Date.now() / 1000) * 1000 + HOUR;
    append(scene, errorRow(scene, { ago: 0, resetsAt }));
    await scene.fails();
    expect(scene.notes().waiting).toMatchObject({ for: 'limit', until: resetsAt });
  });

  test('waits until the time of this error, not of one before it', async () => {
    const scene = await loopScene();
    append(scene, errorRow(scene, { ago: 6 * HOUR, resetsAt: Date.now() - HOUR }));
    await scene.fails();
    expect(scene.notes().waiting).toMatchObject({ for: 'limit', until: null });
  });

  test('has its time also where the line with it comes late', async () => {
    const scene = await loopScene();
    const resetsAt = Math.round(Date.now() / 1000) * 1000 + HOUR;
    const line = JSON.stringify(errorRow(scene, { ago: 0, resetsAt }));
    // At its third look, when what is known without it is written down.
    const late = {
      NODE_OPTIONS: `--require ${LATE}`,
      LATE_FILE: scene.transcript,
      LATE_LINE: line,
      LATE_AT: '3',
    };
    expect(await scene.fails('rate_limit', { env: late })).toMatchObject(SILENT);
    expect(scene.notes().waiting?.until).toBe(resetsAt);
  });

  test("concerns no other session's run, none that is over and none that is stale", async () => {
    const [other, over, stale] = [await loopScene(), await loopScene(), await loopScene()];
    const nobody = {
      ...recordedPayload('claude-code/stop-failure-rate-limit-2.1.325.json'),
      cwd: other.root,
    };
    expect(await fireHook(other.root, nobody, { args: ['stop-failure'] })).toMatchObject(SILENT);
    expect((await over.cli(['idle', 'cancel'])).exitCode).toBe(0);
    stale.age(3 * HOUR);
    for (const scene of [over, stale]) expect(await scene.fails()).toMatchObject(SILENT);
    for (const scene of [other, over, stale]) expect(scene.notes().waiting).toBeUndefined();
  });
});

describe.concurrent('a loop whose session comes back from a limit', () => {
  /** Five hours at a limit, after a minute of work. */
  async function backAfterLimit(until: number | null = null): Promise<Scene> {
    const scene = await loopScene();
    await scene.fails();
    scene.note({ waiting: limit(Date.now() - 5 * HOUR, until) });
    scene.age(5 * HOUR + MINUTE);
    return scene;
  }

  test.each([
    ['at a time unknown', () => null],
    ['in time', () => Date.now() - MINUTE],
    // A person came hours after it.
    ['late', () => Date.now() - 4 * HOUR],
  ])('is held again, and the wait is over: it ended %s', async (_, until) => {
    const scene = await backAfterLimit(until());
    const { answer } = await scene.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('1/10');
    expect(scene.notes().waiting).toBeUndefined();
    expect(scene.notes().waits?.waited ?? 0).toBe(0);
    expect(JSON.parse((await scene.cli(['replay', '--json', '1'])).stdout)).toMatchObject([
      { outcome: 'same' },
    ]);
  });

  test('is stale two hours after the end that was known, for whoever is not at its stop', async () => {
    const scene = await backAfterLimit(Date.now() - 2 * HOUR - 2 * MINUTE);
    const shown = JSON.parse((await scene.cli(['idle', 'status', '--json'])).stdout);
    expect(shown).toMatchObject({ live: false, stale: true });
    const started = await scene.cli(['idle', 'loop', 'Another.'], randomUUID());
    expect(started.exitCode).toBe(0);
    expect(latest(scene).run_id).not.toBe(scene.run);
  });
});

describe.concurrent('a loop whose client lost the event', () => {
  test('is held again when the transcript shows that it was away', async () => {
    const scene = await loopScene();
    scene.age(5 * HOUR);
    append(scene, errorRow(scene, { ago: 5 * HOUR - MINUTE }), backRow(scene, MINUTE));
    expect((await scene.stop()).answer?.decision).toBe('block');
    expect(JSON.parse((await scene.cli(['replay', '--json', '1'])).stdout)).toMatchObject([
      { outcome: 'same' },
    ]);
  });

  test('is held again in Codex, which has no such event', async () => {
    const project = tempProject();
    projects.push(project);
    const session = randomUUID();
    const env = { CODEX_SESSION_ID: session, CODEX_THREAD_ID: session };
    expect((await runCli(project.root, ['idle', 'loop', 'Fix it.'], { env })).exitCode).toBe(0);
    const { run_id, stack } = latest(project);
    const updated_at = new Date(Date.now() - 5 * HOUR).toISOString();
    const rollout = path.join(project.home, 'rollout.jsonl');
    const recorded = recordedLines('codex/transcript-usage-limit.jsonl').map((line) => JSON.parse(line));
    const failed = recorded.find(({ payload }) => payload.error !== undefined);
    const prompt = recorded.find(({ payload }) => payload.role === 'user' && payload.id !== undefined);
    const at = (line: object, ago: number) =>
      JSON.stringify({ ...line, timestamp: new Date(Date.now() - ago).toISOString() });
    const stop = (...lines: string[]) => {
      postState(project, stack, { run_id, updated_at });
      fs.writeFileSync(rollout, lines.map((line) => `${line}\n`).join(''));
      const payload = { ...recordedPayload('codex/stop-first.json'), session_id: session };
      return fireHook(project.root, { ...payload, transcript_path: rollout, cwd: project.root });
    };
    const without = await stop(at(prompt, 5 * HOUR - MINUTE), at(prompt, MINUTE));
    expect(without.answer?.systemMessage).toContain('more than two hours old');
    const { answer } = await stop(at(failed, 5 * HOUR - MINUTE), at(prompt, MINUTE));
    expect(answer?.decision).toBe('block');
  });

  test.each([
    ['there was no error', () => []],
    [
      'the error was none that ends',
      (scene: Scene) => [errorRow(scene, { ago: 4 * HOUR, error: 'invalid_request' })],
    ],
    [
      'it was away for too little of that time',
      (scene: Scene) => [errorRow(scene, { ago: 4 * HOUR }), backRow(scene, 3 * HOUR)],
    ],
    [
      'it was away before that',
      (scene: Scene) => [errorRow(scene, { ago: 9 * HOUR }), backRow(scene, 5 * HOUR)],
    ],
  ])('is stale where %s', async (_, lines) => {
    const scene = await loopScene();
    scene.age(5 * HOUR);
    append(scene, ...lines(scene), backRow(scene, MINUTE));
    const { answer } = await scene.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('more than two hours old');
  });

  test('is not given the same time twice', async () => {
    const scene = await loopScene();
    scene.age(5 * HOUR + 30 * MINUTE);
    append(scene, errorRow(scene, { ago: 5 * HOUR }), backRow(scene, 2 * HOUR));
    scene.note({ waits: { ...NO_WAITS, waited: 3 * HOUR } });
    expect((await scene.stop()).answer?.systemMessage).toContain('more than two hours old');
  });
});

describe.concurrent('a reviewer at a limit of its own', () => {
  async function planWithReviewDue(): Promise<PlanProject> {
    const project = planProject('my-plan', 'claude-code');
    projects.push(project);
    project.setState({});
    return project;
  }

  const sidecar = (project: PlanProject): Sidecar =>
    JSON.parse(project.read('.holdfast/runs/taskie-my-plan.json'));

  /** As the client would say it: the minute that is named is cut, not rounded. */
  function inTwoHours(): { said: string; until: number } {
    const minute = Math.floor((Date.now() + 2 * HOUR) / MINUTE) * MINUTE;
    const time = new Date(minute);
    const hour = time.getUTCHours();
    const said = `${hour % 12 || 12}:${String(time.getUTCMinutes()).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'} (UTC)`;
    return { said, until: minute + MINUTE };
  }

  test('is waited for until it says, uncounted, and then asked once more', async () => {
    const project = await planWithReviewDue();
    const { said, until } = inTwoHours();
    project.reviewer([{ print: 'usage-limit-2.1.325', resets: said, file: true }, 'fail']);
    const first = await project.stop();
    expect(first.exitCode).toBe(0);
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toContain(
      new Date(until).toISOString().slice(0, 16).replace('T', ' '),
    );
    const { waiting, attempts, failures } = sidecar(project);
    expect(waiting).toMatchObject({ for: 'limit', reviewer: 'claude', until });
    expect([attempts, failures.count]).toEqual([[], 0]);
    expect(project.files()).not.toContain('plan-review-1.md');
    const state = project.state();

    for (const _ of [1, 2, 3, 4]) expect((await project.stop()).answer?.decision).toBeUndefined();
    expect(project.calls()).toHaveLength(1);
    expect(project.state()).toEqual(state);

    project.write(
      '.holdfast/runs/taskie-my-plan.json',
      JSON.stringify({ ...sidecar(project), waiting: { ...waiting, until: Date.now() - 1 } }),
    );
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(project.calls()).toHaveLength(2);
    expect(project.files()).toContain('plan-review-1.md');
    expect(project.state()).toMatchObject({ phase_iteration: 1 });
    expect(sidecar(project).waiting).toBeUndefined();
  });
});
