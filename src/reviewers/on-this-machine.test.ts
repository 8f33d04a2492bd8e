// Which programs are there, on a PATH of the test's own.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Pair } from './names.ts';
import { standInOn } from './stand-in.ts';
import { versionOf } from './version.ts';
import { whoReviews } from './who-reviews.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-programs-'));
afterAll(() => fs.rmSync(root, { recursive: true }));

let count = 0;

/** An environment in which these programs alone are found. */
function withPrograms(programs: Readonly<Record<string, string>>): { PATH: string } {
  const folder = path.join(root, String(++count));
  fs.mkdirSync(folder);
  for (const [name, script] of Object.entries(programs))
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: folder };
}

const among = (...names: string[]) => withPrograms(Object.fromEntries(names.map((name) => [name, 'true'])));

describe('who reviews in the place of Claude Code', () => {
  it.each<[string[], string | null]>([
    [[], null],
    [['claude'], null],
    [['claude', 'codex'], null],
    [['codex'], 'codex'],
    [['opencode'], 'opencode'],
    [['gemini', 'qwen', 'other'], 'qwen'],
    [['other'], null],
  ])('with %j on PATH: %j', (names, standIn) => {
    expect(standInOn(among(...names), '/nowhere')).toBe(standIn);
  });

  const usual: Pair = ['opus', 'sonnet'];
  const config = (models: Pair, chosen: boolean) => ({
    config: { review: { models, chosen, timeoutMs: 1, access: 'full' as const, claudex: 'codex/' } },
    root: '/nowhere',
  });

  it('is asked only where the user chose nobody', () => {
    const pair: Pair = ['codex/', 'haiku'];
    expect(whoReviews({ ...config(pair, true), env: among('codex') })).toEqual({ pair, standIn: null });
    expect(whoReviews({ ...config(usual, true), env: among('claude') })).toEqual({
      pair: usual,
      standIn: null,
    });
    expect(whoReviews({ ...config(usual, false), env: among('codex') })).toEqual({
      pair: usual,
      standIn: 'codex',
    });
    expect(whoReviews({ ...config(usual, false), env: among('claude') })).toBeNull();
  });
});

describe('the version of a program', () => {
  it.each<[string, object]>([
    ['echo "$1 1.2.3"; echo more', { kind: 'answers', version: '--version 1.2.3' }],
    ['echo; printf "  a\\033[2Jb\\n"', { kind: 'answers', version: 'a [2Jb' }],
    ['true', { kind: 'answers', version: '' }],
    [`echo ${'x'.repeat(201)}`, { kind: 'answers', version: 'x'.repeat(200) }],
    ['echo 1; exit 3', { kind: 'failed', why: expect.stringMatching(/^Command failed: prog --version$/) }],
  ])('of one that does "%s"', async (script, found) => {
    expect(await versionOf('prog', { cwd: '/', env: withPrograms({ prog: script }) })).toEqual(found);
  });

  it('is none where it is missing, and asked where the user is', async () => {
    expect(await versionOf('prog', { cwd: root, env: among() })).toEqual({ kind: 'missing' });
    const env = withPrograms({ prog: 'pwd' });
    const version = fs.realpathSync(os.homedir());
    expect(await versionOf('prog', { cwd: version, env })).toEqual({ kind: 'answers', version });
    expect(await versionOf('prog', { cwd: root, env })).toEqual({ kind: 'missing' });
  });
});
