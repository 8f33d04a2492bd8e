import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CAP_VARIABLE, holdsHonoured } from './cap.ts';

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-qwen-'));
});
afterEach(() => fs.rmSync(home, { recursive: true }));

function settings(text: string): void {
  fs.mkdirSync(path.join(home, '.qwen'), { recursive: true });
  fs.writeFileSync(path.join(home, '.qwen', 'settings.json'), text);
}

test.each([
  ['', 7],
  ['  ', 7],
  ['100', 99],
  ['400', 99],
  ['1', 0],
  ['0', 7],
  ['-3', 7],
  ['many', 7],
])('the environment sets the cap: %j leaves %i holds', (set, holds) => {
  expect(holdsHonoured({ HOME: home, [CAP_VARIABLE]: set })).toBe(holds);
});

test.each([
  ['{"stopHookBlockingCap":20}', 19],
  ['{"stopHookBlockingCap":20.9}', 19],
  ['{"stopHookBlockingCap":"20"}', 7],
  ['{"stopHookBlockingCap":0}', 7],
  ['// settings\n{"stopHookBlockingCap":20}', 7],
  ['[]', 7],
])('so do the settings of the user: %s leaves %i', (text, holds) => {
  settings(text);
  expect(holdsHonoured({ HOME: home })).toBe(holds);
});

test('the environment comes before the settings, which may lie elsewhere', () => {
  settings('{"stopHookBlockingCap":20}');
  expect(holdsHonoured({ HOME: home, [CAP_VARIABLE]: '3' })).toBe(2);
  expect(holdsHonoured({ HOME: '/nowhere', QWEN_HOME: path.join(home, '.qwen') })).toBe(19);
  expect(holdsHonoured({ HOME: '/nowhere', QWEN_HOME: '.qwen' })).toBe(7);
});
