// A workflow's demonstration: what a scripted agent does turn by turn. The demo command plays it through the
// real hook on a machine without account or model.

import type { JsonObject } from '../store/json.ts';

export type Demo = {
  /** What the workflow does, in one line. */
  about: string;
  /** Programs put on the agent's PATH in the place of the real reviewers: name → POSIX sh script. */
  programs: Readonly<Record<string, string>>;
  /** The demo user's own `holdfast.config.json`; what stands there is trusted. */
  config?: JsonObject;
  turns: readonly DemoTurn[];
};

/** The agent does something, says something, and asks to stop. */
export type DemoTurn = {
  does: string;
  act(stage: Stage): void | Promise<void>;
  says: string;
};

export type Stage = {
  root: string;
  /** Runs our CLI in the agent's shell, in its session. */
  cli(args: readonly string[], stdin?: string): Promise<string>;
  /** Runs a command line in the agent's shell; the demo's own, never a user's. */
  shell(line: string): Promise<string>;
  write(file: string, content: string): void;
  read(file: string): string;
  /** What the hook said to the agent at the last stop; empty when it let go. */
  lastReason(): string;
};
