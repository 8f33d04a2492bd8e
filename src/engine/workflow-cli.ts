// What a workflow offers at the command line: its commands, its runs for `status`, `cancel` and `adopt`,
// and its decision once more for `replay`. Loaded by the CLI only, never by the hook.

import type { ParseArgsConfig } from 'node:util';
import type { FindingCounts } from '../reviewers/findings.ts';
import type { Environment } from '../store/environment.ts';
import type { Outcome } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import type { Demo } from './demo.ts';
import type { Docket } from './docket/types.ts';
import type { Driven } from './driven.ts';
import type { Project } from './project.ts';
import type { CheckFact } from './proof/types.ts';
import type { RecordedStep } from './recorded-step.ts';

export type WorkflowCli = {
  commands: readonly Command[];
  /** All runs of the project, newest first. Unreadable ones are listed too; `detail.unreadable` says why. */
  runs(project: Project): readonly RunSummary[];
  /** A project has one run of it at most: the files of the next one are in the place of the last one's. */
  keepsOne?: true;
  /** The files and folders, absolute, that show which runs there are: `status` and `doctor` say when one is unusable. */
  places?(project: Project): readonly { path: string; kind: 'file' | 'folder' }[];
  /** What is there like a run and cannot be one. */
  unused?(project: Project): readonly UnusedRun[];
  /** Ends a run by hand, under the lock; answers with one line for the user. */
  cancel(project: Project, run: string): string;
  /** The step decide takes on what the journal recorded; null when the record is not of this workflow's shape. */
  redecide(state: unknown, facts: unknown): Json;
  /** A recorded step with the words that earlier versions used replaced by today's, to compare it with the above. */
  inTodaysWords?(step: Json): Json;
  /**
   * Why a recorded step was taken, in a plain sentence or two; null when it has no words for it. `until`: the check that
   * took the place of a signal, and ended what it was asked for.
   */
  explain?(step: RecordedStep, until?: CheckFact | null): string | null;
  /** The state a recorded stop was decided in, as `Shown.state` names it; null: the record is not of its shape. */
  stateOf?(state: unknown): string | null;
  /** What `holdfast run` has to know of it; left out: its runs are only held. */
  driven?: Driven;
  /** The findings of a run, with what no stop has taken up yet; null: it has no docket. */
  docket?(project: Project, run: string): RunDocket | null;
  /** The states of a run whose workflow is written by its users; left out: docs/states.md draws them. */
  diagram?(project: Project, run: string): Diagram | null;
  /** What `holdfast demo` plays for this workflow. */
  demo?(): Promise<Demo>;
};

export type RunDocket = {
  /** Where it lies, as people are shown it. */
  file: string;
  docket: Docket;
};

/** The states that a run can be in, with what people are shown of each, and what leads from one to another. */
export type Diagram = {
  start: string;
  states: Readonly<Record<string, string>>;
  ways: readonly { from: string; to: string; by: string }[];
};

export type RunSummary = {
  run: string;
  live: boolean;
  /** Where it stands, in a few words: `reviewing, round 2 of 3`. */
  stage: string;
  /** How it ended, as its own files say; null or left out: they do not say, or it goes on. */
  ended?: Outcome | null;
  /** The file its state is read from, absolute. */
  file?: string;
  /** What views show of it beside the stage; left out: nothing more is known. Read only when asked for. */
  shown?(): Shown;
  detail: Readonly<Record<string, Json>>;
};

export type Shown = {
  /** The state it is in, as docs/states.md or its own definition names it; null: nobody knows. */
  state: string | null;
  /** `of` null: there is no bound. */
  progress: { unit: 'iteration' | 'round' | 'review' | 'hold'; at: number; of: number | null } | null;
  /** What was asked for; null: it is not on record. */
  asked: string | null;
  /** Milliseconds; null: its files do not say. */
  startedAt: number | null;
  /** Its own files, absolute. */
  files: readonly string[];
  /** Rounds whose reviewer the agent itself runs, which the journal knows nothing of. Left out: there are none. */
  rounds?: readonly ShownRound[];
};

/** `found` null: it was not reviewed, or not yet. */
export type ShownRound = { number: number; found: FindingCounts | null; running: boolean; file: string };

/** `why` follows "is not used: "; `fix` says what to do, with the command. */
export type UnusedRun = { run: string; folder: string; why: string; fix: string };

/** One command of the CLI. */
export type Command = {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What follows the command's name: `[--rounds N] [topic]`. */
  usage: string;
  /** Further lines of help, when a user needs them. */
  help?: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Refused while HOLDFAST_DISABLE=1: a reviewer must not move the run it reviews. */
  writes: boolean;
  /** It starts a run, and prints what the agent is to do: `holdfast run` may call it. */
  starts?: true;
  /** Puts the words as they were typed into the form that is parsed: for a flag whose value may be left out. */
  arrange?(args: readonly string[]): readonly string[];
  /** What comes after its first word may have options of another command: those, and all from `--` on, stay words. */
  passesOn?: true;
  /** How many free words it takes; a topic's words are joined by the command itself. */
  words: { least: number; most: number };
  run(call: Call): Promise<ExitCode> | ExitCode;
};

/** 0 done, 1 refused or failed, 2 wrong usage; 3 is kept for our own bugs. 75: still running. */
export type ExitCode = number;

export type Call = {
  flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  words: readonly string[];
  /** Options that stood among the words of a text, as they were typed. Left out: none did. */
  amongWords?: readonly string[] | undefined;
  /** What a start prints is handed on to an agent: no client is around a driver's call. */
  forAgent?: true;
  env: Environment;
  cwd: string;
  now: number;
  /** All of standard input; empty at a terminal. */
  stdin(): string;
  /** A line on standard output. */
  print(line: string): void;
  /** The project whose run files are nearest; null when there is none on the way up. */
  existing(): Promise<Project | null>;
  /** The project a new run would go to. */
  forNewRun(): Promise<Project>;
};

// Distinguished by name, not by class: each chunk of the bundle has its own copy of the class.

/** The command was used wrongly (exit 2): the message says what was wrong and what is right. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The command understood but will not (exit 1): what is in the way, and what to do. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}
