import { expect, test } from 'vitest';
import type { StartHow } from '../../headless.ts';
import { commandLine } from './command.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: null, resume: null, prompt: '-x', access: 'edit' },
  ...{ allowed: ['npm test'], model: null, args: [] },
};

test('the prompt is never a word of it', () => {
  expect(commandLine(how)).not.toContain('-x');
  expect(commandLine(how).at(-1)).toBe('-');
  expect(commandLine({ ...how, resume: 'an-id', args: ['--x'] }).slice(-3)).toEqual(['--x', 'an-id', '-']);
});

test('a session that is gone on with is named', () => {
  expect(commandLine({ ...how, resume: 'an-id' }).slice(0, 3)).toEqual(['exec', 'resume', '--json']);
  expect(commandLine(how).slice(0, 2)).toEqual(['exec', '--json']);
});

test('edit is the sandbox of the workspace, whatever the user’s settings say; full must be said', () => {
  expect(commandLine(how).join(' ')).toContain(
    '-c sandbox_mode="workspace-write" -c approval_policy="never"',
  );
  expect(commandLine(how)).not.toContain('--dangerously-bypass-approvals-and-sandbox');
  const full = commandLine({ ...how, access: 'full', model: 'm' });
  expect(full).toContain('--dangerously-bypass-approvals-and-sandbox');
  expect(full.join(' ')).not.toContain('sandbox_mode');
  expect(full.join(' ')).toContain('--model m');
});

test('hooks that nobody trusted are not let run', () => {
  expect(commandLine(how)).not.toContain('--dangerously-bypass-hook-trust');
});
