// A client that runs without anybody at its terminal: how the driver starts it, what it hears of it, how it ends it
// (types only). A client's own file beside its other ones implements it; the driver names no client.

import type { Environment } from '../store/environment.ts';

/** What `Client.headless.load()` gives. */
export type Headless = {
  /** A session that the driver begins can be given its id beforehand; otherwise SessionStart binds it. */
  choosesSession: boolean;
  /**
   * With `edit` our command is called by its name, which is on its PATH: the client runs a copy of us, whose path no rule
   * of the driver's names, or runs nothing by a path that leads out of the project.
   */
  callsByName?: true;
  /** A session that is gone on with goes on under a new id: SessionStart binds that one, too. */
  forks?: true;
  /** Why nothing keeps it to `edit`, for people; it is driven with `full` alone. Left out: it can be kept to it. */
  noEdit?: string;
  /** Its transcript is there, with a prompt of ours in it, so that the session can be resumed. */
  canResume(session: string, how: { root: string; env: Environment }): boolean;
  start(how: StartHow): HeadlessClient;
};

export type Access = 'edit' | 'full';

export type StartHow = {
  root: string;
  env: Environment;
  /** The id of a new session, where the client lets us choose it. */
  session: string | null;
  /** The session to go on with; null: a new one. */
  resume: string | null;
  prompt: string;
  access: Access;
  /** Command lines that `edit` allows beside editing: our own CLI, trusted checks, a few of git. */
  allowed: readonly string[];
  /** Those of `allowed` that are ours, as they are typed after our name: for a client that has a copy of us. */
  commands: readonly string[];
  model: string | null;
  /** Given after `--`: for the client as they are. */
  args: readonly string[];
};

/** One process of the client, or one row of them where it is started again for each prompt. */
export type HeadlessClient = {
  pid: number;
  /** In the order in which they came; ends with `ended`. */
  events: AsyncIterable<HeadlessEvent>;
  /** Another prompt in the same process. False: it takes none, so it must be started again with `resume`. */
  send(prompt: string): boolean;
  /** Gently, then by force, or by force at once; resolves when nothing of its family is left. Asked for again: faster. */
  end(how?: { atOnce: true }): Promise<void>;
};

export type HeadlessEvent =
  | { kind: 'session'; id: string }
  /** It takes up a prompt. A hold of ours is no event: the turn goes on. */
  | { kind: 'turn' }
  | { kind: 'tool'; name: string }
  /** The client is at it, though nothing came of it yet: a long tool, a hook. */
  | { kind: 'alive' }
  | { kind: 'denied'; what: string }
  /** A turn is over: the client would take another prompt now. Money is cumulative over the session. */
  | { kind: 'result'; ok: boolean; usd: number | null; trouble: Trouble | null }
  | { kind: 'ended'; code: number | null; signal: string | null; trouble: Trouble | null };

/** Why a turn could not go on, in a few words whatever the client calls it. */
export type Trouble = {
  what: 'limit' | 'network' | 'server' | 'context' | 'login' | 'billing' | 'refused' | 'unknown';
  /** Milliseconds; null: nobody knows. */
  resetsAt: number | null;
  /** The client's own words, one line, for people. */
  said: string;
};
