// A driver with everything it works with in the test's own process: a real project and record, a clock that the test
// sets, a run that stands as the test says, and a client that does what a script says. No process is started.

import type { Headless, HeadlessClient, HeadlessEvent, StartHow } from '../../src/clients/headless.ts';
import { clientNamed } from '../../src/clients/index.ts';
import { Bell } from '../../src/driver/clock.ts';
import { type Driven, drive } from '../../src/driver/drive.ts';
import { Kept } from '../../src/driver/kept.ts';
import type { DriveOptions, DriverRecord } from '../../src/driver/record.ts';
import type { Said } from '../../src/driver/report.ts';
import type { Tools } from '../../src/driver/tools.ts';
import type { DrivenStand } from '../../src/engine/driven.ts';
import type { Project } from '../../src/engine/project.ts';
import type { WorkflowCli } from '../../src/engine/workflow-cli.ts';
import { ensureHome } from '../../src/store/home.ts';
import { journalFromEnd } from '../../src/store/journal.ts';
import type { DriveEntry } from '../../src/store/journal-lines.ts';
import { newSidecar, type Sidecar } from '../../src/store/records.ts';
import { writeSidecar } from '../../src/store/sidecars.ts';
import { newRecord } from '../driver/records.ts';
import { bareProject, NOW } from './bare-project.ts';

export { NOW };
export const RUN = 'idle:a';
export const SESSION = 'session-1';

/** What a client does about one prompt: it says something, or something happens. */
export type Turn = readonly (HeadlessEvent | (() => void))[];

export const TURN: HeadlessEvent = { kind: 'turn' };
export const TOOL: HeadlessEvent = { kind: 'tool', name: 'Write' };
export const RESULT: HeadlessEvent = { kind: 'result', ok: true, usd: null, trouble: null };
export const ENDED: HeadlessEvent = { kind: 'ended', code: 1, signal: null, trouble: null };

/** A loop that goes wrong must end. */
const MOST_BEATS = 200;

export type Scene = {
  project: Project;
  /** How the run stands. */
  run: { live: boolean; stage: string; stands: DrivenStand; isThere: boolean };
  tools: Tools;
  asked: Bell;
  said: Said[];
  /** What the line shows that is drawn again and again. */
  shown: unknown[];
  /** What the client was started with. */
  starts: StartHow[];
  /** Prompts, ends and waits, in their order. */
  done: string[];
  now(): number;
  /** So many milliseconds; beside that, time passes only where the client is silent. */
  passes(ms: number): void;
  /** The machine's clock was ahead by so much. */
  setsClockBack(ms: number): void;
  /** The client goes on by itself. */
  says(turn: Turn): void;
  /** The driver's own lines, the oldest first. */
  journal(): DriveEntry[];
};

export type SceneHow = {
  /** For each prompt in its order; one that has none is silent. */
  script?: readonly Turn[];
  headless?: Partial<Headless>;
  /** Does it take a further prompt? */
  takesPrompts?: boolean;
  sidecar?: Partial<Sidecar>;
  /** While the driver waits; left out: the wait is over at once. Answers with the time that it is then. */
  whileWaiting?(scene: Scene, until: number): number;
  tools?: Partial<Tools>;
};

export function driverScene(how: SceneHow = {}): Scene {
  const { script = [], takesPrompts = true, whileWaiting = (_, until) => until } = how;
  const project = bareProject(NOW);
  ensureHome(project.root);
  if (how.sidecar !== undefined) writeSidecar(project.root, { ...newSidecar(RUN), ...how.sidecar });
  let now = NOW;
  let setBack = 0;
  let beats = 0;
  const turns = [...script];
  let words = wordsOf();
  const clientFor = (): HeadlessClient => {
    words = wordsOf();
    const { events, push } = words;
    push(turns.shift() ?? []);
    return {
      ...{ pid: 0, events },
      send(prompt) {
        scene.done.push(`${takesPrompts ? 'sent' : 'refused'}: ${prompt}`);
        if (takesPrompts) push(turns.shift() ?? []);
        return takesPrompts;
      },
      async end() {
        scene.done.push('ended');
      },
    };
  };
  const scene: Scene = {
    project,
    run: { live: true, stage: 'iteration 1/4', stands: { kind: 'active' }, isThere: true },
    asked: new Bell(),
    ...{ said: [], shown: [], starts: [], done: [] },
    now: () => now,
    passes: (ms) => {
      now += ms;
    },
    setsClockBack: (ms) => {
      now -= ms;
      setBack += ms;
    },
    says: (turn) => words.push(turn),
    journal: () =>
      [...journalFromEnd(project.root)].flatMap((entry) => (entry.event === 'drive' ? entry : [])).reverse(),
    tools: {
      env: project.env,
      client: clientNamed('claude-code'),
      headless: {
        choosesSession: true,
        canResume: () => false,
        ...how.headless,
        start(start) {
          scene.starts.push(start);
          scene.done.push(`started: ${start.prompt}`);
          return clientFor();
        },
      },
      cli: commandsOf(() => scene.run),
      project: () => ({ ...project, now }),
      clock: {
        now: () => now,
        passed: () => now + setBack,
        async wait(left) {
          const most = left();
          scene.done.push(`waited: ${most / 1000}s`);
          now = whileWaiting(scene, now + most);
          await new Promise(setImmediate);
        },
        async beat() {
          if (beats++ > MOST_BEATS) throw new Error('it does not end');
          if (words.isQuiet()) now += 60_000;
          await new Promise(setImmediate);
        },
      },
      report: {
        say: (each) => void scene.said.push(each),
        now: (status) => void scene.shown.push(status),
      },
      get asked() {
        return scene.asked;
      },
      silenceMs: 10 * 60_000,
      bin: '/opt/holdfast/bin',
      allowed: ['git add'],
      commands: ['ask', 'why'],
      takeUp: async (session) => void scene.done.push(`taken up for ${session}`),
      endLeftOver: async ({ pid }) => void scene.done.push(`left over: ${pid}`),
      ...how.tools,
    },
  };
  return scene;
}

export type Drove = { driven: Driven; record: DriverRecord };

export function recordIn(
  { project: { root } }: Scene,
  given: Partial<DriverRecord> = {},
  options: Partial<DriveOptions> = {},
): DriverRecord {
  return newRecord({ root, run: RUN, session: SESSION, startedAt: NOW - 1000, ...given }, options);
}

export async function driven(
  scene: Scene,
  record: DriverRecord = recordIn(scene),
  answer?: string,
): Promise<Drove> {
  const kept = new Kept(scene.tools.env, record);
  try {
    return { driven: await drive(kept, scene.tools, answer), record: kept.record };
  } finally {
    kept.release();
  }
}

/** The commands of a workflow with this run and another one, as far as a driver asks them. */
function commandsOf(run: () => Scene['run']): WorkflowCli {
  const commands: Pick<WorkflowCli, 'runs' | 'driven'> = {
    runs: () => {
      const { live, stage, isThere } = run();
      const ours = isThere ? [{ run: 'a', live, stage, detail: {} }] : [];
      return [{ run: 'b', live: true, stage: 'of another', detail: {} }, ...ours];
    },
    driven: { stands: () => run().stands },
  };
  return commands as WorkflowCli;
}

/** What happens does so when all words before it were heard. `isQuiet`: nothing is to come. */
function wordsOf(): { events: AsyncIterable<HeadlessEvent>; push(turn: Turn): void; isQuiet(): boolean } {
  const waiting: (HeadlessEvent | (() => void))[] = [];
  let wake = (): void => {};
  async function* events(): AsyncGenerator<HeadlessEvent> {
    for (;;) {
      const [next] = waiting;
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (typeof next === 'function') {
        for (let step = 0; step < 3; step++) await new Promise(setImmediate);
        next();
      } else yield next;
      waiting.shift();
    }
  }
  return {
    events: events(),
    push(turn) {
      waiting.push(...turn);
      wake();
    },
    isQuiet: () => waiting.length === 0,
  };
}
