import { describe, expect, test } from 'vitest';
import type { StartHow } from '../../headless.ts';
import { commandLine } from './command.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: 'an-id', resume: null, prompt: 'go', access: 'edit' },
  ...{ allowed: [], model: null, args: [] },
};

const given = (line: readonly string[], flag: string): string[] =>
  line.flatMap((word, at) => (line[at - 1] === flag ? [word] : []));

describe('the command line of Copilot CLI', () => {
  test('a session is named in the same way, new or gone on with', () => {
    expect(given(commandLine(how), '--session-id')).toEqual(['an-id']);
    expect(given(commandLine({ ...how, resume: 'another' }), '--session-id')).toEqual(['another']);
    expect(commandLine({ ...how, session: null })).not.toContain('--session-id');
  });

  test('edit is in the project alone, with rules for what is allowed beside', () => {
    const line = commandLine({ ...how, allowed: ['holdfast', 'npm test', 'git add'] });
    expect(line).toContain('--disallow-temp-dir');
    expect(given(line, '--allow-tool')).toEqual([
      ...['write', 'shell(holdfast:*)', 'shell(npm test:*)', 'shell(git add:*)'],
    ]);
    expect(line.join(' ')).not.toMatch(/allow-all|yolo|add-dir/);
  });

  test('a command line that a rule cannot hold gets none', () => {
    const allowed = ['(rm)', 'a * b', 'x, y', 'a\nb', '', ' ', "'/a b'", 'echo "a b"', 'a > b', 'b:c'];
    expect(given(commandLine({ ...how, allowed }), '--allow-tool')).toEqual(['write']);
  });

  test('full is said by one word, and the user’s own words come last', () => {
    const line = commandLine({ ...how, access: 'full', allowed: ['x'], model: 'm', args: ['--debug'] });
    expect(line.slice(-4)).toEqual(['--allow-all', '--model', 'm', '--debug']);
    expect(line).not.toContain('--allow-tool');
  });
});
