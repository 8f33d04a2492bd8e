// Who reviews in claudex: Codex, as specified, or whom the user chose. The script that runs it gets one command line,
// with the prompt on standard input, and the words by which the program says that it is at its usage limit.

import type { Config } from '../../config/config.ts';
import type { ReviewAccess } from '../../config/settings.ts';
import { type NamedReviewer, parseReviewer, USUAL_CLAUDEX } from '../../reviewers/names.ts';
import { CLAUDE, programNamed } from '../../reviewers/programs.ts';
import { shellQuote } from '../../text/shell.ts';
import type { StateDir } from './files.ts';
import { SANDBOXED, wordsFor } from './reviewer-words.ts';

/** `title`: what people call the program; `install`: the command that does. */
export type LoopReviewer = NamedReviewer & { title: string; install: string };

export function reviewerFor({ review }: Config): LoopReviewer {
  const named = parseReviewer(review.claudex) ?? parseReviewer(USUAL_CLAUDEX);
  const program = programNamed(named?.program ?? '');
  if (named === null || program === null) throw new Error(`${review.claudex} is no reviewer`);
  return { ...named, title: program.title, install: program.install };
}

export type Reviewing = {
  reviewer: LoopReviewer;
  access: ReviewAccess;
  dir: StateDir;
  /** The files that it must write. */
  expected: readonly string[];
};

/** Hooks are off twice over, so that the reviewer's own stop can never step the loop it reviews. */
export function reviewerCommand(task: Reviewing): string {
  return `HOLDFAST_DISABLE=1 ${wordsFor(task).map(shellQuote).join(' ')}`;
}

/** For `grep -E`, each as it was seen: Codex 0.166.0, Claude Code 2.1.325. Others are shown by their last lines. */
export function limitWords({ program }: LoopReviewer): string {
  return program === CLAUDE ? 'hit your( [a-z0-9-]+)? limit|rejected \\(429\\)' : 'hit your usage limit';
}

/** Null: it can write what it must. Nothing that is allowed it opens `.claude` to a sandboxed Claude Code (2.1.325). */
export function whyUnwritable({ reviewer, access, dir }: Omit<Reviewing, 'expected'>): string | null {
  if (access !== 'sandboxed') return null;
  if (!SANDBOXED.includes(reviewer.program))
    return `${reviewer.title} cannot be sandboxed in claudex; set "review": {"access": "full"} or {"claudex": "codex/"} in your own holdfast.config.json`;
  if (reviewer.program !== CLAUDE || !/\/\.claude(\/|$)/.test(dir.path)) return null;
  return `${reviewer.title} does not let a sandboxed reviewer write below .claude, where its findings go (${dir.path}); set "review": {"access": "full"} or {"claudex": "codex/"} in your own holdfast.config.json, or CLAUDEX_STATE_DIR`;
}
