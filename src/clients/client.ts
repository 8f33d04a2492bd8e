// What a client adapter is. One file per client implements it; index.ts lists them.

import type { Answer, ClientName, Encoded, Stop } from './stop.ts';

/** A stop payload: a JSON object of which nothing else is certain. */
export type Payload = Readonly<Record<string, unknown>>;

export type Client = {
  name: ClientName;
  /** As its users call it. */
  title: string;
  /** Variables that carry the session's id into the agent's own shell, equal to the hook's `session_id`. */
  sessionVariables: readonly string[];
  /** What tells the agent's shell, as `NAME=value`, where no variable carries the session's id. */
  shellMark?: string;
  /** A variable in the agent's shell that holds the client's own process id. */
  pidVariable?: string;
  /** Does this payload look like what the client sends? At most one client says yes to a payload. */
  recognises(payload: Payload): boolean;
  decode(payload: Payload): Stop;
  encode(answer: Answer): Encoded;
  /** What one line of the client's transcript says, or null when it says nothing we can read. */
  readTranscriptLine(line: string): TranscriptLine | null;
  /**
   * Set where a stop is only served after the agent's last message was read: from the payload, or else from the
   * transcript. `lags`: the message may come into the transcript after the hook has started.
   */
  mustBeHeard?: { lags: boolean };
  /** How many seconds the client lets the hook run; `told` is what its packaging says. Null: nobody knows. */
  hookLimit(told: number | null): number | null;
};

export type TranscriptLine = {
  /** Recognises this very line at a later stop. */
  marker: string;
  /** Proof that the agent worked: it called a tool (bookkeeping tools do not count). */
  toolCall: boolean;
  /** A prompt of the user, or our own hold: what the agent said before it belongs to an earlier answer. */
  startsTurn: boolean;
  /** Text the agent wrote, with the id its blocks share; null for every other line. `blocks`: where it is several. */
  said: { messageId: string; text: string; blocks?: readonly string[] } | null;
  /** Equal to a stop's `endMark`: with this line the transcript has caught up with that stop. */
  endMark?: string;
  /** The client's own error stands here in place of an answer. */
  failed?: true;
};
