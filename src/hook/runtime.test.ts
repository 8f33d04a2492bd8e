import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BY_NAME_VARIABLE } from '../store/environment.ts';
import { shellQuote } from '../text/shell.ts';
import { registry } from '../workflows/registry.ts';
import { cliCommand, cliFolder, currentFolder, runtimeHere } from './runtime.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

it('tells a review that the hook must end, and one that begins afterwards at once', async () => {
  // Nothing is left listening here: one worker plays many files.
  const on = vi.spyOn(process, 'on').mockReturnThis();
  const listenersOf = (signal: string) =>
    on.mock.calls.flatMap(([of, listen]) => (of === signal ? listen : []));
  const send = (signal: string): void => {
    for (const listener of listenersOf(signal)) listener();
  };
  // An instance of its own: a process that was asked to end stays so.
  vi.resetModules();
  const { whenAskedToEnd } = (await import('./runtime.ts')).runtimeHere();

  const notified: string[] = [];
  whenAskedToEnd(() => notified.push('first'));
  expect(notified).toEqual([]);
  send('SIGTERM');
  expect(notified).toEqual(['first']);

  whenAskedToEnd(() => notified.push('second'));
  expect(notified).toEqual(['first', 'second']);

  expect([listenersOf('SIGTERM').length, listenersOf('SIGINT').length]).toEqual([1, 1]);
  send('SIGINT');
  expect(notified).toEqual(['first', 'second', 'first', 'second']);
});

describe('where this process is', () => {
  it('its command is called by its path, or by its name where that leads to it', () => {
    const folder = path.resolve(import.meta.dirname, '../bin');
    expect(cliFolder()).toBe(folder);
    expect(cliCommand()).toBe(shellQuote(path.join(folder, 'holdfast')));
    expect(runtimeHere({}).cli).toBe(cliCommand());
    expect(runtimeHere({ [BY_NAME_VARIABLE]: '0' }).cli).toBe(cliCommand());
    expect(runtimeHere({ [BY_NAME_VARIABLE]: '1' }).cli).toBe('holdfast');
  });

  it('its folder, its clock, its environment and its patience are known', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(12_345);
    const env = { HOME: '/nowhere' };
    const runtime = runtimeHere(env);
    expect(runtime).toMatchObject({ registry, cwd: process.cwd(), now: 12_345, lockPatienceMs: 2000 });
    expect(runtime.env).toBe(env);
    expect(runtimeHere().env).toBe(process.env);
    expect((await runtime.findReviewer('codex')).name).toBe('codex');
  });

  it('its folder is the root where it was deleted', () => {
    vi.spyOn(process, 'cwd').mockImplementation(() => {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
    });
    expect(currentFolder()).toBe('/');
  });
});
