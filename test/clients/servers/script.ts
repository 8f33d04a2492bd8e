// The language of the scripted model, the same for both APIs: what it says and does, reply by reply, and
// what it hears. Nothing here knows a wire format.

/** One reply of the model: text, then at most one thing it does. A reply that does nothing ends the turn. */
export type Reply = {
  /** Several strings are several text blocks of one message. */
  say?: string | readonly string[];
  /** A shell command. */
  run?: string;
  /** The command goes on while the agent does. Claude Code wakes the agent when it ends, Codex does not. */
  background?: boolean;
  write?: { file: string; text: string };
  /** A tool of the client that has no word of its own here; some of Codex's stand in a namespace. */
  call?: { tool: string; namespace?: string; input: object };
  /** A reviewer's structured verdict, and what it lists beside it. */
  verdict?: string;
  findings?: readonly object[];
  /** Text blocks after what it does, in the same message. */
  afterwards?: string;
  /** The API's own failure instead of an answer. */
  fails?: Failure;
  /** Thinks for so long before it answers. */
  afterMs?: number;
  /** No answer at all until the client gives up. */
  hangs?: true;
  /** Tokens the conversation pretends to hold; large ones make a client compact it. */
  tokens?: number;
};

/**
 * `headers` and `details`: what else the API says of it, such as when a limit resets. With the status 200 the answer was
 * begun and failed then (Responses API).
 */
export type Failure = {
  status: number;
  type: string;
  message: string;
  headers?: Record<string, string>;
  details?: object;
};

/** A reply, or one made from what the model hears at that moment. */
export type Line = Reply | ((heard: Heard) => Reply);

/** What a request to the model says, whichever API it came through. */
export type Heard = {
  part: string;
  model: string;
  /** The client's own id of the conversation. */
  session: string;
  /** Everything said before the model's first reply. */
  opening: string;
  /** What is new since the model's last reply: a prompt, a tool's output, a hold. */
  last: string;
  /** The reasons with which a Stop hook held this conversation, oldest first. */
  holds: readonly string[];
  tools: readonly string[];
  /** The whole request as text, for what no other field holds. */
  whole: string;
};

/** Someone who talks to the model: the agent, a reviewer, a second session. */
export type Part = {
  name: string;
  /** Is this request theirs? Without a test: whatever is nobody else's. */
  hears?: (heard: Heard) => boolean;
  lines: readonly Line[];
};

/** What a reviewer answers in the form it was asked for. */
export function structuredAnswer({ verdict, findings }: Reply): object {
  return { verdict, ...(findings === undefined ? {} : { findings }) };
}

export const say = (...blocks: string[]): Reply => ({ say: blocks });
export const run = (command: string): Reply => ({ say: 'Running a command.', run: command });
export const write = (file: string, text: string): Reply => ({
  say: `Writing ${file}.`,
  write: { file, text },
});

/** The API fails until the client gives up: Claude Code asks six times (2.1.325), Codex once with retries off. */
export const brokenApi: readonly Reply[] = Array.from({ length: 12 }, () => ({
  fails: { status: 400, type: 'invalid_request_error', message: 'a scripted failure' },
}));

/** Hands out the lines of each part in order. A part that has none left says so, which a scenario's count of requests shows. */
export class Cast {
  readonly heard: Heard[] = [];
  /** What went wrong in a line that is made from what was heard. The scenario fails with it. */
  readonly troubles: unknown[] = [];
  private readonly parts: { part: Part; left: Line[] }[] = [];

  /** Adds the part, or replaces the one of that name. */
  give(part: Part): void {
    const known = this.parts.findIndex((one) => one.part.name === part.name);
    const entry = { part, left: [...part.lines] };
    if (known >= 0) this.parts[known] = entry;
    else this.parts.push(entry);
  }

  reply(heard: Heard): Reply {
    const entry =
      this.parts.find(({ part }) => part.hears?.(heard)) ??
      this.parts.find(({ part }) => part.hears === undefined);
    const said = { ...heard, part: entry?.part.name ?? 'nobody' };
    this.heard.push(said);
    const line = entry?.left.shift();
    if (line === undefined) return { say: SCRIPT_IS_OVER };
    if (typeof line !== 'function') return line;
    try {
      return line(said);
    } catch (error) {
      this.troubles.push(error);
      return { say: 'The script failed.' };
    }
  }

  /** What one part heard, request by request. */
  of(part: string): readonly Heard[] {
    return this.heard.filter((one) => one.part === part);
  }

  /** Lines that nobody asked for. */
  left(part: string): number {
    return this.parts.find((one) => one.part.name === part)?.left.length ?? 0;
  }
}

export const SCRIPT_IS_OVER = '(the script has no more lines)';
