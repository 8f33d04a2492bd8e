import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder, projectIn } from '../../test/support/bare-project.ts';
import { called, callIn } from '../../test/support/call.ts';
import type { Project } from '../engine/project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { sidecarPath } from '../store/home.ts';
import { NO_WAITS, type Waits } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { allRuns } from '../view/runs.ts';
import { loop } from '../workflows/idle/cli/loop.ts';
import { wait } from './wait.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const MINE = { CLAUDE_CODE_SESSION_ID: 's1' };

let root: string;
let before: Map<string, readonly unknown[]>;

beforeEach(() => {
  root = emptyFolder();
  before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  for (const signal of SIGNALS) for (const listener of addedFor(signal)) process.off(signal, listener);
});

function addedFor(signal: (typeof SIGNALS)[number]): NodeJS.SignalsListener[] {
  return process.listeners(signal).filter((each) => !before.get(signal)?.includes(each));
}

/** As it would come to this process alone. */
function sendOurselves(signal: (typeof SIGNALS)[number]): void {
  for (const listener of addedFor(signal)) listener(signal);
}

type Waiting = { printed: string[]; code(): number | null; ended: Promise<number> };

/** From here on time passes only when a test lets it. */
async function begin(flags: Call['flags'], over: Partial<Call> = {}): Promise<Waiting> {
  const { call, printed } = callIn(root, { flags, existing: async () => null, ...over });
  let code: number | null = null;
  const ended = Promise.resolve(wait.run(call)).then((given) => {
    code = given;
    return given;
  });
  for (let turn = 0; turn < 10_000 && vi.getTimerCount() === 0 && code === null; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  return { printed, code: () => code, ended };
}

/** What is left to do after the time is up takes none. */
async function settled({ ended, printed }: Waiting): Promise<[number, ...string[]]> {
  return [await ended, ...printed];
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('how long', () => {
  it.each<[Call['flags'], number, string]>([
    [{}, 100_000, 'Waited 100 s.'],
    [{ for: '100' }, 100_000, 'Waited 100 s.'],
    [{ for: '1' }, 1000, 'Waited 1 s.'],
    [{ for: '7' }, 7000, 'Waited 7 s.'],
  ])('is waited for nothing but time: %j', async (flags, ms, line) => {
    const waiting = await begin(flags);
    await pass(ms - 1);
    expect(waiting.code()).toBeNull();
    await pass(1);
    expect(await settled(waiting)).toEqual([0, line]);
  });

  it.each(['0', '101', 'x', '', '1.5', '-1'])('is no such number: %j', async (given) => {
    const { call } = callIn(root, { flags: { for: given } });
    await expect(wait.run(call)).rejects.toThrow(
      new WrongUsage('wait: --for takes a whole number of seconds from 1 to 100.'),
    );
  });
});

describe('a file', () => {
  it('that is there already is not waited for', async () => {
    const file = path.join(root, 'done');
    fs.writeFileSync(file, '');
    expect(await settled(await begin({ file: 'done' }))).toEqual([0, `${file} is there already.`]);
    expect(SIGNALS.flatMap(addedFor)).toEqual([]);
  });

  it('is looked for four times a second', async () => {
    const file = path.join(root, 'done');
    const waiting = await begin({ file: 'done' });
    await pass(9_900);
    fs.writeFileSync(file, '');
    await pass(99);
    expect(waiting.code()).toBeNull();
    await pass(1);
    expect(await settled(waiting)).toEqual([0, `After 10 s: ${file} is there now.`]);
  });

  it('that does not come is told with the command to call again', async () => {
    const file = path.join(root, 'done');
    const waiting = await begin({ file: 'done', for: '2' });
    await pass(2000);
    expect(await settled(waiting)).toEqual([
      75,
      `After 2 s: ${file} is not there yet. Call again: ${cliCommand()} wait --file ${file} --for 2`,
    ]);
  });
});

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends the wait at once, and is said: %s', async (signal, code) => {
    const waiting = await begin({ file: 'done' });
    await pass(3100);
    sendOurselves(signal);
    for (const other of SIGNALS) sendOurselves(other);
    expect(await settled(waiting)).toEqual([code, `Ended by ${signal} after 3 s of waiting.`]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what was waited', () => {
  let project: Project;
  let run: string;

  beforeEach(async () => {
    project = projectIn(root, { env: MINE });
    await called(loop, project, { words: ['a task'] });
    run = (await allRuns(project))[0]?.name ?? '';
  });

  const waits = (): Waits | undefined => readSidecar(root, run).waits;
  const begun = (env: object = MINE, over: Partial<Call> = {}): Promise<Waiting> =>
    begin({ for: '3' }, { env: { ...project.env, ...env }, existing: async () => project, ...over });
  async function waited(env: object = MINE, over: Partial<Call> = {}): Promise<unknown[]> {
    const waiting = await begun(env, over);
    await pass(3000);
    return settled(waiting);
  }

  it('is noted for the run of the session, call by call', async () => {
    expect(await waited()).toEqual([0, 'Waited 3 s.']);
    expect(waits()).toEqual({ ...NO_WAITS, calls: 1, called: 3000 });
    writeSidecar(root, {
      ...readSidecar(root, run),
      waits: { ...NO_WAITS, questions: 2, calls: 4, called: 7 },
    });
    await waited();
    expect(waits()).toEqual({ ...NO_WAITS, questions: 2, calls: 5, called: 3007 });
  });

  it('is noted also where a signal ended it', async () => {
    const waiting = await begun();
    await pass(1234);
    sendOurselves('SIGTERM');
    expect(await settled(waiting)).toEqual([143, 'Ended by SIGTERM after 1 s of waiting.']);
    expect(waits()).toEqual({ ...NO_WAITS, calls: 1, called: 1234 });
  });

  it.each([
    ['in another session', { CLAUDE_CODE_SESSION_ID: 's2' }],
    ['in none', { CLAUDE_CODE_SESSION_ID: undefined }],
    ['by a reviewer', { ...MINE, HOLDFAST_DISABLE: '1' }],
  ])('is not noted %s', async (_, env) => {
    const notes = fs.readFileSync(sidecarPath(project.home, run), 'utf8');
    expect(await waited(env)).toEqual([0, 'Waited 3 s.']);
    expect(fs.readFileSync(sidecarPath(project.home, run), 'utf8')).toBe(notes);
  });

  it('is not noted where there is no project, or another session has the run by then', async () => {
    expect(await waited(MINE, { existing: async () => null })).toEqual([0, 'Waited 3 s.']);
    const waiting = await begun();
    writeSidecar(root, { ...readSidecar(root, run), sessions: ['s2'] });
    await pass(3000);
    expect(await settled(waiting)).toEqual([0, 'Waited 3 s.']);
    expect(waits()).toBeUndefined();
  });

  it('never grows beyond what a record can hold', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    writeSidecar(root, { ...readSidecar(root, run), waits: { ...NO_WAITS, calls: most, called: most - 1 } });
    await waited();
    expect(waits()).toEqual({ ...NO_WAITS, calls: most, called: most });
  });

  it('is too much once the run’s time for it is used up', async () => {
    project = { ...project, config: { ...project.config, wait: { ...project.config.wait, workMs: 60_000 } } };
    expect(await waited()).toEqual([0, 'Waited 3 s.']);
    expect(await waited()).toEqual([
      0,
      `Waited 3 s. ${run} has used up its time for this (wait.work: 60 s), so from now on it is a tool call like any other. If what you wait for does not end, go on without it.`,
    ]);
  });

  it('that cannot be noted is said, and the wait is none the worse for it', async () => {
    const failing = async (): Promise<never> => {
      throw new NotNow('no project\ncan be read');
    };
    expect(await waited(MINE, { existing: failing })).toEqual([
      0,
      'Waited 3 s. It could not be noted: no project',
    ]);
    const waiting = await begun();
    fs.writeFileSync(sidecarPath(project.home, run), '{ torn');
    await pass(3000);
    const [code, line] = await settled(waiting);
    expect(code).toBe(0);
    expect(line?.startsWith(`Waited 3 s. It could not be noted for ${run}: `)).toBe(true);
    expect(line).toContain(sidecarPath(project.home, run));
  });
});

it('help says what each flag is for', () => {
  expect(wait.help).toBe(`--pid N        until that process has ended
--file F       until that file is there; let your command make it at its end: npm test >log 2>&1; echo $? >done
--for SECONDS  at most so long, from 1 to 100
Exit code 0: it is over. 75: not yet, call it again. Without --pid and --file it only waits, and exits with 0.`);
});
