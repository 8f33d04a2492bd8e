import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { startFolder as ofClaude } from './claude-code/start-folder.ts';
import { rolloutOf } from './codex/rollouts.ts';
import { startFolder as ofCodex } from './codex/start-folder.ts';
import { startFoldersOf } from './index.ts';
import { cwdOf, isPlainId, namesIn, reading } from './start-folder.ts';

let home: string;

beforeEach(() => {
  home = emptyFolder();
});

function write(file: string, ...lines: readonly (object | string)[]): string {
  const place = path.join(home, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(
    place,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return place;
}

describe('an id that becomes part of a path', () => {
  it.each(['a', '7', 'A-z-9', 'x'.repeat(64)])('may be %s', (id) => {
    expect(isPlainId(id)).toBe(true);
  });

  it.each(['', '-a', '.', '..', 'a/b', 'a.b', 'a\n', '\na', 'a b', 'é', 'x'.repeat(65)])(
    'may not be %j',
    (id) => {
      expect(isPlainId(id)).toBe(false);
    },
  );
});

it.each<[unknown, string | null]>([
  [{ cwd: '/a' }, '/a'],
  [{ cwd: 'a' }, null],
  [{ cwd: '' }, null],
  [{ cwd: ['/a'] }, null],
  [{}, null],
  [['/a'], null],
  [null, null],
])('the folder of %j is %j', (entry, folder) => {
  expect(cwdOf(entry)).toBe(folder);
});

describe('a file that is read', () => {
  it('is closed again, and tells nothing where it cannot be read', () => {
    const file = write('file', 'text');
    const size = (descriptor: number): string => String(fs.fstatSync(descriptor).size);
    expect(reading(file, size)).toBe('5');
    let used = -1;
    expect(
      reading(file, (descriptor) => {
        used = descriptor;
        throw new Error('no');
      }),
    ).toBe(null);
    expect(() => fs.fstatSync(used)).toThrow('EBADF');
    expect(reading(path.join(home, 'none'), size)).toBe(null);
    expect(reading(home, size)).toBe(null);
  });

  it('is one of a folder’s, which may not be there', () => {
    write('names/a');
    expect(namesIn(path.join(home, 'names'))).toEqual(['a']);
    expect(namesIn(path.join(home, 'none'))).toEqual([]);
  });
});

describe('where a session of Claude Code was started', () => {
  const session = '0000-1';
  const transcript = `.claude/projects/-p/${session}.jsonl`;
  const found = (env: object = {}): string | null =>
    ofClaude({ HOME: home, CLAUDE_CODE_SESSION_ID: session, ...env });

  it('is the first folder that its transcript names', () => {
    write('.claude/projects/-other/another.jsonl', { cwd: '/other' });
    write(transcript, { a: 1 }, '"cwd" {', { cwd: 'relative' }, { cwd: '/first' }, { cwd: '/later' });
    expect(found()).toBe('/first');
    expect(startFoldersOf({ HOME: home, CLAUDE_CODE_SESSION_ID: session }, [session])).toEqual(['/first']);
    expect(startFoldersOf({ HOME: home, CLAUDE_CODE_SESSION_ID: session }, ['another'])).toEqual([]);
  });

  it('is told where CLAUDE_CONFIG_DIR is', () => {
    write(`config/projects/-p/${session}.jsonl`, { cwd: '/configured' });
    write(transcript, { cwd: '/usual' });
    expect(found({ CLAUDE_CONFIG_DIR: path.join(home, 'config') })).toBe('/configured');
    expect(found({ CLAUDE_CONFIG_DIR: '' })).toBe('/usual');
    expect(found({ CLAUDE_CONFIG_DIR: 'config' })).toBe(null);
  });

  it('is looked for in the first 256 kB', () => {
    const cwd = JSON.stringify({ cwd: '/a' });
    const before = 256 * 1024 - cwd.length;
    write(transcript, 'x'.repeat(before - 1), cwd);
    expect(found()).toBe('/a');
    write(transcript, 'x'.repeat(before), cwd);
    expect(found()).toBe(null);
  });

  it.each([
    { CLAUDE_CODE_SESSION_ID: undefined },
    { CLAUDE_CODE_SESSION_ID: '../-p/0000-1' },
    { HOME: '' },
    { HOME: undefined },
    { CLAUDE_CODE_SESSION_ID: 'another' },
  ])('is not known of %j', (env) => {
    write(transcript, { cwd: '/a' });
    expect(found(env)).toBe(null);
  });

  it('is not waited for where the client has no folder', () => {
    expect(found({ CLAUDE_CONFIG_DIR: path.join(home, 'none') })).toBe(null);
  });
});

describe('where a session of Codex was started', () => {
  // A session's id begins with its time: 2026-11-15T20:58:12Z.
  const time = Date.UTC(2026, 10, 15, 20, 58, 12).toString(16).padStart(12, '0');
  const session = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`;
  const rollout = (day: string, folder = '.codex'): string =>
    `${folder}/sessions/${day}/rollout-2026-11-15T20-58-12-${session}.jsonl`;
  const turn = (cwd: string): object => ({ type: 'turn_context', payload: { cwd } });
  const env = (more: object = {}) => ({ HOME: home, CODEX_THREAD_ID: session, ...more });

  it.each(['2026/11/15', '2026/11/14', '2026/11/16'])('is found in the folder of %s', (day) => {
    write(`.codex/sessions/${day}/rollout-2026-11-15T20-58-12-another.jsonl`, turn('/other'));
    const file = write(rollout(day), turn('/a'));
    expect(rolloutOf(session, env())).toBe(file);
    expect(ofCodex(env())).toBe('/a');
  });

  it.each(['2026/11/13', '2026/11/17'])('is not looked for in the folder of %s', (day) => {
    write(rollout(day), turn('/a'));
    expect(rolloutOf(session, env())).toBe(null);
    expect(ofCodex(env())).toBe(null);
  });

  it('is the folder of the latest turn', () => {
    write(
      rollout('2026/11/15'),
      turn('/first'),
      turn('/later'),
      turn('relative'),
      { type: 'other', note: '"turn_context"', payload: { cwd: '/other' } },
      '"turn_context" {',
      { type: 'event_msg', payload: { type: 'turn_context', cwd: '/event' } },
    );
    expect(ofCodex(env())).toBe('/later');
    expect(ofCodex({ HOME: home, CODEX_SESSION_ID: session })).toBe('/later');
    expect(ofCodex({ HOME: home, CODEX_THREAD_ID: '', CODEX_SESSION_ID: session })).toBe('/later');
    expect(ofCodex({ HOME: home, CODEX_THREAD_ID: 'x', CODEX_SESSION_ID: session })).toBe(null);
    expect(ofCodex({ HOME: home })).toBe(null);
  });

  it('is not known where no turn says it', () => {
    write(rollout('2026/11/15'), { type: 'session_meta' });
    expect(ofCodex(env())).toBe(null);
  });

  it('is told where CODEX_HOME is', () => {
    write(rollout('2026/11/15', 'codex'), turn('/configured'));
    write(rollout('2026/11/15'), turn('/usual'));
    expect(ofCodex(env({ CODEX_HOME: path.join(home, 'codex') }))).toBe('/configured');
    expect(ofCodex(env({ CODEX_HOME: '' }))).toBe('/usual');
    expect(ofCodex(env({ CODEX_HOME: 'codex' }))).toBe(null);
    expect(ofCodex(env({ HOME: '' }))).toBe(null);
    expect(ofCodex(env({ HOME: undefined }))).toBe(null);
  });

  it.each(['', 'zzz', '../x', `${session}/..`])('is not known of the session %j', (id) => {
    write(rollout('2026/11/15'), turn('/a'));
    expect(rolloutOf(id, env())).toBe(null);
  });
});
