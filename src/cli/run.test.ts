import { describe, expect, it } from 'vitest';
import { type Call, NotNow } from '../engine/workflow-cli.ts';
import { parseCommandLine } from './arguments.ts';
import { run } from './run.ts';

const arranged = (line: string): string => run.arrange?.(line.split(' ').slice(1)).join(' ') ?? '';

describe('the words of `holdfast run`', () => {
  it.each([
    // What comes after the first `--` is the client's.
    ['run idle loop x', 'idle loop x'],
    ['run idle loop x -- --add', 'idle loop x -- --add'],
    ['run --json -- --add', '--json -- -- --add'],
    ['run -- --add', '-- -- --add'],
    ['run --model -- -- x', '--model -- -- -- x'],
    ['run --json --', '--json -- --'],
    // The run that --continue names comes after the flags.
    ['run --continue', '--continue'],
    ['run --continue idle:a', '--continue idle:a'],
    ['run --continue idle:a --json', '--continue --json idle:a'],
    ['run --json --continue idle:a --usd 5', '--json --continue --usd 5 idle:a'],
    ['run --continue --json idle:a', '--continue --json idle:a'],
    ['run --continue idle:a --json -- -x', '--continue --json idle:a -- -x'],
    ['run --continue -- -x', '--continue -- -- -x'],
    ['run idle loop --continue a b', 'idle loop --continue a b'],
    ['run --json taskie --continue a', '--json taskie --continue a'],
    // A work tree may have its branch right after it.
    ['run --worktree', '--worktree='],
    ['run --worktree idle loop x', '--worktree= idle loop x'],
    ['run --worktree mine idle loop x', '--worktree=mine idle loop x'],
    ['run --worktree --json idle loop x', '--worktree= --json idle loop x'],
    ['run --json --worktree mine --fresh idle loop x', '--json --worktree=mine --fresh idle loop x'],
    ['run --worktree -- x', '--worktree= -- -- x'],
    ['run --worktree=mine idle loop x', '--worktree=mine idle loop x'],
    ['run idle loop --worktree x', 'idle loop --worktree x'],
    ['run -- --worktree x', '-- -- --worktree x'],
  ])('%s is read as run %s', (typed, read) => {
    expect(arranged(typed)).toBe(read);
  });

  it('are parsed as they are meant', () => {
    const parse = (...words: string[]) => {
      const { flags, words: rest } = parseCommandLine(run.arrange?.(words) ?? [], run, 'run');
      return { flags: { ...flags }, words: rest };
    };
    expect(parse('--worktree', 'mine', 'idle', 'loop', '--max', '3', 'x', '--', '--add')).toEqual({
      flags: { worktree: 'mine' },
      words: ['idle', 'loop', '--max', '3', 'x', '--', '--add'],
    });
    expect(parse('--worktree', 'idle', 'loop')).toEqual({
      flags: { worktree: '' },
      words: ['idle', 'loop'],
    });
    expect(parse('--continue', 'idle:a', '--usd', '5', '--', '-x')).toEqual({
      flags: { continue: true, usd: '5' },
      words: ['idle:a', '--', '-x'],
    });
    expect(parse('--continue', '--', '-x')).toEqual({ flags: { continue: true }, words: ['--', '-x'] });
  });
});

it('`holdfast run` is refused inside an agent’s session, whatever it was to do', async () => {
  for (const flags of [{}, { continue: true }])
    for (const env of [{ CLAUDE_CODE_SESSION_ID: 's' }, { CODEX_THREAD_ID: 's' }])
      await expect(run.run({ flags, words: [], env } as unknown as Call)).rejects.toThrow(
        new NotNow('run is for people: it starts a client of its own, and an agent is in one already.'),
      );
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
