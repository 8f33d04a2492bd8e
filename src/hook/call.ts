// One call of a hook, and what it prints. The same for all events.

import type { Encoded } from '../clients/stop.ts';
import type { Runtime } from '../engine/context.ts';

export type HookCall = {
  /** All of standard input; null: more than anybody sends. */
  input: string | null;
  /** The client that `--client` names. */
  named: string | null;
  runtime: Runtime;
  /** How long the packaging says that the client lets the hook run (`--limit`). */
  limitS: number | null;
};

/** What to print and the exit code. Bad input exits 1: 2 would hold the agent (Claude Code 2.1.197). */
export type HookResult = Omit<Encoded, 'exitCode'> & {
  exitCode: 0 | 1 | 2;
  /** The agent goes on. */
  held?: boolean;
  /** For when the answer is out. */
  afterwards?: () => Promise<void>;
};

export const SILENT: HookResult = { stdout: '', stderr: '', exitCode: 0 };
