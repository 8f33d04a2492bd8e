import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { BY_NAME_VARIABLE } from '../store/environment.ts';
import { shellQuote } from '../text/shell.ts';
import { currentFolder, runtimeHere } from './runtime.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

it('a review is told that the hook must end, and one that begins afterwards at once', async () => {
  // Nothing is left listening here: one worker plays many files.
  const on = vi.spyOn(process, 'on').mockReturnThis();
  const send = (signal: string): void => {
    for (const [of, listen] of on.mock.calls) if (of === signal) listen();
  };
  // An instance of its own: a process that was asked to end stays so.
  vi.resetModules();
  const { whenAskedToEnd } = (await import('./runtime.ts')).runtimeHere();
  const notified: string[] = [];
  whenAskedToEnd(() => notified.push('first'));
  expect(notified).toEqual([]);
  send('SIGTERM');
  whenAskedToEnd(() => notified.push('second'));
  expect(notified).toEqual(['first', 'second']);
  send('SIGINT');
  expect([notified, on.mock.calls.length]).toEqual([['first', 'second', 'first', 'second'], 2]);
});

it('our command is called by its path, or by its name where that leads to it', () => {
  const command = shellQuote(path.resolve(import.meta.dirname, '../bin/holdfast'));
  const cli = (env: object) => runtimeHere({ ...env }).cli;
  expect([cli({}), cli({ [BY_NAME_VARIABLE]: '0' }), cli({ [BY_NAME_VARIABLE]: '1' })]).toEqual([
    ...[command, command, 'holdfast'],
  ]);
});

it('a folder that was deleted under us is the root', () => {
  vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
  });
  expect(currentFolder()).toBe('/');
});
