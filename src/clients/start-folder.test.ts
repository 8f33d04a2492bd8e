// Where the sessions of clients were started, by the transcripts in a user's home.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Programs, programs } from '../../test/support/programs.ts';
import { startFolder as ofClaude } from './claude-code/start-folder.ts';
import { rolloutOf } from './codex/rollouts.ts';
import { startFolder as ofCodex } from './codex/start-folder.ts';
import { startFoldersOf } from './index.ts';
import { cwdOf, isPlainId, namesIn, reading } from './start-folder.ts';

const line = (cwd: unknown): string => `${JSON.stringify({ cwd })}\n`;
type Given = { files: Readonly<Record<string, string>>; env?: (home: string) => object };

function machine({ files, env = () => ({}) }: Given): Programs & { env: Record<string, string> } {
  const here = programs({});
  for (const [file, text] of Object.entries(files)) here.write(file, text);
  return { ...here, env: { ...here.env, ...env(here.home) } };
}

it('an id that becomes part of a path is plain', () => {
  expect(['a', '7', 'A-z-9', 'x'.repeat(64)].filter((id) => !isPlainId(id))).toEqual([]);
  const others = ['', '-a', '.', '..', 'a/b', 'a.b', 'a\n', '\na', 'a b', 'é', 'x'.repeat(65)];
  expect(others.filter(isPlainId)).toEqual([]);
});

it('a folder is told by its whole path', () => {
  const entries = [{ cwd: '/a' }, { cwd: 'a' }, { cwd: '' }, { cwd: ['/a'] }, {}, ['/a'], null];
  expect(entries.map(cwdOf)).toEqual(['/a', null, null, null, null, null, null]);
});

it('a file that is read is closed again, and tells nothing where it cannot be read', () => {
  const { home, write } = machine({ files: {} });
  const file = write('file', 'text\n');
  let used = -1;
  const failing = (descriptor: number): never => {
    used = descriptor;
    throw new Error('no');
  };
  const size = (descriptor: number): string => String(fs.fstatSync(descriptor).size);
  expect([reading(file, size), reading(file, failing), reading(home, size)]).toEqual(['5', null, null]);
  expect(() => fs.fstatSync(used)).toThrow('EBADF');
  expect([namesIn(home), namesIn(path.join(home, 'none'))]).toEqual([['file'], []]);
});

describe('where a session of Claude Code was started', () => {
  const SESSION = '00000000-0000-4000-8000-000000000001';
  const FILE = `.claude/projects/-p/${SESSION}.jsonl`;
  const atEnd = (bytes: number): string => `${'x'.repeat(bytes - line('/a').length)}\n${line('/a')}`;
  const found = (files: Given['files'], env: Given['env'] = () => ({})): string | null =>
    ofClaude(machine({ files, env: (home) => ({ CLAUDE_CODE_SESSION_ID: SESSION, ...env(home) }) }).env);

  it.each<[string, Record<string, string>, string | null]>([
    ['in its first line', { [FILE]: `${line('/a')}${line('/b')}` }, '/a'],
    ['in the first whole path', { [FILE]: `{}\nno json "cwd"\n${line('a')}${line('/b')}` }, '/b'],
    ['in one of several folders', { '.claude/projects/-a/x.jsonl': line('/x'), [FILE]: line('/a') }, '/a'],
    ['in the first 256 kB', { [FILE]: atEnd(256 * 1024) }, '/a'],
    ['not after them', { [FILE]: atEnd(256 * 1024 + 1) }, null],
    ['not in another file', { '.claude/projects/-p/x.jsonl': line('/x') }, null],
    ['not where it names none', { [FILE]: '{"a":"cwd"}\n' }, null],
  ])('is told %s', (_, files, folder) => {
    expect(found(files)).toBe(folder);
  });

  it('lies in the folder of its variable', () => {
    const files = { [`c/projects/-p/${SESSION}.jsonl`]: line('/c'), [FILE]: line('/usual') };
    expect(found(files, (home) => ({ CLAUDE_CONFIG_DIR: `${home}/c`, HOME: undefined }))).toBe('/c');
    expect(found(files, () => ({ CLAUDE_CONFIG_DIR: '' }))).toBe('/usual');
  });

  it.each([
    { CLAUDE_CODE_SESSION_ID: undefined },
    { CLAUDE_CODE_SESSION_ID: `../-p/${SESSION}` },
    { HOME: undefined },
    { HOME: 'h' },
    { HOME: '/nonexistent' },
    { CLAUDE_CONFIG_DIR: '.claude' },
  ])('is not known of %j', (env) => {
    expect(found({ [FILE]: line('/a') }, () => env)).toBeNull();
  });

  it('counts for that session alone', () => {
    const { env } = machine({
      files: { [FILE]: line('/a') },
      env: () => ({ CLAUDE_CODE_SESSION_ID: SESSION }),
    });
    expect(startFoldersOf({ ...env }, [SESSION])).toEqual(['/a']);
    expect(startFoldersOf({ ...env }, ['another'])).toEqual([]);
  });
});

describe('where a session of Codex was started', () => {
  // A session's id begins with its time.
  const SESSION = '019a9000-0000-7000-8000-000000000001';
  const dayAfter = (days: number): string =>
    new Date(0x019a90000000 + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/');
  const turn = (cwd: string): string => `${JSON.stringify({ type: 'turn_context', payload: { cwd } })}\n`;
  const FILE = `sessions/${dayAfter(0)}/rollout-1-${SESSION}.jsonl`;
  const NOISE = `${JSON.stringify({ type: 'other', note: '"turn_context"', payload: { cwd: '/o' } })}\n"turn_context" {\n`;

  it.each([-2, -1, 0, 1, 2])('is found in the folder of its day and those beside it: %s', (days) => {
    const here = machine({
      files: { [`.codex/sessions/${dayAfter(days)}/rollout-1-${SESSION}.jsonl`]: turn('/a') },
    });
    expect(ofCodex({ ...here.env, CODEX_THREAD_ID: SESSION })).toBe(Math.abs(days) < 2 ? '/a' : null);
  });

  it('is the folder of the latest turn that names one', () => {
    const text = `${turn('/first')}${turn('/later')}${turn('relative')}${NOISE}`;
    const { env } = machine({ files: { [`.codex/${FILE}`]: text } });
    expect(ofCodex({ ...env, CODEX_SESSION_ID: SESSION, CODEX_THREAD_ID: '' })).toBe('/later');
    expect(ofCodex({ ...env, CODEX_SESSION_ID: SESSION, CODEX_THREAD_ID: 'x' })).toBeNull();
    expect(ofCodex(env)).toBeNull();
    const silent = machine({ files: { [`.codex/${FILE}`]: NOISE } });
    expect(ofCodex({ ...silent.env, CODEX_SESSION_ID: SESSION })).toBeNull();
  });

  it('is told where CODEX_HOME is', () => {
    const { home } = machine({ files: { [`c/${FILE}`]: '', [`.codex/${FILE}`]: '' } });
    const places = [
      { CODEX_HOME: `${home}/c` },
      { CODEX_HOME: '', HOME: home },
      { CODEX_HOME: 'c', HOME: home },
      {},
    ];
    expect(places.map((env) => rolloutOf(SESSION, env))).toEqual([
      `${home}/c/${FILE}`,
      `${home}/.codex/${FILE}`,
      null,
      null,
    ]);
  });

  it.each(['', 'zzz', '../x', `${SESSION}/..`])('is not known of the session %j', (session) => {
    const name = session.replaceAll('/', '');
    const files = {
      [`.codex/sessions/${dayAfter(0)}/rollout-1-${name}.jsonl`]: '',
      [`.codex/${FILE}.bak`]: '',
    };
    expect(rolloutOf(session, machine({ files }).env)).toBeNull();
  });
});
