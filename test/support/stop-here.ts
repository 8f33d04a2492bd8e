// A stop that is answered in the test's own process: the toys of `test/toy` in a bare project, and what the engine is
// given from outside, all of which a test may change.

import type { Answer, Stop } from '../../src/clients/stop.ts';
import type { Runtime, StopContext } from '../../src/engine/context.ts';
import type { Project } from '../../src/engine/project.ts';
import { type Answered, answerStop } from '../../src/engine/stop/answer.ts';
import type { AnyWorkflow } from '../../src/engine/workflow.ts';
import type { Reviewer } from '../../src/reviewers/reviewer.ts';
import { ensureHome } from '../../src/store/home.ts';
import { journalFromEnd } from '../../src/store/journal.ts';
import { bind } from '../../src/store/sidecars.ts';
import type { ToyState } from '../toy/decide.ts';
import { registry } from '../toy/registry.ts';
import { contextIn, writeIn } from './bare-project.ts';

export const SESSION = 'session-1';

export function runtimeIn(project: Project, over: Partial<Runtime> = {}): Runtime {
  return {
    registry,
    findReviewer: async (name) => {
      throw new Error(`no reviewer ${name}`);
    },
    ...{ env: project.env, cwd: project.root, now: project.now, cli: project.cli, lockPatienceMs: 2000 },
    whenAskedToEnd: () => {},
    ...over,
  };
}

export function stopOf(project: Project, stop: Partial<Stop> = {}): Stop {
  return contextIn(project, '', { stop: { session: SESSION, ...stop } }).stop;
}

export function stoppedIn(
  project: Project,
  stop: Partial<Stop> = {},
  runtime: Partial<Runtime> = {},
): StopContext {
  return {
    stop: stopOf(project, stop),
    project,
    runtime: runtimeIn(project, runtime),
    decidedOn: new Map(),
  };
}

/** What is answered, with nothing else about it. */
export async function answerIn(
  project: Project,
  stop: Partial<Stop> = {},
  runtime: Partial<Runtime> = {},
): Promise<Answer> {
  return (await answeredIn(project, stop, runtime)).answer;
}

export function answeredIn(
  project: Project,
  stop: Partial<Stop> = {},
  runtime: Partial<Runtime> = {},
): Promise<Answered> {
  return answerStop(stopOf(project, stop), runtimeIn(project, runtime));
}

/** Puts a toy there, as its start does; `null`: no session's. */
export function putToy(
  project: Project,
  name: string,
  state: Partial<ToyState & { note: string }> = {},
  session: string | null = SESSION,
): void {
  const [toy, id] = name.split(':');
  const whole = { phase: 'working', left: 10, reviews: 0, note: 'a note', ...state };
  writeIn(project, `.${toy}/${id}.json`, `${JSON.stringify(whole)}\n`);
  ensureHome(project.root);
  bind(project.root, name, session === null ? [] : [session]);
}

/** The toys with one of them changed. */
export function toysWith(over: Partial<AnyWorkflow>, name: 'toy' | 'toy2' = 'toy'): Runtime['registry'] {
  return registry.map((entry) =>
    entry.name === name ? { ...entry, load: async () => ({ ...(await entry.load()), ...over }) } : entry,
  );
}

export type Script = {
  /** In sh; `$1` is the review file. Its verdict is what it prints: PASS or FAIL. */
  does: string;
  reads?: Partial<Reviewer>;
};

/** A reviewer for every name. */
export function reviewing({ does, reads }: Script): Pick<Runtime, 'findReviewer'> {
  const reviewer: Reviewer = {
    name: 'critic',
    call: ({ file }) => ({ program: 'sh', args: ['-c', does, 'critic', file], env: {} }),
    readVerdict(stdout, code) {
      if (code !== null && code !== 0) return 'failed';
      return stdout.startsWith('PASS') ? 'clean' : stdout.startsWith('FAIL') ? 'findings' : 'none';
    },
    ...reads,
  };
  return { findReviewer: async () => reviewer };
}

/** The journal, the oldest line first. */
export function journalIn(project: Project): Readonly<Record<string, unknown>>[] {
  return [...journalFromEnd(project.root)].reverse().map((line) => ({ ...line }));
}

/** The whole text of a toy's hold. */
export const heldBy = (text: string): string =>
  `${text}\n\nIf you cannot go on without a decision of the user: \`holdfast ask "<question>"\`, then end your turn.`;
