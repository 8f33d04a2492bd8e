// A drive as the command line has it, in this process: the client is a script, and what is written is kept.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newRecord } from '../../../test/driver/records.ts';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { callIn } from '../../../test/support/call.ts';
import type { Headless, HeadlessEvent, StartHow } from '../../clients/headless.ts';
import { clientNamed } from '../../clients/index.ts';
import { takeRun } from '../../driver/kept.ts';
import type { DriveOptions, DriverRecord } from '../../driver/record.ts';
import { readRecord, recordName } from '../../driver/record.ts';
import type { Project } from '../../engine/project.ts';
import { giveTrust } from '../../engine/proof/trust.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, NotNow } from '../../engine/workflow-cli.ts';
import { cliFolder, runtimeHere } from '../../hook/runtime.ts';
import { processWith } from '../../processes/known.ts';
import { forAgents } from '../table.ts';
import { driveKept } from './drive-kept.ts';

let project: Project;
let written: string;
let putBack: (() => void)[];

beforeEach(() => {
  project = bareProject();
  fs.mkdirSync(path.join(project.root, '.git'));
  written = '';
  putBack = [process.stdout, process.stderr].map((stream) => {
    const before = stream.listeners('error') as (() => void)[];
    return () => {
      stream.removeAllListeners('error');
      for (const listener of before) stream.on('error', listener);
    };
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const each of putBack) each();
});

const recordOf = (given: Partial<DriverRecord> = {}, options: Partial<DriveOptions> = {}): DriverRecord =>
  newRecord({ root: project.root, run: 'idle:gone', ...given }, options);

async function drove(
  record: DriverRecord,
  flags: Call['flags'] = { json: true },
  { answer = null, env = {} }: { answer?: string | null; env?: Record<string, string> } = {},
): Promise<number> {
  const { call } = callIn(project.root, { flags, env: { ...project.env, ...env } });
  const writing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
  try {
    return await driveKept(record, call, answer);
  } finally {
    writing.mockRestore();
  }
}

const events = (): Record<string, unknown>[] =>
  written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Nothing but the driver's own listener hears of it. */
const interrupt = (): void => process.listeners('SIGINT').at(-1)?.('SIGINT');

/** A client that says this when it is started, and after that nothing until somebody asks for the end. */
function scripted(words: readonly HeadlessEvent[] = [], more: Partial<Headless> = {}): StartHow[] {
  const { headless } = clientNamed('claude-code');
  if (headless === undefined) throw new Error('it cannot be driven');
  const starts: StartHow[] = [];
  async function* said(): AsyncGenerator<HeadlessEvent> {
    yield* words;
    interrupt();
    await new Promise(() => {});
  }
  vi.spyOn(headless, 'load').mockResolvedValue({
    choosesSession: true,
    canResume: () => false,
    ...more,
    start(how) {
      starts.push(how);
      return { pid: 0, events: said(), send: () => true, end: async () => {} };
    },
  });
  return starts;
}

const command = (name: string): string =>
  `cd ${project.root} && ${path.join(cliFolder(), 'holdfast')} run --continue ${name}`;

it('a run that is over is driven no further, and the table says so', async () => {
  expect(await drove(recordOf(), {})).toBe(5);
  const [task, began, ...lines] = written.split('\n');
  expect(task).toBe('Task: idle loop Do it all');
  expect(began?.slice(10)).toBe(
    `begins     as idle:gone, Claude Code with --access edit, in ${project.root}`,
  );
  expect(lines.map((line) => line.slice(0, 12).trim())).toEqual([
    ...['', 'asked', 'run', 'outcome', 'proven by', 'iterations', 'elapsed', 'client', 'What happene', ''],
  ]);
});

it('full access is said first, and only there', async () => {
  await drove(recordOf({}, { access: 'full' }), {});
  expect(written.split('\n')[0]).toMatch(/^--access full: the agent may run any command/);
  expect(written.split('\n')[2]).toContain('with --access full, in');
});

it('with --json each line is an object, the last one the summary', async () => {
  const worktree = { path: project.root, branch: 'holdfast/x', from: '/from' };
  expect(await drove(recordOf({ worktree, startedAt: Date.now() - 5_000 }))).toBe(5);
  const [began, finished, ...more] = events();
  expect(more).toEqual([]);
  expect(began).toEqual({
    ...{ time: expect.any(String), event: 'began', run: 'idle:gone', asked: 'idle loop Do it all' },
    ...{ access: 'edit', root: project.root, client: 'Claude Code' },
  });
  expect(finished).toMatchObject({
    ...{ event: 'finished', code: 5, why: 'unknown-end', run: 'idle:gone', worktree },
    ...{ outcome: 'over, and nobody knows how it ended', asked: 'idle loop Do it all' },
    next: [`What happened: ${path.join(cliFolder(), 'holdfast')} log`],
  });
  expect(finished?.elapsedMs).toBeGreaterThanOrEqual(5_000);
});

it('how to merge a work tree is said to people at the end', async () => {
  await drove(recordOf({ worktree: { path: project.root, branch: 'holdfast/x', from: '/from' } }), {});
  expect(written.trimEnd().split('\n').slice(-2)).toEqual([
    `The work is in ${project.root}, on the branch holdfast/x. To take it over: cd /from && git merge holdfast/x`,
    `Afterwards: git worktree remove ${project.root} && git branch -d holdfast/x`,
  ]);
});

it('where somebody asks for the end, how to go on is said, and nothing else', async () => {
  const starts = scripted([{ kind: 'session', id: 'session-1' }, { kind: 'turn' }]);
  const before = process.listenerCount('SIGINT');
  const record = recordOf({ run: null, session: 'session-1' });
  expect(await drove(record)).toBe(5);
  expect(starts).toHaveLength(1);
  expect(events().map(({ time: _, ...event }) => event)).toEqual([
    expect.objectContaining({ event: 'began', run: null }),
    { event: 'client-began', session: 'session-1', pid: 0, how: 'new' },
    { event: 'turn', number: 1 },
    { event: 'asked-to-end', again: false },
    { event: 'left', command: command(record.id) },
  ]);
  expect(process.listenerCount('SIGINT')).toBe(before);
  const saved = readRecord(project.env, recordName(record));
  expect(saved).toMatchObject({ ended: null, client: null, driver: processWith(process.pid) });
  takeRun(project.env, record).release();
});

it('a person reads how to go on in a line', async () => {
  scripted();
  const record = recordOf({ run: null, session: 'session-1' });
  expect(await drove(record, {})).toBe(5);
  expect(written.trimEnd().split('\n').at(-1)).toBe(
    `The client has ended, and nothing is lost. To go on: ${command(record.id)}`,
  );
});

it('asked twice, everything ends with how to go on', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const { headless } = clientNamed('claude-code');
  if (headless === undefined) throw new Error('it cannot be driven');
  vi.spyOn(headless, 'load').mockResolvedValue({
    ...{ choosesSession: true, canResume: () => false },
    start: () => {
      interrupt();
      interrupt();
      return { pid: 0, events: (async function* () {})(), send: () => true, end: async () => {} };
    },
  });
  const record = recordOf({ run: null, session: 'session-1' });
  await drove(record);
  expect(exit.mock.calls).toEqual([[5]]);
  expect(events().filter(({ event }) => event === 'left')).toEqual([
    { time: expect.any(String), event: 'left', command: command(record.id) },
    { time: expect.any(String), event: 'left', command: command(record.id) },
  ]);
});

const CHECKS = { trusted: { run: 'npm test' }, other: { run: 'rm all' }, several: { run: ['npm', 'lint'] } };

it('the client is given our command, what the user trusts, and what it needs of git', async () => {
  writeIn(project, 'holdfast.config.json', JSON.stringify({ checks: CHECKS }));
  const { config } = await openProject(project.root, runtimeHere(project.env));
  const trusted = config.checks.filter(({ name }) => name !== 'other');
  expect(trusted).toHaveLength(2);
  giveTrust({ ...project, now: Date.now() }, trusted);
  const starts = scripted();
  await drove(
    recordOf({ run: null, session: 'session-1' }),
    { json: true },
    {
      ...{ answer: 'Take the second.', env: { CLAUDE_CODE_SESSION_ID: 'outer', OTHER: 'stays' } },
    },
  );
  expect(starts).toHaveLength(1);
  const [start] = starts;
  const own = forAgents.map((words) => `${path.join(cliFolder(), 'holdfast')} ${words}`);
  expect(start?.allowed).toEqual([...own, 'npm test', 'git add', 'git commit', 'git status']);
  expect(start?.env).toMatchObject({ OTHER: 'stays' });
  expect(start?.env.CLAUDE_CODE_SESSION_ID).toBeUndefined();
  expect(start?.prompt).toContain('Take the second.');
});

it('our command is on the PATH of a client that calls it by its name', async () => {
  const starts = scripted([], { callsByName: true });
  await drove(recordOf({ run: null, session: 'session-1' }));
  expect(starts[0]?.env.PATH).toBe(`${cliFolder()}:${project.env.PATH}`);
});

it.each([
  ['generic', 'idle', 'generic or idle is not known to this version, so it cannot be driven.'],
  ['claude-code', 'other', 'claude-code or other is not known to this version, so it cannot be driven.'],
])(
  '%s with %s is refused where this version does not know it, and let go of',
  async (client, workflow, text) => {
    const record = recordOf({ workflow }, { client });
    await expect(drove(record)).rejects.toThrow(new NotNow(text));
    expect(written).toBe('');
    takeRun(project.env, record).release();
  },
);

it('a run that is held already is let go of at the end', async () => {
  const record = recordOf();
  const held = takeRun(project.env, record);
  const { call } = callIn(project.root, { flags: { json: true }, env: project.env });
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  expect(await driveKept(record, call, null, held)).toBe(5);
  vi.restoreAllMocks();
  takeRun(project.env, record).release();
});

it('the client of a driver that has died is waited for, and named where it does not end', async () => {
  const waits: unknown[] = [];
  const { setTimeout: later } = globalThis;
  // No time passes here.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
    waits.push(ms);
    return later(act, 0);
  }) as typeof setTimeout);
  const left = processWith(process.pid);
  await expect(drove(recordOf({ client: left }))).rejects.toThrow(
    new NotNow(
      `process ${left.pid}, the client of a driver that has died, still runs. End it (kill ${left.pid}), then continue.`,
    ),
  );
  expect(waits).toEqual(Array.from({ length: 75 }, () => 200));
  expect(await drove(recordOf({ client: { ...left, start: '1' } }))).toBe(5);
});
