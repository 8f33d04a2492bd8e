// A driver on a stage: a real project, the scripted client as a real process, the real hook, and a clock that the test
// sets. A night passes in as long as its stops take.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Headless } from '../../src/clients/headless.ts';
import { clientNamed } from '../../src/clients/index.ts';
import { Bell, type Clock, pause } from '../../src/driver/clock.ts';
import { type Driven, drive } from '../../src/driver/drive.ts';
import { Kept } from '../../src/driver/kept.ts';
import type { DriveOptions, DriverRecord } from '../../src/driver/record.ts';
import type { Said } from '../../src/driver/report.ts';
import type { Tools } from '../../src/driver/tools.ts';
import { openProject } from '../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { journalFromEnd } from '../../src/store/journal.ts';
import type { StopEntry } from '../../src/store/journal-lines.ts';
import { registry } from '../../src/workflows/registry.ts';
import { plugin, runCli } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { newRecord } from './records.ts';

export { NO_BUDGET } from './records.ts';

export type Action =
  | {
      do:
        | 'work'
        | 'done'
        | 'crash'
        | 'exit'
        | 'hang'
        | 'error'
        | 'login'
        | 'context'
        | 'unheld'
        | 'idle'
        | 'denied';
    }
  | { do: 'limit'; resetsAt: number }
  | { do: 'ask'; question: string }
  /** From here on it is a client that honours so many holds after one prompt. */
  | { do: 'cap'; holds: number }
  | { do: 'run'; line: string };

const load = createRequire(import.meta.url);

export function builtHeadless(): Headless {
  const file = path.join(plugin, 'lib', 'clients-claude-code-headless.cjs');
  return (load(file) as { headless: Headless }).headless;
}

export type Stage = Awaited<ReturnType<typeof stageWith>>;

export async function stageWith(script: readonly Action[]) {
  const project = tempProject();
  const folder = path.dirname(project.root);
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  const program = path.join(import.meta.dirname, 'claude.cjs');
  fs.writeFileSync(path.join(bin, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  const env: Record<string, string> = {
    PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: project.home,
    LANG: 'C.UTF-8',
    STAGE: folder,
    PLUGIN: plugin,
    HOLDFAST_NODE: process.execPath,
  };
  const inStage = (name: string): string => path.join(folder, name);
  const linesOf = (name: string): string[] => {
    const file = inStage(name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  const write = (actions: readonly Action[]): void =>
    fs.writeFileSync(inStage('script'), actions.map((action) => JSON.stringify(action)).join('\n'));
  write(script);
  return {
    project,
    env,
    linesOf,
    write,
    remove: () => project.remove(),
    stops: (): StopEntry[] =>
      [...journalFromEnd(project.root)].filter((entry) => entry.event === 'stop').reverse(),
    starts: () =>
      linesOf('starts').map(
        (line) => JSON.parse(line) as { session: string; resumed: boolean; pid: number; args: string[] },
      ),
    prompts: () => linesOf('prompts').map((line) => JSON.parse(line) as { session: string; prompt: string }),
    /** A command of somebody who is not its agent, done when this comes back. */
    types: (args: readonly string[], more: Record<string, string> = {}): string =>
      execFileSync(path.join(plugin, 'bin', 'holdfast'), args, {
        ...{ cwd: project.root, env: { ...env, ...more }, encoding: 'utf8' },
      }),
    /** A client does nothing any more, and is still there. */
    isHung: (): boolean => {
      const last = linesOf('hung').at(-1);
      // Once it was ended, the next one has all the time it needs to start.
      return last !== undefined && fs.existsSync(`/proc/${last}`);
    },
  };
}

/** A loop that is started for a session of its own, as `holdfast run` starts it, and its record. */
export async function startedLoop(
  stage: Stage,
  options: Partial<DriveOptions> = {},
  max = 10,
): Promise<DriverRecord> {
  const session = randomUUID();
  const { root } = stage.project;
  const env = { ...stage.env, CLAUDE_CODE_SESSION_ID: session };
  const started = await runCli(root, ['idle', 'loop', '--max', String(max), 'Do it all'], { env });
  if (started.exitCode !== 0) throw new Error(started.stderr);
  return recordOf(
    stage,
    { run: /idle:[\w-]+/.exec(started.stdout)?.[0] ?? '', session, prompt: started.stdout },
    options,
  );
}

export function recordOf(
  { project: { root } }: Stage,
  started: Pick<DriverRecord, 'run' | 'session' | 'prompt'>,
  options: Partial<DriveOptions> = {},
): DriverRecord {
  return newRecord({ ...started, root }, options);
}

export type Drove = { driven: Driven; said: Said[]; record: DriverRecord; waits: number[] };

export type DriveHow = {
  answer?: string;
  /** Called at each event, with the bell that asks the driver to end. */
  at?(said: Said, asked: Bell): void;
  /** Another client than the one that was built. */
  headless?: Headless;
};

/** Drives it in this process; `waits` are the lengths of its waits, in milliseconds. */
export async function driveOn(stage: Stage, record: DriverRecord, how: DriveHow = {}): Promise<Drove> {
  const said: Said[] = [];
  const waits: number[] = [];
  const asked = new Bell();
  const { env } = stage;
  const entry = registry.find(({ name }) => name === record.workflow);
  if (entry === undefined) throw new Error(record.workflow);
  const cli = await entry.cli();
  const runtime = { ...runtimeHere(env), cli: path.join(plugin, 'bin', 'holdfast') };
  const project = await openProject(record.root, runtime);
  const clock = stageClock(stage, waits);
  const tools: Tools = {
    ...{
      env,
      client: clientNamed('claude-code'),
      headless: how.headless ?? builtHeadless(),
      cli,
      clock,
      asked,
    },
    project: () => ({ ...project, now: clock.now() }),
    report: {
      say(each) {
        said.push(each);
        how.at?.(each, asked);
      },
      now: () => {},
    },
    silenceMs: 10 * 60_000,
    bin: path.join(plugin, 'bin'),
    allowed: ['git add'],
    commands: ['ask', 'idle loop'],
    takeUp: async () => {},
    endLeftOver: async () => {},
  };
  const kept = new Kept(env, record);
  try {
    const driven = await drive(kept, tools, how.answer ?? null);
    return { driven, said, record: kept.record, waits };
  } finally {
    kept.release();
  }
}

/** Waits are over at once; time also passes while the client hangs. */
function stageClock(stage: Stage, waits: number[]): Clock {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  return {
    now,
    passed: now,
    async wait(left) {
      const most = left();
      waits.push(most);
      ahead += most;
    },
    async beat(ended) {
      const isHung = stage.isHung();
      if (isHung) ahead += 60_000;
      await pause(isHung ? 5 : 100, ended);
    },
  };
}
