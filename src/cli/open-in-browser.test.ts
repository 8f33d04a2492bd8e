import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openInBrowser } from './open-in-browser.ts';

const ADDRESS = 'http://127.0.0.1:4000/?a="x"&token=t';

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-open-')));
  for (const name of ['bin', 'home']) fs.mkdirSync(path.join(folder, name));
  env = { PATH: `${path.join(folder, 'bin')}:/usr/bin`, HOME: path.join(folder, 'home') };
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function opener(name: string): void {
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/words.new'\nmv '${folder}/words.new' '${folder}/words'\n`;
  fs.writeFileSync(path.join(folder, 'bin', name), script, { mode: 0o755 });
}

function onPlatform<T>(value: string, act: () => T): T {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value });
  try {
    return act();
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
  }
}

const page = (): string => path.join(folder, 'home/.local/state/holdfast', `open-${process.pid}.html`);

const given = async (): Promise<string> => {
  const file = path.join(folder, 'words');
  await expect.poll(() => fs.existsSync(file), { timeout: 20_000 }).toBe(true);
  return fs.readFileSync(file, 'utf8');
};

it.each([
  ['linux', 'xdg-open'],
  ['darwin', 'open'],
])('on %s %s is given a file that only this user can read, which leads there', async (platform, name) => {
  opener(name);
  const listener = vi.spyOn(process, 'once');
  try {
    expect(onPlatform(platform, () => openInBrowser(env, ADDRESS))).toBeNull();
    expect(await given()).toBe(`${pathToFileURL(page()).href}\n`);
    expect(fs.statSync(page()).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(page(), 'utf8')).toBe(
      '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=http://127.0.0.1:4000/?a=&quot;x&quot;&amp;token=t"><title>Holdfast</title>\n',
    );
    // It goes with us.
    const [event, end] = listener.mock.calls.find(([each]) => String(each) === 'exit') ?? [];
    expect(event).toBe('exit');
    if (typeof end === 'function') {
      process.off('exit', end);
      end();
    }
    expect(fs.existsSync(page())).toBe(false);
  } finally {
    listener.mockRestore();
  }
});

it.each([
  ['linux', 'xdg-open'],
  ['darwin', 'open'],
])('on %s without %s the user opens it', (platform, name) => {
  env.PATH = path.join(folder, 'bin');
  opener(platform === 'linux' ? 'open' : 'xdg-open');
  expect(onPlatform(platform, () => openInBrowser(env, ADDRESS))).toBe(
    `There is no ${name} here to open it with: open the address yourself.`,
  );
});

it('says why it cannot be opened where our own folder cannot be made', () => {
  opener('xdg-open');
  fs.writeFileSync(path.join(folder, 'home/.local'), '');
  const said = onPlatform('linux', () => openInBrowser(env, ADDRESS));
  expect(said).toMatch(/^It cannot be opened from here \(.*ENOTDIR.*\): open the address yourself\.$/);
});
