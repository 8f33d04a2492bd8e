// `holdfast watch` in tmux: what is on the screen, keys as a user presses them, and a window of any size.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { cleanEnvironment, plugin } from '../support/hook.ts';
import { removeFolder } from '../support/remove-folder.ts';

export type Screen = {
  text(): string;
  /** With the colours, as escape codes. */
  painted(): string;
  shows(what: string | RegExp): Promise<void>;
  press(key: string): void;
  resize(columns: number, rows: number): void;
  /** How often the bell rang. */
  bells(): number;
  pid: number;
};

type ScreenOptions = {
  columns?: number;
  rows?: number;
  args?: readonly string[];
  env?: Record<string, string>;
};

export function openWatch(root: string, options: ScreenOptions = {}): Screen {
  const { columns = 80, rows = 24, args = [], env = {} } = options;
  // Not in the project's folder, which may be gone before the terminal is.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-watch-'));
  const socket = path.join(folder, 'tmux');
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-S', socket, ...words], { encoding: 'utf8', timeout: 10_000 });
  const variables = Object.entries({ ...cleanEnvironment(root), TERM: 'screen-256color', ...env });
  const words = [
    ...['exec', 'env', '-i', ...variables.map(([name, value]) => `${name}=${value}`)],
    ...[process.execPath, path.join(plugin, 'bin', 'holdfast'), 'watch', ...args],
  ];
  const [exec, ...rest] = words;
  const line = `${exec} ${rest.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}`;
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'w', ...size, '-c', root, line);
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  const bellFile = path.join(folder, 'bells');
  tmux('set-option', '-g', 'bell-action', 'any');
  tmux('set-hook', '-g', 'alert-bell', `run-shell "echo bell >> '${bellFile}'"`);
  onTestFinished(() => {
    try {
      tmux('kill-server');
    } catch {
      // It ended, and its tmux with it.
    }
    removeFolder(folder);
  });
  const text = (): string => tmux('capture-pane', '-p', '-t', 'w');
  return {
    text,
    painted: () => tmux('capture-pane', '-p', '-e', '-t', 'w'),
    async shows(what) {
      await expect
        .poll(text, { timeout: 30_000, interval: 100 })
        .toEqual(typeof what === 'string' ? expect.stringContaining(what) : expect.stringMatching(what));
    },
    press: (key) => void tmux('send-keys', '-t', 'w', key),
    resize: (wide, tall) => void tmux('resize-window', '-t', 'w', '-x', String(wide), '-y', String(tall)),
    bells: () => (fs.existsSync(bellFile) ? fs.readFileSync(bellFile, 'utf8').split('\n').length - 1 : 0),
    pid: Number(tmux('list-panes', '-t', 'w', '-F', '#{pane_pid}')),
  };
}
