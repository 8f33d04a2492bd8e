import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { StateDir } from './files.ts';
import { limitWords, reviewerCommand, reviewerFor, whyUnwritable } from './reviewer.ts';
import { wordsFor } from './reviewer-words.ts';

const dir: StateDir = { root: '/p', path: '/p/.claude/claudex', within: '/p', shared: false };
const shared: StateDir = { root: '/p', path: '/s', within: '/s', shared: true };
const named = (claudex: string) =>
  reviewerFor({ ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, claudex } });
const words = (claudex: string, access: 'full' | 'sandboxed' = 'full', at = dir) =>
  wordsFor({ reviewer: named(claudex), access, dir: at, expected: ['/p/a.md', '/p/b.md'] });

describe('how a reviewer is called', () => {
  it.each([
    [
      'codex/',
      [
        'codex',
        'exec',
        '--dangerously-bypass-approvals-and-sandbox',
        '--skip-git-repo-check',
        '--disable',
        'hooks',
      ],
    ],
    [
      'codex/gpt',
      [
        'codex',
        'exec',
        '--dangerously-bypass-approvals-and-sandbox',
        '--skip-git-repo-check',
        '--disable',
        'hooks',
        '--model',
        'gpt',
      ],
    ],
    [
      'claude/opus',
      [
        'claude',
        '--print',
        '--model',
        'opus',
        '--settings',
        '{"disableAllHooks":true}',
        '--dangerously-skip-permissions',
      ],
    ],
    ['qwen/', ['qwen', '--approval-mode', 'yolo']],
    ['qwen/q', ['qwen', '--approval-mode', 'yolo', '--model', 'q']],
    [
      'gemini/g',
      ['gemini', '--skip-trust', '--extensions', 'none', '--approval-mode', 'yolo', '--model', 'g'],
    ],
    ['copilot/c', ['copilot', '--allow-all', '--no-ask-user', '--model', 'c']],
    ['opencode/a/b', ['opencode', 'run', '--pure', '--auto', '--model', 'a/b']],
  ])('as %s', (claudex, line) => {
    expect(words(claudex)).toEqual(line);
  });

  it('in a sandbox, with the folder that others share in reach', () => {
    const codex = ['--skip-git-repo-check', '--disable', 'hooks'];
    expect(words('codex/', 'sandboxed')).toEqual(['codex', 'exec', '-s', 'workspace-write', ...codex]);
    expect(words('codex/', 'sandboxed', shared)).toEqual([
      'codex',
      'exec',
      '-s',
      'workspace-write',
      '--add-dir',
      '/s',
      ...codex,
    ]);
    const claude = [
      'claude',
      '--print',
      '--safe-mode',
      '--permission-mode',
      'dontAsk',
      '--tools',
      'Read,Grep,Glob,Write',
      '--allowedTools',
      'Edit(//p/a.md)',
      'Edit(//p/b.md)',
    ];
    expect(words('claude/', 'sandboxed')).toEqual(claude);
    expect(words('claude/', 'sandboxed', shared)).toEqual([...claude, 'Read(//s/**)']);
  });

  it('is one line for a shell, with our hooks off', () => {
    expect(reviewerCommand({ reviewer: named('claude/'), access: 'full', dir, expected: [] })).toBe(
      `HOLDFAST_DISABLE=1 claude --print --settings '{"disableAllHooks":true}' --dangerously-skip-permissions`,
    );
  });

  it('is refused for a program that nobody knows how to call', () => {
    const reviewer = { ...named('codex/'), program: 'other' };
    expect(() => wordsFor({ reviewer, access: 'full', dir, expected: [] })).toThrow(
      'claudex cannot call other',
    );
  });
});

describe('who reviews', () => {
  it('is Codex where the name is none', () => {
    expect(named('a b').program).toBe('codex');
    expect(named('codex/')).toMatchObject({ program: 'codex', model: '', title: expect.any(String) });
  });

  it('says in its own words that it is at its limit', () => {
    expect(limitWords(named('claude/'))).toBe('hit your( [a-z0-9-]+)? limit|rejected \\(429\\)');
    expect(limitWords(named('codex/'))).toBe('hit your usage limit');
  });
});

describe('why a reviewer cannot write its findings', () => {
  const why = (claudex: string, access: 'full' | 'sandboxed', at: StateDir = dir) =>
    whyUnwritable({ reviewer: named(claudex), access, dir: at });

  it('is nothing without a sandbox, for Codex, or outside of .claude', () => {
    for (const claudex of ['codex/', 'claude/', 'gemini/']) expect(why(claudex, 'full')).toBeNull();
    expect(why('codex/', 'sandboxed')).toBeNull();
    expect(why('claude/', 'sandboxed', shared)).toBeNull();
    expect(why('claude/', 'sandboxed', { ...dir, path: '/p/x.claude/y' })).toBeNull();
    expect(why('claude/', 'sandboxed', { ...dir, path: '/p/.claudex' })).toBeNull();
  });

  it('is that it cannot be sandboxed, or may not write below .claude', () => {
    expect(why('gemini/', 'sandboxed')).toBe(
      `${named('gemini/').title} cannot be sandboxed in claudex; set "review": {"access": "full"} or {"claudex": "codex/"} in your own holdfast.config.json`,
    );
    for (const folder of ['/p/.claude/claudex', '/p/.claude'])
      expect(why('claude/', 'sandboxed', { ...dir, path: folder })).toBe(
        `${named('claude/').title} does not let a sandboxed reviewer write below .claude, where its findings go (${folder}); set "review": {"access": "full"} or {"claudex": "codex/"} in your own holdfast.config.json, or CLAUDEX_STATE_DIR`,
      );
  });
});
