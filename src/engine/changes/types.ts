// The changes that a review of code is about (types only).

import type { CommitId } from './head.ts';

/** What a workflow wants made before its review, and what it says of it in the prompt. */
export type ChangesWanted = {
  /** Where the work began; null: nobody knows, so what is not committed is all that can be shown. */
  since: CommitId | null;
  say(changes: Changes): string;
};

export type Changes = {
  /** From where they are counted. `uncommitted`: from the last commit, since where the work began is not known. */
  since: { kind: 'commit'; commit: string } | { kind: 'no-commit-yet' } | { kind: 'uncommitted' };
  /** The patch; or, where that would be too long, the whole list of files if the one below is cut; else null. */
  file: { kind: 'patch' | 'list'; path: string; bytes: number } | null;
  /** What the names are relative to. */
  top: string;
  /** How many files there are. */
  count: number;
  /** One line each, at most so many as a prompt bears; all on one line whatever their names are. */
  lines: readonly string[];
};

/** One file that changed, or that a reviewer has to look at by itself. */
export type ChangedFile = {
  name: string;
  /** In a few words: how much of it, or why the patch does not show it. */
  how: string;
};
