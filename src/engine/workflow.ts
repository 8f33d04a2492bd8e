// What a workflow is to the engine. The engine knows no workflow by name: it drives this interface.
// A stop goes through it in this order: observe, decide, (look, decide), (prove, decide), (review, decide), commit, say.
// The parts with a question mark are for workflows that need them.

import type { GuardDefaults } from '../config/config.ts';
import type { Environment } from '../store/environment.ts';
import type { Json, JsonObject } from '../store/json.ts';
import type { Write } from '../store/writes.ts';
import type { ChangesWanted } from './changes/types.ts';
import type { RunContext } from './context.ts';
import type { Project } from './project.ts';
import type { EngineFacts, Message, ReviewRequest, Step } from './step.ts';
import type { WorkflowCli } from './workflow-cli.ts';

/**
 * `World` is what the workflow read from disk, contents included; it never leaves the process.
 * `State` and `Facts` are what a decision depends on: derived values and fingerprints, fit for the journal.
 * `Change` is what a decision wants written, as data.
 */
export interface Workflow<World, State extends Json, Facts extends JsonObject, Change extends Json> {
  readonly name: string;
  readonly guard: GuardDefaults;
  /** It claims that work is done, so that checks may be asked: only then anything of proof is looked for. */
  readonly claims?: true;
  /** It may leave the turn to a person: only then it learns whether they have begun one. */
  readonly pauses?: true;
  /** The workflow's own off-switch, looked at before anything else of it. */
  disabled(env: Environment): boolean;
  /** The run a hand-fired stop acts on. */
  newestRun(project: Project): string | null;
  /** Runs that want something of somebody, whoever it is. Called rarely; may read every state. */
  unfinishedRuns(project: Project): readonly UnfinishedRun[];
  /** What looks like a run there and is not served, at the stops at which `unfinishedRuns` is asked. */
  unusedRuns?(project: Project): Promise<readonly UnfinishedRun[]>;
  /** Puts away what lies among the runs and is none. Under the lock, at the stops at which `unfinishedRuns` is asked. */
  putAway?(project: Project): void;
  /** Reads everything a decision depends on, under the lock. Null: the run is gone. */
  observe(context: RunContext): Observation<World, State, Facts> | null;
  /** Pure: no clock, no disk, no random. */
  decide(state: State, facts: Facts & EngineFacts): Step<Change>;
  /** Fetches one costly fact outside the lock. */
  look?(at: string, context: RunContext, world: World): Promise<Partial<Facts>>;
  /** Turns a change into writes. The state comes last, so that a crash before it changes nothing. */
  commit(change: Change, world: World, context: RunContext): Commit;
  /** Files whose change by anyone but the hook is progress. */
  artifacts(world: World, context: RunContext): readonly string[];
  /** The text of a message, with the contents a step may not carry. */
  say(message: Message, world: World, context: RunContext): string;
  /**
   * The same message for an agent that was given all of it before: `task` is what it leaves out. Null, or left out: it
   * is always said whole.
   */
  sayAgain?(message: Message, world: World, context: RunContext): { text: string; task: string } | null;
  /** What is outstanding and how to go on, said once when the guard lets go. `holds`: after how many in a row, in words. */
  released(state: State, context: RunContext, holds: string): Message;
  /** How to run a review that decide asked for. */
  reviewCall?(request: ReviewRequest, world: World, context: RunContext, facts: Facts): ReviewCall;
  /** Does a hold with this change ask the agent to have a review run? Then a budget of reviews is about it. Pure. */
  asksForReview?(change: Change): boolean;
  /** The run is passed by at this stop: a signal in it that must not be lost. Null: none was given. Without the lock. */
  signalGiven?(context: RunContext): Promise<GivenSignal | null> | GivenSignal | null;
  /** The workflow's part of the sidecar with such a signal in it, until the next commit. Pure. */
  keepSignal?(saved: Json | undefined, signal: string): Json;
  /**
   * The run as its files have it, so that it can be put back when a check takes them along. Left out: our notes on it
   * are all that is put back. Under the lock.
   */
  inFiles?(context: Pick<RunContext, 'project' | 'run' | 'saved'>): Promise<InFiles> | InFiles;
  /** The client is about to compact the conversation: what to write down so that the goal survives. Under the lock. */
  beforeCompaction?(context: RunContext): Promise<Commit | null> | Commit | null;
  /** The conversation was compacted: what to give back to the agent as context. */
  afterCompaction?(context: RunContext): Promise<string | null> | string | null;
}

/** The part of a workflow that the guard asks about. */
export type GuardedWorkflow = { readonly name: string; readonly guard: GuardDefaults };

/** A signal as one short word that also says which state it is about: for any other it counts nothing. */
export type GivenSignal = {
  word: string;
  /** Fingerprint of that state. */
  state: string;
};

export type Observation<World, State, Facts> = {
  world: World;
  state: State;
  facts: Facts;
  /** Fingerprint of the state as it stands on disk. */
  stateHash: string;
  /**
   * Fingerprint of what a review's verdict speaks of. Only an edit of that overtakes a review that runs; whatever else
   * was edited stands beside the verdict. Left out: the whole state.
   */
  subject?: string;
  /** The state is there but cannot be understood, as in the middle of an edit: a verdict waits until it can be. */
  unreadable?: true;
};

export type Commit = {
  writes: readonly Write[];
  /** Fingerprint the state will have. */
  stateHash: string;
  /** The workflow's own part of the sidecar from now on. */
  saved: Json | undefined;
  /** Real path of the folder the writes may not leave, where that is not the project's root. */
  within?: string;
  /** For the user: what was found while the writes were made up. */
  notice?: string;
};

export type ReviewCall = {
  prompt: string;
  /** Absolute path of the review file. */
  file: string;
  /** Where the reviewer's stderr is kept after a failure. */
  log: string;
  /** Folders, also outside the project, that the reviewer must be able to read. */
  reads?: readonly string[];
  /** The changes that it is about: made into a file just before the reviewer starts, and named in the prompt. */
  changes?: ChangesWanted;
  /** However much the settings allow: what it is asked may have come with a repository. */
  sandboxed?: true;
  /** Loads what the next step will need. A review takes minutes, and an upgrade meanwhile removes our files. */
  loadFirst?(): Promise<unknown>;
};

export type UnfinishedRun = {
  run: string;
  /** The command that makes the run this session's. */
  adopt: string;
  /** It cannot be served: why, and what to do about it. */
  unused?: string;
};

export type InFiles =
  /** `writes` put it back where its files are gone, the state last. */
  | {
      kind: 'live';
      writes: readonly Extract<Write, { path: string; kind: 'replace' | 'append' }>[];
      within?: string;
    }
  /** Nothing of its state is there. */
  | { kind: 'gone' }
  /** It has ended, or another run is in its place. */
  | { kind: 'over' };

/** A workflow whose types nobody else needs to know. */
export type AnyWorkflow = Workflow<unknown, Json, JsonObject, Json>;

/** Checks a workflow's types against each other, and hides them. */
export function defineWorkflow<World, State extends Json, Facts extends JsonObject, Change extends Json>(
  workflow: Workflow<World, State, Facts, Change>,
): AnyWorkflow {
  return workflow;
}

/** One line per workflow, in the order of precedence. Loading one is left until a stop needs it. */
export type RegistryEntry = {
  name: string;
  /** What it does, for the clients' lists of plugins. */
  description: string;
  /** The skill that begins a run. */
  begin: string;
  /** Files or folders, relative to a project, that say that this workflow may have runs there. */
  traces: readonly string[];
  /** A variable by which the user moves this workflow's files out of the project. Where it is set, traces say nothing. */
  movedBy?: string;
  /** For the hook. */
  load(): Promise<AnyWorkflow>;
  /** For the command line. */
  cli(): Promise<WorkflowCli>;
  /** For a status line, which is asked for every second: its runs that go on, the newest first. Left out: none is shown. */
  short?(): Promise<(project: Project) => readonly ShortRun[]>;
};

/** `stands`: where, in a few letters: `3/10`. */
export type ShortRun = { run: string; stands: string };
