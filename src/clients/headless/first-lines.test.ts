import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headless as copilot } from '../copilot/headless/index.ts';
import type { Headless } from '../headless.ts';
import { headless as qwen } from '../qwen/headless/index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

function write(file: string, ...lines: object[]): void {
  fs.mkdirSync(path.join(home, path.dirname(file)), { recursive: true });
  fs.writeFileSync(path.join(home, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const can = (headless: Headless, session = SESSION, env = {}): boolean =>
  headless.canResume(session, { root: home, env: { HOME: home, ...env } });

const QWEN_PROMPT = {
  uuid: 'u',
  type: 'user',
  provenance: 'real_user',
  message: { parts: [{ text: 'Go.' }] },
};
const COPILOT_PROMPT = { id: 'u', type: 'user.message', data: { content: 'Go.' } };

test('a session of Qwen Code can be resumed once there is a prompt in it', () => {
  const file = `.qwen/projects/-p/chats/${SESSION}.jsonl`;
  expect(can(qwen)).toBe(false);
  write(file, { uuid: 's', type: 'system', message: {} });
  expect(can(qwen)).toBe(false);
  write(file, { uuid: 's', type: 'system', message: {} }, QWEN_PROMPT);
  expect(can(qwen)).toBe(true);
  expect(can(qwen, '../x')).toBe(false);
  expect(can(qwen, SESSION, { QWEN_RUNTIME_DIR: path.join(home, 'elsewhere') })).toBe(false);
  write(`elsewhere/projects/-p/chats/${SESSION}.jsonl`, QWEN_PROMPT);
  expect(can(qwen, SESSION, { QWEN_RUNTIME_DIR: path.join(home, 'elsewhere') })).toBe(true);
});

test('a session of Copilot CLI can be resumed once there is a prompt in it', () => {
  const file = `.copilot/session-state/${SESSION}/events.jsonl`;
  expect(can(copilot)).toBe(false);
  write(file, { id: 's', type: 'session.start', data: {} });
  expect(can(copilot)).toBe(false);
  write(file, { id: 's', type: 'system.message', data: { content: 'x'.repeat(60_000) } }, COPILOT_PROMPT);
  expect(can(copilot)).toBe(true);
  expect(can(copilot, '..')).toBe(false);
  expect(can(copilot, SESSION, { COPILOT_HOME: path.join(home, 'none') })).toBe(false);
});
