import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownFile } from './own-file.ts';

test('a settings file is named by what is in it, is nobody else’s, and does not stay for ever', () => {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-')));
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  const env = { HOME: home };
  const first = ownFile(env, 'policy.toml', 'a');
  expect(first).toMatch(/\.local\/state\/holdfast\/clients\/[0-9a-f]{16}-policy\.toml$/);
  expect(fs.readFileSync(first, 'utf8')).toBe('a');
  expect(fs.statSync(first).mode & 0o777).toBe(0o600);
  expect(ownFile(env, 'policy.toml', 'a')).toBe(first);
  const second = ownFile(env, 'policy.toml', 'b');
  expect(second).not.toBe(first);
  const old = (Date.now() - 31 * 24 * 60 * 60 * 1000) / 1000;
  fs.utimesSync(first, old, old);
  ownFile(env, 'policy.toml', 'b');
  expect(fs.existsSync(first)).toBe(false);
  expect(fs.existsSync(second)).toBe(true);
});
