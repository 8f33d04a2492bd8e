// The programs that can review, one line each; the first is the one that a bare model's name belongs to. Loading one is
// left until a review is due.

import type { Reviewer } from './reviewer.ts';

export type ReviewerProgram = {
  name: string;
  /** What people call it. */
  title: string;
  /** The command that installs it. */
  install: string;
  load(): Promise<Reviewer>;
};

export const CLAUDE = 'claude';

// biome-ignore format: one line for each
export const programs: readonly ReviewerProgram[] = [
  { name: CLAUDE, title: 'Claude Code', install: 'npm install -g @anthropic-ai/claude-code', load: async () => (await import('./claude.ts')).claude },
  { name: 'codex', title: 'Codex', install: 'npm install -g @openai/codex', load: async () => (await import('./codex.ts')).codex },
];

export function programNamed(name: string): ReviewerProgram | null {
  return programs.find((program) => program.name === name) ?? null;
}

/** Where it is missing; empty for one that we do not know. */
export function installHint(name: string): string {
  const program = programNamed(name);
  return program === null ? '' : `; install it with \`${program.install}\``;
}
