// The two ends of every stop, in one shape for all clients. No behaviour here.

/** The agent asks to end its turn: what its client sent. */
export type Stop = {
  /** The client's name in the registry. */
  client: string;
  /** Null: fired by hand. Real clients always send an id. */
  session: string | null;
  /** The user's prompt this turn belongs to, where the client says so. */
  turn: string | null;
  /** As the client sent it; null when it sent none. */
  cwd: string | null;
  transcriptPath: string | null;
  /** The last content block of the agent's last message only (Claude Code and Codex). */
  lastMessage: string | null;
  /** All that was said since the user's prompt, holds included; the prompt as a fingerprint. Left out: it does not say. */
  saidSincePrompt?: { prompt: string; text: string };
  /** The agent may not write in plan mode, so nothing can be asked of it. */
  planMode: boolean;
  /** What the agent left running in the background; the client wakes it when one ends. */
  backgroundTasks: readonly BackgroundTask[];
  /** How many one-shot timers of the session are set. Left out: none, or the client does not say. */
  timers?: number;
  /** The client says that the turn ended by an error or by the user, not by the agent: never held. */
  failed?: true;
  /** Is this turn already one that a hold began? Left out: the client does not say. */
  afterHold?: boolean;
  /** How the client names the end of this turn in its transcript. */
  endMark?: string;
  /** Seconds until the client ends this hook; 0: nobody knows. Absent: fired by hand. */
  limitS?: number;
};

/** `type` is the client's own word: a shell, a subagent. Only a shell has a command line. The agent described both. */
export type BackgroundTask = { id: string; type: string; command?: string; description?: string };

/** What we answer. A notice is a line for the user; the agent never sees it. */
export type Answer =
  | { kind: 'allow'; notice: string | null; suppressOutput: boolean }
  | {
      kind: 'hold';
      reason: string;
      notice: string | null;
      /** It may be said as feedback, where the client knows that beside a block. */
      as?: 'feedback';
    };

/** How an answer leaves the process. Stdout is all or nothing: one JSON object or empty. */
export type Encoded = { stdout: string; stderr: string; exitCode: 0 | 2 };

export const allowSilently: Answer = { kind: 'allow', notice: null, suppressOutput: false };
