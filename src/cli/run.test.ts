import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './arguments.ts';
import { run } from './run.ts';

describe('the words of `holdfast run`', () => {
  it.each<[string, object, string]>([
    ['idle loop x', {}, 'idle loop x'],
    ['idle loop x -- --add', {}, 'idle loop x -- --add'],
    ['--json -- --add', { json: true }, '-- --add'],
    ['-- --worktree x', {}, '-- --worktree x'],
    ['idle loop --max 3 x --hours 8 --json', { hours: '8', json: true }, 'idle loop --max 3 x'],
    ['--continue', { continue: true }, ''],
    ['--continue idle:a --usd 5 -- -x', { continue: true, usd: '5' }, 'idle:a -- -x'],
    ['--json --continue idle:a', { continue: true, json: true }, 'idle:a'],
    ['--worktree', { worktree: '' }, ''],
    ['--worktree idle loop x', { worktree: '' }, 'idle loop x'],
    ['--worktree mine idle loop x', { worktree: 'mine' }, 'idle loop x'],
    ['--worktree --json idle loop x', { worktree: '', json: true }, 'idle loop x'],
    ['--worktree=mine idle loop x', { worktree: 'mine' }, 'idle loop x'],
    ['idle loop x --worktree', { worktree: '' }, 'idle loop x'],
    ['idle loop x --worktree mine', { worktree: 'mine' }, 'idle loop x'],
    ['idle loop x --worktree mine --json', { worktree: 'mine', json: true }, 'idle loop x'],
    ['idle loop --worktree two words', { worktree: '' }, 'idle loop two words'],
  ])('%s', (typed, flags, words) => {
    const args = typed.split(' ');
    const parsed = parseCommandLine(run.arrange?.(args) ?? [], run, 'run');

    expect({ flags: parsed.flags, words: parsed.words.join(' ') }).toEqual({ flags, words });
  });

  it('name the options that stood among those of the task', () => {
    const among = (typed: string) => parseCommandLine(typed.split(' '), run, 'run').amongWords;

    expect(among('idle loop fix --hours 8 it')).toEqual(['--hours 8']);
    expect(among('--hours 8 idle loop --json fix it')).toEqual([]);
  });
});

it('the help of `holdfast run` names each client that can be driven', () => {
  const [, names = ''] = /--client NAME {10}which one: (.*?); without/.exec(run.help ?? '') ?? [];
  const list = names.split(/, | or /);
  expect(list).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini']));
  expect(names).toBe(`${list.slice(0, -1).join(', ')} or ${list.at(-1)}`);
});

it('the help of `holdfast run` has each flag that it takes, and each exit code', () => {
  const help = run.help ?? '';
  for (const flag of Object.keys(run.options)) expect(help).toMatch(new RegExp(`--${flag}\\b`));
  expect(help).toContain('  --stop-at plan|tasks|task  taskie: stop when');
  expect(help.slice(help.indexOf('Exit codes'))).toBe(
    'Exit codes: 0 completed, 1 could not start, 2 wrong usage, 3 our own bug, 4 completed but unproven, 5 unfinished, 6 needs\na person, 7 budget spent.',
  );
});
