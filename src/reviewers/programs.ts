// The programs that can review, one line each; the first is the one that a bare model's name belongs to. Data alone:
// index.ts loads them.

export type ReviewerProgram = {
  name: string;
  /** What people call it. */
  title: string;
  /** The command that installs it. */
  install: string;
};

export const CLAUDE = 'claude';

export const programs: readonly ReviewerProgram[] = [
  { name: CLAUDE, title: 'Claude Code', install: 'npm install -g @anthropic-ai/claude-code' },
  { name: 'codex', title: 'Codex', install: 'npm install -g @openai/codex' },
  { name: 'qwen', title: 'Qwen Code', install: 'npm install -g @qwen-code/qwen-code' },
  { name: 'gemini', title: 'Gemini CLI', install: 'npm install -g @google/gemini-cli' },
  { name: 'copilot', title: 'Copilot CLI', install: 'npm install -g @github/copilot' },
  { name: 'opencode', title: 'opencode', install: 'npm install -g opencode-ai' },
];

export function programNamed(name: string): ReviewerProgram | null {
  return programs.find((program) => program.name === name) ?? null;
}

/** Where it is missing; empty for one that we do not know. */
export function installHint(name: string): string {
  const program = programNamed(name);
  return program === null ? '' : `; install it with \`${program.install}\``;
}
