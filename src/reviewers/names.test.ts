import { describe, expect, it } from 'vitest';
import { A_REVIEWER, describeReviewer, isReviewerName, parseReviewer, USUAL_CLAUDEX } from './names.ts';
import { installHint, programNamed } from './programs.ts';

describe("a reviewer's name", () => {
  it.each([
    ['opus', 'claude', 'opus'],
    ['claude-opus-5-5[1m]', 'claude', 'claude-opus-5-5[1m]'],
    ['claude/sonnet', 'claude', 'sonnet'],
    ['codex/gpt-5.2-codex', 'codex', 'gpt-5.2-codex'],
    ['codex/', 'codex', ''],
    ['codex/a/b', 'codex', 'a/b'],
    ['nobody/x', 'nobody', 'x'],
    // What stands before the slash could be no program.
    ['arn:aws:bedrock:eu:1:profile/x', 'claude', 'arn:aws:bedrock:eu:1:profile/x'],
    ['/x', 'claude', '/x'],
    ['x'.repeat(200), 'claude', 'x'.repeat(200)],
    [`${'p'.repeat(32)}/m`, 'p'.repeat(32), 'm'],
    // Too long, or not in the form of a program's name: then all of it is a model.
    [`${'p'.repeat(33)}/m`, 'claude', `${'p'.repeat(33)}/m`],
    ['Codex/m', 'claude', 'Codex/m'],
    ['7z/m', 'claude', '7z/m'],
    ['a-1/!~', 'a-1', '!~'],
    [`codex/${'x'.repeat(200)}`, 'codex', 'x'.repeat(200)],
  ])('%s is of %s, with the model %j', (name, program, model) => {
    expect(parseReviewer(name)).toEqual({ program, model });
  });

  it.each([
    '',
    ' ',
    '-opus',
    'codex/-x',
    'claude/--settings',
    'a b',
    'codex/a b',
    'o\npus',
    'öpus',
    'x'.repeat(201),
    `codex/${'x'.repeat(201)}`,
    'a\u007f',
    'codex/a\n',
    '\topus',
  ])('%j reaches no command line', (name) => {
    expect(parseReviewer(name)).toBeNull();
    expect(isReviewerName(name)).toBe(false);
  });

  it('is fit for a setting only where its program is one that can review', () => {
    expect(['opus', 'codex/', 'claude/'].every(isReviewerName)).toBe(true);
    expect(['nobody/', 'sh/-c', 'constructor/x'].some(isReviewerName)).toBe(false);
  });

  it.each([
    ['opus', 'opus'],
    ['codex/gpt', 'gpt of codex'],
    ['codex/', 'the default model of codex'],
    ['claude/', 'the default model of claude'],
    ['claude/opus', 'opus'],
  ])('%s is called %s', (name, called) => {
    const named = parseReviewer(name);
    expect(named && describeReviewer(named)).toBe(called);
  });

  it('is explained by examples, and by the programs there are', () => {
    expect(A_REVIEWER).toBe(
      'a model such as "opus", or a program and a model such as "codex/gpt-5.2-codex", or "codex/" (programs: claude, codex, qwen, gemini, copilot, opencode)',
    );
  });

  it('is that of Codex with its default model where nobody chose one for claudex', () => {
    expect(parseReviewer(USUAL_CLAUDEX)).toEqual({ program: 'codex', model: '' });
  });
});

describe("a reviewer's program", () => {
  it.each([
    ['claude', 'Claude Code', '@anthropic-ai/claude-code'],
    ['codex', 'Codex', '@openai/codex'],
    ['qwen', 'Qwen Code', '@qwen-code/qwen-code'],
    ['gemini', 'Gemini CLI', '@google/gemini-cli'],
    ['copilot', 'Copilot CLI', '@github/copilot'],
    ['opencode', 'opencode', 'opencode-ai'],
  ])('%s is %s, and is installed by npm', (name, title, of) => {
    const install = `npm install -g ${of}`;
    expect(programNamed(name)).toEqual({ name, title, install });
    expect(installHint(name)).toBe(`; install it with \`${install}\``);
  });

  it('that we do not know has no hint', () => {
    expect(programNamed('nobody')).toBeNull();
    expect(installHint('nobody')).toBe('');
  });
});
