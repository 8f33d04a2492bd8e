// What a workflow is to the engine. The engine knows no workflow by name: it drives this interface.
// A stop goes through it in this order: observe, decide, (look, decide), (review, decide), commit, say.

import type { Stop } from '../clients/stop.ts';
import type { GuardDefaults } from '../config/config.ts';
import type { Environment } from '../store/environment.ts';
import type { Json, JsonObject } from '../store/json.ts';
import type { Write } from '../store/writes.ts';
import type { Project } from './project.ts';
import type { Message, ReviewOutcome, ReviewRequest, Step } from './step.ts';

/**
 * `World` is what the workflow read from disk, contents included; it never leaves the process.
 * `State` and `Facts` are what a decision depends on: derived values and fingerprints, fit for the journal.
 * `Change` is what a decision wants written, as data.
 */
export interface Workflow<World, State extends Json, Facts extends JsonObject, Change extends Json> {
  readonly name: string;
  readonly guard: GuardDefaults;
  /** The workflow's own off-switch, looked at before anything else of it. */
  disabled(env: Environment): boolean;
  /** The run a hand-fired stop acts on. */
  newest(project: Project): string | null;
  /** Runs that want something of somebody, whoever it is. Called rarely; may read every state. */
  live(project: Project): readonly LiveRun[];
  /** Puts away what lies among the runs and is none. Under the lock, at the stops at which `live` is asked. */
  putAway?(project: Project): void;
  /** Reads everything a decision depends on, under the lock. Null: the run is gone. */
  observe(scene: Scene): Observation<World, State, Facts> | null;
  /** Pure: no clock, no disk, no random. */
  decide(state: State, facts: Facts & ReviewOutcome): Step<Change>;
  /** Fetches one costly fact outside the lock. */
  look(at: string, scene: Scene, world: World): Promise<Partial<Facts>>;
  /** Turns a change into writes. The state comes last, so that a crash before it changes nothing. */
  commit(change: Change, world: World, scene: Scene): Commit;
  /** Files whose change by anyone but the hook is progress. */
  artifacts(world: World, scene: Scene): readonly string[];
  /** The text of a message, with the contents a step may not carry. */
  say(message: Message, world: World, scene: Scene): string;
  /** What is outstanding and how to go on, said once when the guard lets go. */
  released(state: State, scene: Scene): Message;
  /** How to run a review that decide asked for. Workflows that never ask throw. */
  reviewCall(request: ReviewRequest, world: World, scene: Scene, facts: Facts): ReviewCall;
  /** The run is passed by at this stop: what must not be forgotten of it. Null: nothing. Without the lock. */
  hear?(scene: Scene): Promise<Overheard | null> | Overheard | null;
  /** The workflow's own part of the sidecar with such a word in it, until the next commit. Pure. */
  remember?(own: Json | undefined, word: string): Json;
  /** The client is about to compact the conversation: what to write down so that the goal survives. Under the lock. */
  beforeCompaction?(scene: Scene): Promise<Commit | null> | Commit | null;
  /** The conversation was compacted: what to give back to the agent as context. */
  afterCompaction?(scene: Scene): Promise<string | null> | string | null;
}

/** The part of a workflow that the guard asks about. */
export type GuardedWorkflow = { readonly name: string; readonly guard: GuardDefaults };

/** One short word that also says which state it is about: for any other it counts nothing. */
export type Overheard = {
  word: string;
  /** Fingerprint of that state. */
  state: string;
};

/** One stop as a workflow sees it. */
export type Scene = {
  project: Project;
  run: string;
  stop: Stop;
  /** The workflow's own part of the run's sidecar, as it was last committed. Outside data: parse it. */
  own: Json | undefined;
  /** Words of earlier stops that could not be remembered in `own`, in no order. Outside data too. */
  kept?: readonly string[];
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
  own: Json | undefined;
  /** Real path of the folder the writes may not leave, where that is not the project's root. */
  within?: string;
};

export type ReviewCall = {
  prompt: string;
  /** Absolute path of the review file. */
  file: string;
  /** Where the reviewer's stderr is kept after a failure. */
  log: string;
  /** Folders outside the project that the reviewer must be able to read. */
  reads?: readonly string[];
};

export type LiveRun = {
  run: string;
  /** The command that makes the run this session's. */
  adopt: string;
};

/** A workflow whose types nobody else needs to know: ask it to hand itself to a generic function. */
export type AnyWorkflow = {
  readonly name: string;
  use<Result>(
    visit: <W, S extends Json, F extends JsonObject, C extends Json>(
      workflow: Workflow<W, S, F, C>,
    ) => Result,
  ): Result;
};

export function defineWorkflow<W, S extends Json, F extends JsonObject, C extends Json>(
  workflow: Workflow<W, S, F, C>,
): AnyWorkflow {
  return { name: workflow.name, use: (visit) => visit(workflow) };
}
