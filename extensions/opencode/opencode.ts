// As much of opencode (1.18.33) as the plugin uses: its events and its client. No behaviour here.

export type PluginInput = { client: OpencodeClient; directory: string };

export type Model = { providerID: string; modelID: string };

export type OpencodeClient = {
  session: {
    promptAsync(how: {
      path: { id: string };
      query: { directory: string };
      body: { agent?: string; model?: Model; parts: readonly { type: 'text'; text: string }[] };
    }): Promise<{ error?: unknown }>;
  };
  tui: {
    showToast(how: { body: { message: string; variant: string; duration: number } }): Promise<unknown>;
  };
};

/** Of an event nothing else is certain. */
export type Event = { type: string; properties?: unknown };

export type Session = { id: string; parentID?: string };

/** Dollars, over the whole session. */
export type SessionCost = { cost?: number; parentID?: string };

/** `next`: when it tries again, in milliseconds. */
export type SessionStatus = { type: string; attempt?: number; message?: string; next?: number };

export type Message = {
  id: string;
  sessionID: string;
  role: string;
  agent?: string;
  model?: Model;
  /** True of the agent's: it takes the place of the conversation. */
  summary?: unknown;
};

export type Part = {
  id: string;
  sessionID: string;
  messageID: string;
  type: string;
  text?: string;
  /** A text is whole once it has an end. */
  time?: { end?: number };
  tool?: string;
  state?: { status?: string };
  /** Why a step ended. */
  reason?: string;
  tokens?: unknown;
};
