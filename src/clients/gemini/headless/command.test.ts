import { describe, expect, test } from 'vitest';
import type { StartHow } from '../../headless.ts';
import { commandLine } from './command.ts';
import { policyFor } from './policy.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: null, resume: null, prompt: 'go', access: 'edit' },
  ...{ allowed: [], model: null, args: [] },
};

describe('the command line of Gemini CLI', () => {
  test('edit is its own asking mode with rules of ours, and trusts no folder', () => {
    expect(commandLine(how, ['/s/policy.toml', '/u/policies'])).toEqual([
      ...['--output-format', 'stream-json', '--approval-mode', 'default'],
      ...['--policy', '/s/policy.toml', '--policy', '/u/policies'],
    ]);
  });

  test('full is said, and trusts the folder', () => {
    expect(commandLine({ ...how, access: 'full' }, []).slice(2)).toEqual([
      ...['--approval-mode', 'yolo', '--skip-trust'],
    ]);
  });

  test("a session that is gone on with is named, and the user's own words come last", () => {
    const line = commandLine({ ...how, resume: 'an-id', model: 'm', args: ['--debug'] }, []);
    expect(line.slice(2, 4)).toEqual(['--resume', 'an-id']);
    expect(line.slice(-3)).toEqual(['--model', 'm', '--debug']);
  });
});

describe('what edit allows', () => {
  const patterns = (allowed: readonly string[]): RegExp[] =>
    [...policyFor(allowed).matchAll(/^argsPattern = (.*)$/gm)].map(
      ([, text = '""']) => new RegExp(JSON.parse(text)),
    );
  /** The first is about files. */
  const commands = (allowed: readonly string[]): RegExp[] => patterns(allowed).slice(1);
  const call = (command: string): string =>
    `{\0"command":${JSON.stringify(command)}\0,\0"description":"x"\0}`;
  const allows = (allowed: readonly string[], command: string): boolean =>
    commands(allowed).some((pattern) => pattern.test(call(command)));

  test('a command line, and the same with more after it', () => {
    expect(allows(['npm test'], 'npm test')).toBe(true);
    expect(allows(['npm test'], 'npm test -- --watch')).toBe(true);
    expect(allows(['npm test'], 'npm tests')).toBe(false);
    expect(allows(['npm test'], 'npm test;rm -r .')).toBe(false);
    expect(allows(['npm test'], 'sudo npm test')).toBe(false);
    expect(allows([`'/a (b)/holdfast'`], `'/a (b)/holdfast' ask "x"`)).toBe(true);
    expect(allows(['a.b'], 'acb')).toBe(false);
  });

  test('no argument that lies deeper is taken for the command', () => {
    const [pattern = /$^/] = commands(['git status']);
    expect(pattern.test('{\0"command":"rm -r ."\0,\0"x":{"command":"git status"}\0}')).toBe(false);
    expect(pattern.test(call('rm "command":"git status"'))).toBe(false);
  });

  test('no file of git, and none of its own settings', () => {
    const [pattern = /$^/] = patterns([]);
    const file = (name: string): string => `{\0"content":"x"\0,\0"file_path":${JSON.stringify(name)}\0}`;
    expect(pattern.test(file('/p/.git/config'))).toBe(true);
    expect(pattern.test(file('.gemini/settings.json'))).toBe(true);
    expect(pattern.test(file('/p/src/../.gemini/x'))).toBe(true);
    expect(pattern.test(file('/p/.gitignore'))).toBe(false);
    expect(pattern.test(file('/p/src/git/x'))).toBe(false);
  });

  test('nothing that has no words, or several lines', () => {
    expect(commands(['', ' ', 'a\nb'])).toEqual([]);
    expect(policyFor([])).toContain('toolName = "run_shell_command"\ndecision = "ask_user"');
  });
});
