import { describe, expect, test } from 'vitest';
import type { StartHow } from '../../headless.ts';
import { commandLine } from './command.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: 'an-id', resume: null, prompt: 'go', access: 'edit' },
  ...{ allowed: [], model: null, args: [] },
};

const given = (line: readonly string[], flag: string): string[] =>
  line.flatMap((word, at) => (line[at - 1] === flag ? [word] : []));

describe('the command line of Qwen Code', () => {
  test('a new session has the id that was chosen; one that is gone on with is named alone', () => {
    expect(commandLine(how).join(' ')).toContain('--session-id an-id');
    const line = commandLine({ ...how, resume: 'another' });
    expect(line.join(' ')).toContain('--resume another');
    expect(line).not.toContain('--session-id');
  });

  test('edit is in the project alone, with rules for what is allowed beside, and for nothing within it', () => {
    const line = commandLine({ ...how, allowed: ["'/a b/holdfast'", 'npm test', 'git add'] });
    expect(given(line, '--approval-mode')).toEqual(['default']);
    expect(given(line, '--allowed-tools')).toEqual([
      ...['edit(/**)', 'write_file(/**)', 'notebook_edit(/**)'],
      ...['run_shell_command(/a b/holdfast)', 'run_shell_command(npm test)', 'run_shell_command(git add)'],
    ]);
    expect(given(line, '--exclude-tools')).toEqual([
      ...['run_shell_command(*$*)', 'run_shell_command(*`*)'],
      ...['run_shell_command(*<(*)', 'run_shell_command(*>*)'],
      ...['edit', 'write_file', 'notebook_edit'].flatMap((tool) =>
        ['/.git', '/.git/**', '/.qwen/**', '/.env'].map((place) => `${tool}(${place})`),
      ),
    ]);
  });

  test('a command line that a rule cannot hold gets none', () => {
    const allowed = ['(rm)', 'a * b', 'x, y', 'a\nb', '', ' ', "it's", 'echo "a b"', 'a > b', 'b:c'];
    expect(given(commandLine({ ...how, allowed }), '--allowed-tools')).toHaveLength(3);
  });

  test('full is said by one word, and the user’s own words come last', () => {
    const line = commandLine({ ...how, access: 'full', allowed: ['x'], model: 'm', args: ['--debug'] });
    expect(line.slice(-5)).toEqual(['--approval-mode', 'yolo', '--model', 'm', '--debug']);
    expect(line).not.toContain('--allowed-tools');
    expect(commandLine(how)).not.toContain('yolo');
  });
});
