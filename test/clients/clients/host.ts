// What both clients have in common: a prompt goes in, and this is what comes out.

import type { Program } from './program.ts';
import type { Stage } from './stage.ts';

/** The modes in which the clients are driven; each is a column of test/clients/seen.md. */
export const MODES = [
  'Claude Code -p',
  'Claude Code stream-json',
  'Claude Code TUI',
  'Codex exec',
  'Codex TUI',
  'Qwen Code -p',
  'Copilot CLI -p',
  'Gemini CLI -p',
  'opencode run',
  'Droid exec',
  'all seven',
] as const;
export type Mode = (typeof MODES)[number];

export type Played = {
  exitCode: number | null;
  /** The final answer, as the client gives it to its caller. */
  result: string;
  session: string;
  /** Lines for the user that came from Holdfast. */
  notices: readonly string[];
  stdout: string;
  stderr: string;
};

export type PlayOptions = {
  cwd?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  limitMs?: number;
  /** `installed`: those of the client's own home. Otherwise Claude Code is given the built ones by flags. */
  plugins?: 'installed';
  /** The program of another Claude Code. */
  claude?: string;
  /** Claude Code denies what nobody allowed, instead of allowing everything. */
  permissions?: 'denied';
  /** Codex runs only hooks it trusts; unless this is set, the question is passed over. */
  hookTrust?: 'as-recorded';
  /** Goes on with this session. */
  resume?: string;
  /** Copies this session into a new one; Claude Code has a flag for it beside `resume`. */
  fork?: string;
};

/** A client that takes one prompt and runs to its end. */
export type Host = {
  mode: Mode;
  /** How the agent's shell calls Holdfast here. */
  cli(stage: Stage): string;
  /** What becomes of a line for the user, in words. */
  showsNotices: string;
  /** Its output holds none of these lines; the journal alone tells. */
  hidesNotices?: true;
  /** Why no session can be gone on with here, in words. */
  cannotResume?: string;
  /** How a user calls a skill here. */
  skill(name: string, words: string): string;
  play(stage: Stage, prompt: string, options?: PlayOptions): Promise<Played>;
  /** Starts the same, for a scenario that does not let it come to its end. */
  begin(stage: Stage, prompt: string, options?: PlayOptions): Program;
};
