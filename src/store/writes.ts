// What can be asked of the store, as data: a commit is a list of these, carried out in order.

export type Write =
  /** Atomically replaces (or creates) a file. */
  | { kind: 'replace'; path: string; content: string; mode?: number }
  /** Adds one line to a log that is never rewritten; a torn last line is healed first. */
  | { kind: 'append'; path: string; line: string }
  | { kind: 'remove'; path: string }
  /** Moves a file or folder; a missing one is no error. */
  | { kind: 'move'; from: string; to: string };
