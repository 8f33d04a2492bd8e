// What the plugin has seen of each session, from opencode's events: enough to say what the agent did and said last.

import type { Event, Message, Model, Part, Session } from './opencode.ts';

export type Line =
  | { kind: 'user'; id: string; at: string }
  | { kind: 'text'; id: string; message: string; text: string; at: string }
  | { kind: 'tool'; id: string; tool: string; at: string }
  | { kind: 'tokens'; id: string; tokens: unknown; at: string };

export type Turn = {
  session: string;
  agent: string | undefined;
  model: Model | undefined;
  /** The last text of the last message; null: it ended without a word. */
  lastText: string | null;
  lines: readonly Line[];
  /** How many prompts the session had. */
  prompts: number;
};

export type Happened =
  | { kind: 'began'; session: string }
  /** Somebody has given it a prompt. */
  | { kind: 'prompted'; session: string; lines: readonly Line[] }
  /** The agent has ended its turn; the session is not idle yet. */
  | { kind: 'ended'; turn: Turn }
  /** The session is idle after a turn that the agent itself has ended. */
  | { kind: 'idle'; turn: Turn };

type Memory = {
  lines: Line[];
  users: Set<string>;
  /** Messages that were made of the conversation when it grew too long: the agent has said none of it. */
  summaries: Set<string>;
  agent: string | undefined;
  model: Model | undefined;
  ended: Turn | null;
};

/** More than a turn has; a session may go on for days. */
const MOST_LINES = 2000;

export class Seen {
  readonly #sessions = new Map<string, Memory>();
  /** A subagent's session is nobody's to hold: its end is a tool's result in another one. */
  readonly #children = new Set<string>();

  /** Null: nothing that matters. */
  take({ type, properties }: Event): Happened | null {
    switch (type) {
      case 'session.created':
        return this.#begin(fieldOf<Session>(properties, 'info'));
      case 'session.deleted':
        this.#forget(fieldOf<Session>(properties, 'info'));
        return null;
      case 'message.updated':
        return this.#prompt(fieldOf<Message>(properties, 'info'));
      case 'message.part.updated':
        return this.#part(fieldOf<Part>(properties, 'part'));
      case 'session.idle':
        return this.#idle(fieldOf<string>(properties, 'sessionID'));
    }
    return null;
  }

  /** Somebody has prompted it since. */
  hasGoneOn({ session, prompts }: Turn): boolean {
    return (this.#sessions.get(session)?.users.size ?? 0) > prompts;
  }

  #begin(session: Session | null): Happened | null {
    if (session === null) return null;
    if (session.parentID === undefined) return { kind: 'began', session: session.id };
    this.#children.add(session.id);
    return null;
  }

  #forget(session: Session | null): void {
    if (session === null) return;
    this.#sessions.delete(session.id);
    this.#children.delete(session.id);
  }

  /** A user's message is updated several times. */
  #prompt(message: Message | null): Happened | null {
    if (message === null) return null;
    const memory = this.#memoryOf(message.sessionID);
    if (message.summary === true) memory.summaries.add(message.id);
    if (message.role !== 'user') return null;
    memory.agent = message.agent;
    memory.model = message.model;
    if (memory.users.has(message.id)) return null;
    memory.users.add(message.id);
    memory.ended = null;
    this.#keep(memory, { kind: 'user', id: message.id, at: now() });
    return { kind: 'prompted', session: message.sessionID, lines: memory.lines };
  }

  #part(part: Part | null): Happened | null {
    if (part === null) return null;
    const memory = this.#memoryOf(part.sessionID);
    if (memory.users.has(part.messageID)) return null;
    const { id, messageID: message } = part;
    const isSummary = memory.summaries.has(message);
    if (!isSummary && part.type === 'text' && part.time?.end !== undefined && part.text !== undefined)
      this.#keep(memory, { kind: 'text', id, message, text: part.text, at: now() });
    // One that was denied or failed before it ran moved nothing.
    if (part.type === 'tool' && part.state?.status === 'completed')
      this.#keep(memory, { kind: 'tool', id, tool: part.tool ?? '', at: now() });
    if (part.type !== 'step-finish') return null;
    this.#keep(memory, { kind: 'tokens', id, tokens: part.tokens, at: now() });
    if (part.reason !== 'stop' || isSummary || this.#children.has(part.sessionID)) return null;
    memory.ended = turnOf(part, memory);
    return { kind: 'ended', turn: memory.ended };
  }

  /** After an abort or an error of the API no step has ended by itself. */
  #idle(session: string | null): Happened | null {
    const memory = session === null ? undefined : this.#sessions.get(session);
    const turn = memory?.ended ?? null;
    if (memory === undefined || turn === null) return null;
    memory.ended = null;
    return { kind: 'idle', turn };
  }

  #memoryOf(session: string): Memory {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const memory = {
      ...{ lines: [], users: new Set<string>(), summaries: new Set<string>() },
      ...{ agent: undefined, model: undefined, ended: null },
    };
    this.#sessions.set(session, memory);
    return memory;
  }

  /** A part is updated again and again; what it says last counts, where it stood first. */
  #keep({ lines }: Memory, line: Line): void {
    const known = lines.findLastIndex(({ id }) => id === line.id);
    if (known >= 0) lines[known] = { ...line, at: lines[known]?.at ?? line.at };
    else lines.push(line);
    if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
  }
}

function turnOf({ sessionID, messageID }: Part, { lines, agent, model, users }: Memory): Turn {
  const last = lines.findLast(
    (line) => line.kind === 'text' && line.message === messageID && line.text.trim() !== '',
  );
  const lastText = last?.kind === 'text' ? last.text : null;
  return { session: sessionID, agent, model, lastText, lines: [...lines], prompts: users.size };
}

function fieldOf<T>(properties: unknown, name: string): T | null {
  if (typeof properties !== 'object' || properties === null) return null;
  return ((properties as Record<string, unknown>)[name] as T | undefined) ?? null;
}

const now = (): string => new Date().toISOString();
