// How each reviewer is called from the runner, with its prompt on standard input, as each was seen to take it.

import { CLAUDE } from '../../reviewers/programs.ts';
import type { Reviewing } from './reviewer.ts';

/** Hooks are off by each program's own switch, where it has one, besides our variable. */
export function wordsFor(task: Reviewing): string[] {
  const { program, model } = task.reviewer;
  const words = WORDS[program];
  if (words === undefined) throw new Error(`claudex cannot call ${program}`);
  return words(task, model === '' ? [] : ['--model', model]);
}

type Words = (task: Reviewing, model: readonly string[]) => string[];

/** The others need a file beside them for it, or were not seen to write below `.claude` with it. */
export const SANDBOXED: readonly string[] = [CLAUDE, 'codex'];

const WORDS: Readonly<Record<string, Words>> = {
  [CLAUDE]: claudeWords,
  codex: codexWords,
  qwen: (_, model) => ['qwen', '--approval-mode', 'yolo', ...model],
  gemini: (_, model) => [
    ...['gemini', '--skip-trust', '--extensions', 'none', '--approval-mode', 'yolo', ...model],
  ],
  copilot: (_, model) => ['copilot', '--allow-all', '--no-ask-user', ...model],
  opencode: (_, model) => ['opencode', 'run', '--pure', '--auto', ...model],
};

function codexWords({ access, dir }: Reviewing, model: readonly string[]): string[] {
  const reach = dir.shared ? ['--add-dir', dir.path] : [];
  const permission =
    access === 'sandboxed'
      ? ['-s', 'workspace-write', ...reach]
      : ['--dangerously-bypass-approvals-and-sandbox'];
  return ['codex', 'exec', ...permission, '--skip-git-repo-check', '--disable', 'hooks', ...model];
}

function claudeWords({ access, dir, expected }: Reviewing, model: readonly string[]): string[] {
  if (access === 'full')
    return [
      ...[CLAUDE, '--print', ...model],
      ...['--settings', '{"disableAllHooks":true}', '--dangerously-skip-permissions'],
    ];
  return [
    ...[CLAUDE, '--print', ...model, '--safe-mode', '--permission-mode', 'dontAsk'],
    ...['--tools', 'Read,Grep,Glob,Write', '--allowedTools'],
    // A rule for Edit covers Write; rules for Write have no effect.
    ...expected.map((file) => `Edit(/${file})`),
    ...(dir.shared ? [`Read(/${dir.path}/**)`] : []),
  ];
}
