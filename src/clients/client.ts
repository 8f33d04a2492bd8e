// What a client adapter is. One file per client implements it; index.ts lists them.

import type { Environment } from '../store/environment.ts';
import type { Headless } from './headless.ts';
import type { Installer } from './installer.ts';
import type { SessionSandbox } from './sandbox.ts';
import type { Answer, Encoded, Stop } from './stop.ts';
import type { UsageReader } from './usage.ts';
import type { WorkReader } from './work.ts';

/** A stop payload: a JSON object of which nothing else is certain. */
export type Payload = Readonly<Record<string, unknown>>;

export type Client = {
  name: string;
  /** As its users call it. */
  title: string;
  /** Variables that carry the session's id into the agent's own shell, equal to the hook's `session_id`. */
  sessionVariables: readonly string[];
  /** What tells the agent's shell, as `NAME=value`, where no variable carries the session's id. */
  shellMark?: string;
  /** A variable in the agent's shell that holds the client's own process id. */
  pidVariable?: string;
  /** A variable in the hook's environment that holds the folder the client was started in. */
  startVariable?: string;
  /** Variables that let whoever has them speak to the client: no program that we start gets them. */
  secretVariables?: readonly string[];
  /** Further variables that it puts into the hook's environment, and that are not the user's own. */
  hookVariables?: readonly string[];
  /** That folder for the session which `env` names, from what the client writes down. For commands. */
  startFolder?(env: Environment): string | null;
  /** Does this payload look like what the client sends? At most one client says yes to a payload. */
  recognises(payload: Payload): boolean;
  decode(payload: Payload): Stop;
  /** Versions of a client differ in what they take, so the stop that is answered comes along. */
  encode(answer: Answer, stop: Stop, env: Environment): Encoded;
  /** What one line of the client's transcript says, or null when it says nothing we can read. */
  readTranscriptLine: LineReader;
  /**
   * Set where a stop is only served after the agent's last message was read: from the payload, or else from the
   * transcript. `lags`: the message may come into the transcript after the hook has started. `skipsTurns`: the client may
   * take a hold without asking its model, so that one after which the transcript has nothing new is not repeated.
   */
  mustBeHeard?: { lags: boolean; skipsTurns?: true };
  /** Its transcript says when a conversation was compacted: what a hold said before that is known to be lost. */
  marksCompaction?: true;
  /** It shows a hook's messages to nobody: they go to the agent, who passes them on. */
  hidesNotices?: true;
  /** It takes what is for the agent at a session's start beside everything else, not in an object of its own. */
  contextOnTop?: true;
  /** Left out: it honours as many holds as we like. */
  holdsPerPrompt?: HoldsPerPrompt;
  /** How many seconds the client lets the hook run; `passed` is what its packaging says. Null: nobody knows. */
  hookLimit(passed: number | null): number | null;
  /**
   * What becomes of a command that takes minutes. `wakes`: it runs in the background, and its end wakes the agent.
   * `sandboxed`: it needs permission to reach the network, and a shell call may end before it. Left out: nobody knows.
   */
  longCommands?: 'wakes' | 'sandboxed';
  /**
   * The sandbox that this session's commands run in, so that no check of ours has more rights than its agent. Left
   * out: nobody knows of one. Asked at a claim only, so what it needs is loaded lazily.
   */
  sandbox?(stop: Stop, env: Environment, root: string): Promise<SessionSandbox>;
  /**
   * What runs in the background and wakes the agent when it ends, in a few words each, for people. Left out: nothing
   * wakes it.
   */
  wakesFor?(stop: Stop, env: Environment): readonly string[];
  /**
   * How many tokens its sessions use, from what it writes down. Left out: it does not tell. Asked where a budget of
   * tokens is set alone, so what it needs is loaded lazily.
   */
  usage?(): Promise<UsageReader>;
  /**
   * When its agent worked, from its transcript. Left out: what is known of a line says it. Asked where a run has a budget
   * alone, so what it needs is loaded lazily.
   */
  work?(): Promise<WorkReader>;
  /** Left out: it has no way to install plugins that we know. */
  install?: {
    /** Its program on PATH, which is also its word for `--client`. */
    program: string;
    /** It can install for one project, not only for all of a user's. */
    projectScope: boolean;
    /** It runs no hook before the user has trusted it; `--trust` records that. */
    asksForTrust: boolean;
    /** For commands: the hook never loads it. */
    load(): Promise<Installer>;
  };
  /** What a user types before a skill's name. Left out: a slash. */
  skillMark?: string;
  /** How `holdfast run` drives it. Left out: it cannot. For commands: the hook never loads it. */
  headless?: {
    program: string;
    /** What a user writes, and where, so that what was denied is allowed. Left out: only `--access full` does it. */
    allows?(denied: string): string;
    load(): Promise<Headless>;
  };
};

/** After so many it ends the turn itself, whatever the agent did in between; the next prompt begins a new row. */
export type HoldsPerPrompt = {
  most(env: Environment): number;
  /** How a user has it honour more, as a sentence. */
  more?: string;
};

export type LineReader = (line: string) => TranscriptLine | null;

/** A client's file. One whose transcript nobody knows says nothing of it: its lines are tried as those of the others. */
export type ClientEntry = Omit<Client, 'readTranscriptLine'> & { readTranscriptLine?: LineReader };

export type TurnOrigin = 'person' | 'hook' | 'background';

export type TranscriptLine = {
  /** Recognises this very line at a later stop. */
  marker: string;
  /** Proof that the agent worked: it called a tool (bookkeeping tools do not count). */
  toolCall: boolean;
  /** A prompt of the user, or our own hold: what the agent said before it belongs to an earlier answer. */
  startsTurn: boolean;
  /** The conversation up to here was cut down to a summary: the agent has lost what it was told before. */
  compacted?: true;
  /** Who began that turn, where the client tells: a person, our hold, or something in the background that ended. */
  startedBy?: TurnOrigin;
  /** Text the agent wrote, with the id its blocks share; null for every other line. `blocks`: where it is several. */
  said: { messageId: string; text: string; blocks?: readonly string[] } | null;
  /** Equal to a stop's `endMark`: with this line the transcript has caught up with that stop. */
  endMark?: string;
  /** The client's own error stands here in place of an answer. */
  failed?: true;
  /** What that error was, where it is one that ends by itself or by a person's doing. */
  limit?: SessionLimit;
  /** Ids of the tool calls in this line, where results name them. */
  calls?: readonly string[];
  /** Ids of the tool calls that the client denied: they moved nothing. */
  denied?: readonly string[];
  /** A tool's output that says whether what it started still runs. Left out: it is no such output. */
  leavesRunning?: boolean;
  /** When the line was written, in milliseconds. */
  at?: number;
};

/** Why a session could not go on. `what` is one of these words, whatever the client calls it. */
export type SessionLimit = {
  what: 'rate_limit' | 'server_error' | 'authentication_failed' | 'billing_error';
  /** Milliseconds; null: nobody knows. */
  resetsAt: number | null;
};
