// The sandbox that a client runs its agent's commands in, as far as a check must stay inside it.

export type SessionSandbox =
  | { kind: 'none' }
  | { kind: 'wrap'; argv(command: readonly string[]): readonly string[] }
  | { kind: 'unknown'; why: string };
