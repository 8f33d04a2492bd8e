// The sandbox that a client runs its agent's commands in, as far as a check must stay inside it.

export type SessionSandbox =
  | { kind: 'none' }
  | {
      kind: 'wrap';
      /** May make what the sandbox needs; throws where it cannot be made. */
      argv(command: readonly string[]): readonly string[];
      /** Takes that away. To be called after a check, with all its tries. */
      end?(): void;
    }
  | { kind: 'unknown'; why: string };
