import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { reviewerFor } from './reviewer.ts';
import { SANDBOXED, wordsFor } from './reviewer-words.ts';

const FILES = ['/p/a.md', '/p/b.md'];
const words = (claudex: string, access: 'full' | 'sandboxed' = 'full', shared = false): string[] => {
  const { review } = DEFAULT_CONFIG;
  return wordsFor({
    reviewer: reviewerFor({ ...DEFAULT_CONFIG, review: { ...review, claudex } }),
    access,
    dir: { root: '/p', path: '/loops', within: shared ? '/loops' : '/p', shared },
    expected: FILES,
  });
};
const CODEX = ['--skip-git-repo-check', '--disable', 'hooks'];
const CLAUDE = ['claude', '--print', '--safe-mode', '--permission-mode', 'dontAsk'];
const TOOLS = ['--tools', 'Read,Grep,Glob,Write', '--allowedTools', 'Edit(//p/a.md)', 'Edit(//p/b.md)'];

describe('the words a reviewer is called with', () => {
  it.each([
    ['codex/', ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', ...CODEX]],
    [
      'claude/opus',
      [
        ...['claude', '--print', '--model', 'opus'],
        ...['--settings', '{"disableAllHooks":true}', '--dangerously-skip-permissions'],
      ],
    ],
    ['qwen/m', ['qwen', '--approval-mode', 'yolo', '--model', 'm']],
    [
      'gemini/m',
      ['gemini', '--skip-trust', '--extensions', 'none', '--approval-mode', 'yolo', '--model', 'm'],
    ],
    ['copilot/m', ['copilot', '--allow-all', '--no-ask-user', '--model', 'm']],
    ['opencode/m', ['opencode', 'run', '--pure', '--auto', '--model', 'm']],
    ['qwen/', ['qwen', '--approval-mode', 'yolo']],
  ])('as %s with full access', (reviewer, expected) => {
    expect(words(reviewer)).toEqual(expected);
    expect(words(reviewer, 'full', true)).toEqual(expected);
  });

  it('leave codex in its sandbox, with the folder that is shared', () => {
    const sandbox = ['codex', 'exec', '-s', 'workspace-write'];
    expect(words('codex/m', 'sandboxed')).toEqual([...sandbox, ...CODEX, '--model', 'm']);
    expect(words('codex/', 'sandboxed', true)).toEqual([...sandbox, '--add-dir', '/loops', ...CODEX]);
  });

  it('allow Claude Code in a sandbox the files it must write, and to read the folder that is shared', () => {
    expect(words('claude/', 'sandboxed')).toEqual([...CLAUDE, ...TOOLS]);
    expect(words('claude/', 'sandboxed', true)).toEqual([...CLAUDE, ...TOOLS, 'Read(//loops/**)']);
    expect(words('claude/opus', 'sandboxed').slice(0, 5)).toEqual([
      ...['claude', '--print', '--model', 'opus', '--safe-mode'],
    ]);
  });

  it('are known of each program that reviews, and of no other', () => {
    expect(SANDBOXED).toEqual(['claude', 'codex']);
    const reviewer = { ...reviewerFor(DEFAULT_CONFIG), program: 'vi' };
    const dir = { root: '/p', path: '/p/l', within: '/p', shared: false };
    expect(() => wordsFor({ reviewer, access: 'full', dir, expected: [] })).toThrow('claudex cannot call vi');
  });
});
