import { describe, expect, test } from 'vitest';
import type { StartHow } from '../../headless.ts';
import { commandLine, promptLine } from './command.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: 'an-id', resume: null, prompt: 'go', access: 'edit' },
  ...{ allowed: [], model: null, args: [] },
};

describe('the command line of Claude Code', () => {
  test('a new session has the id that was chosen', () => {
    const line = commandLine(how);
    expect(line.join(' ')).toContain('--session-id an-id');
    expect(line).not.toContain('--resume');
  });

  test('a session that is gone on with is named alone', () => {
    const line = commandLine({ ...how, resume: 'another' });
    expect(line.join(' ')).toContain('--resume another');
    expect(line).not.toContain('--session-id');
  });

  test('edit is acceptEdits, with rules for what is allowed beside', () => {
    const line = commandLine({ ...how, allowed: ["'/a b/holdfast'", 'npm test', 'git add'] });
    expect(line.slice(line.indexOf('--allowedTools'), line.indexOf('--permission-mode') + 2)).toEqual([
      '--allowedTools',
      ...["Bash('/a b/holdfast')", "Bash('/a b/holdfast' *)"],
      ...['Bash(npm test)', 'Bash(npm test *)', 'Bash(git add)', 'Bash(git add *)'],
      ...['--permission-mode', 'acceptEdits'],
    ]);
    expect(line).not.toContain('--dangerously-skip-permissions');
  });

  test('a command line that a rule cannot hold gets none', () => {
    const line = commandLine({ ...how, allowed: ['(rm)', 'a * b', 'x, Bash', 'a\nb', '', ' '] });
    expect(line).not.toContain('--allowedTools');
    expect(line.slice(-2)).toEqual(['--permission-mode', 'acceptEdits']);
  });

  test('full is said by one flag', () => {
    const line = commandLine({ ...how, access: 'full', allowed: ['npm test'] });
    expect(line).toContain('--dangerously-skip-permissions');
    expect(line).not.toContain('--allowedTools');
    expect(line).not.toContain('--permission-mode');
  });

  test("the user's own words come last", () => {
    expect(commandLine({ ...how, model: 'opus', args: ['--add-dir', '/x'] }).slice(-4)).toEqual([
      ...['--model', 'opus', '--add-dir', '/x'],
    ]);
  });

  test('a prompt is one line, whatever is in it', () => {
    expect(promptLine('a\nb "c"')).toBe(
      '{"type":"user","message":{"role":"user","content":"a\\nb \\"c\\""}}\n',
    );
  });
});
