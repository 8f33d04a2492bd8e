import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { clientNamed } from '../../clients/index.ts';
import { type Call, NotNow, WrongUsage } from '../../engine/workflow-cli.ts';
import { clientFor, optionsIn, refuseMisfit, refuseUnkept, rememberClient } from './options.ts';

it('refuses what a workflow cannot be driven with, at its start and later', async () => {
  await expect(refuseMisfit({ fresh: true, stopAt: null }, 'claudex')).rejects.toThrow(
    new WrongUsage("run: --fresh does not go with claudex: its reviewer runs in the agent's session."),
  );
  for (const workflow of ['claudex', 'flow', 'idle', 'unknown'])
    await expect(refuseMisfit({ fresh: false, stopAt: 'plan' }, workflow)).rejects.toThrow(
      new WrongUsage(`run: --stop-at is for taskie; ${workflow} has no stages.`),
    );
  await expect(refuseMisfit({ fresh: true, stopAt: 'plan' }, 'taskie')).resolves.toBeUndefined();
  await expect(refuseMisfit({ fresh: true, stopAt: null }, 'idle')).resolves.toBeUndefined();
  await expect(refuseMisfit({ fresh: false, stopAt: null }, 'claudex')).resolves.toBeUndefined();
});

it('refuses a client that nothing keeps to editing, unless it may do anything', async () => {
  const droid = clientNamed('droid');
  await expect(refuseUnkept(droid, 'edit')).rejects.toThrow(NotNow);
  await expect(refuseUnkept(droid, 'edit')).rejects.toThrow(
    / Say --access full, where there is nothing to lose\.$/,
  );
  await expect(refuseUnkept(droid, 'full')).resolves.toBeUndefined();
  await expect(refuseUnkept(clientNamed('claude-code'), 'edit')).resolves.toBeUndefined();
});

const inFlags = (flags: Call['flags']) => optionsIn({ flags } as Call);

describe('the options of a drive', () => {
  const NONE = { tokens: null, timeMs: null, reviews: null, usd: null };
  const DEFAULT = {
    ...{ access: 'edit', fresh: false, model: null, persist: 1, stopAt: null, unattended: false },
    budget: NONE,
  };

  it.each<[Call['flags'], object]>([
    [{}, {}],
    [{ access: 'edit' }, {}],
    [{ access: 'full' }, { access: 'full' }],
    [{ fresh: true }, { fresh: true }],
    [{ unattended: true }, { unattended: true }],
    [{ model: 'opus' }, { model: 'opus' }],
    [{ model: 'm'.repeat(200) }, { model: 'm'.repeat(200) }],
    [{ model: 'x' }, { model: 'x' }],
    [{ persist: '0' }, { persist: 0 }],
    [{ persist: '999' }, { persist: 999 }],
    [{ 'stop-at': 'plan' }, { stopAt: 'plan' }],
    [{ 'stop-at': 'tasks' }, { stopAt: 'tasks' }],
    [{ 'stop-at': 'task' }, { stopAt: 'task' }],
    [
      { tokens: '2M', hours: '0.5', reviews: '3', usd: '2.50' },
      { budget: { tokens: 2_000_000, timeMs: 1_800_000, reviews: 3, usd: 2.5 } },
    ],
  ])('as they were typed: %j', (flags, over) => {
    expect(inFlags(flags)).toEqual({ ...DEFAULT, ...over });
  });

  const MODEL = 'run: --model takes the name of a model.';
  const PERSIST = 'run: --persist is a whole number from 0 to 999.';
  const ACCESS = 'run: --access is "edit" or "full".';
  it.each<[Call['flags'], string]>([
    [{ access: '' }, ACCESS],
    [{ access: 'all' }, ACCESS],
    [{ access: true }, ACCESS],
    [{ model: '' }, MODEL],
    [{ model: '-x' }, MODEL],
    [{ model: 'a b' }, MODEL],
    [{ model: ' a' }, MODEL],
    [{ model: 'a\0' }, MODEL],
    [{ model: 'm'.repeat(201) }, MODEL],
    [{ model: true }, MODEL],
    [{ persist: '' }, PERSIST],
    [{ persist: '-1' }, PERSIST],
    [{ persist: '1000' }, PERSIST],
    [{ persist: '1.5' }, PERSIST],
    [{ persist: '1x' }, PERSIST],
    [{ persist: 'x1' }, PERSIST],
    [{ 'stop-at': 'lunch' }, 'run: --stop-at is one of plan, tasks, task.'],
    [
      { tokens: 'many' },
      'run: --tokens takes a number of tokens from 1, such as 500k, 2M or 1.5M, not "many".',
    ],
  ])('that cannot be understood are refused: %j', (flags, text) => {
    expect(() => inFlags(flags)).toThrow(new WrongUsage(text));
  });
});

describe('which client is driven', () => {
  let project: TempProject;
  let env: Record<string, string>;

  beforeEach(() => {
    project = tempProject();
    env = { HOME: project.home, PATH: path.join(project.home, 'bin') };
  });
  afterEach(() => project.remove());

  const install = (...programs: string[]): void => {
    fs.mkdirSync(path.join(project.home, 'bin'), { recursive: true });
    for (const each of programs)
      fs.writeFileSync(path.join(project.home, 'bin', each), '#!/bin/sh\n', { mode: 0o755 });
  };
  const chosen = (given?: unknown, client: string | null = null): string =>
    clientFor(given, { root: project.root, config: { run: { silenceMs: 1, client } }, env }).name;

  it('is the one that is named, by its program or by its name', () => {
    install('claude', 'codex', 'gemini');
    rememberClient(clientNamed('codex'), env);
    expect(chosen('claude', 'gemini')).toBe('claude-code');
    expect(chosen('claude-code', 'gemini')).toBe('claude-code');
    expect(chosen('codex')).toBe('codex');
  });

  it('is refused where it is not known, or not there', () => {
    install('claude');
    expect(() => chosen('vi')).toThrow(WrongUsage);
    expect(() => chosen('vi')).toThrow(/^run: --client is claude or codex or .*, not "vi"\.$/);
    expect(() => chosen('codex')).toThrow(
      new NotNow('the program codex is not on PATH, so Codex cannot be started.'),
    );
    expect(() => chosen('cursor')).toThrow(/not "cursor"/);
  });

  it('is the only one that is there', () => {
    install('codex');
    expect(chosen()).toBe('codex');
    expect(chosen(undefined, 'claude')).toBe('codex');
    rememberClient(clientNamed('claude-code'), env);
    expect(chosen()).toBe('codex');
  });

  it('of several is the user’s own, else the last one used, else the first', () => {
    install('claude', 'codex', 'gemini');
    expect(chosen()).toBe('claude-code');
    rememberClient(clientNamed('codex'), env);
    expect(chosen()).toBe('codex');
    expect(chosen(undefined, 'gemini')).toBe('gemini');
    expect(chosen(undefined, 'qwen')).toBe('codex');
  });

  it('is none where none is there', () => {
    expect(() => chosen()).toThrow(NotNow);
    expect(() => chosen()).toThrow(
      /^no client that can be driven is on PATH: claude or codex or .*\. Install one, or add its folder to PATH\.$/,
    );
  });

  it('is remembered, and not written again while it is the same', () => {
    const file = path.join(project.home, '.local/state/holdfast/driver-client.json');
    rememberClient(clientNamed('codex'), env);
    expect(fs.readFileSync(file, 'utf8')).toBe('{"program":"codex"}\n');
    const { ino } = fs.statSync(file);
    rememberClient(clientNamed('codex'), env);
    expect(fs.statSync(file).ino).toBe(ino);
    rememberClient(clientNamed('claude-code'), env);
    expect(fs.readFileSync(file, 'utf8')).toBe('{"program":"claude"}\n');
  });
});
