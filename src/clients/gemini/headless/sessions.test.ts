import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import { hasPrompt } from './sessions.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';

function chat(lines: readonly string[]): { env: { HOME: string }; file: string } {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-')));
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  const project = path.join(home, '.gemini', 'tmp', 'project');
  fs.mkdirSync(path.join(project, 'chats'), { recursive: true });
  fs.writeFileSync(path.join(project, '.project_root'), '/p');
  const file = path.join(project, 'chats', 'session-2026-11-17T12-00-00000000.jsonl');
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return { env: { HOME: home }, file };
}

test('a session can be gone on with in its project, once a prompt of its is written down', () => {
  const recorded = recordedLines('gemini/transcript-resume.jsonl');
  const { env } = chat(recorded);
  expect(hasPrompt(SESSION, '/p', env)).toBe(true);
  expect(hasPrompt(SESSION, '/q', env)).toBe(false);
  expect(hasPrompt('00000000-0000-4000-8000-000000000002', '/p', env)).toBe(false);
  expect(hasPrompt('../../x', '/p', env)).toBe(false);
  expect(hasPrompt(SESSION, '/p', { HOME: '/nonexistent' })).toBe(false);
  // What it tells its model of the project comes first; a kill may leave no more.
  expect(hasPrompt(SESSION, '/p', chat(recorded.slice(0, 2)).env)).toBe(false);
});

test('its home may be elsewhere', () => {
  const { env } = chat(recordedLines('gemini/transcript-resume.jsonl'));
  expect(hasPrompt(SESSION, '/p', { HOME: '/nonexistent', GEMINI_CLI_HOME: env.HOME })).toBe(true);
});
