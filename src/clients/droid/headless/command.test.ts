import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { StartHow } from '../../headless.ts';
import { commandLine } from './command.ts';
import { hasPrompt } from './sessions.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: null, resume: null, prompt: 'go', access: 'full' },
  ...{ allowed: [], model: null, args: [] },
};

test('the command line of Droid', () => {
  const first = ['exec', '--output-format', 'stream-json', '--skip-permissions-unsafe'];
  expect(commandLine(how)).toEqual(first);
  expect(commandLine({ ...how, resume: 'an-id', model: 'm', args: ['--tag', 'x'] })).toEqual([
    ...first,
    ...['--fork', 'an-id', '--model', 'm', '--tag', 'x'],
  ]);
});

test('a session can be gone on with once a prompt of its is written down', () => {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-')));
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  const folder = path.join(home, '.factory', 'sessions', '-p');
  fs.mkdirSync(folder, { recursive: true });
  const lines = recordedLines('droid/transcript-fork.jsonl');
  const prompt = lines.findIndex((line) => line.includes('"Begin it."'));
  const write = (count: number): void =>
    fs.writeFileSync(path.join(folder, 'an-id.jsonl'), `${lines.slice(0, count).join('\n')}\n`);
  write(lines.length);
  expect(hasPrompt('an-id', { HOME: home })).toBe(true);
  expect(hasPrompt('another', { HOME: home })).toBe(false);
  expect(hasPrompt('../an-id', { HOME: home })).toBe(false);
  // What it tells its model of the project comes first; a kill may leave no more.
  write(prompt);
  expect(hasPrompt('an-id', { HOME: home })).toBe(false);
});
