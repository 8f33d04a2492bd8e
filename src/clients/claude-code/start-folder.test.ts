import { describe, expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { startFolder } from './start-folder.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const at = (cwd: unknown, more: object = {}): string => `${JSON.stringify({ ...more, cwd })}\n`;
const FILE = `.claude/projects/-p/${SESSION}.jsonl`;

function started(
  files: Readonly<Record<string, string>>,
  env: (home: string) => object = () => ({}),
): string | null {
  const here = programs({});
  for (const [name, text] of Object.entries(files)) here.write(name, text);
  return startFolder({ HOME: here.home, CLAUDE_CODE_SESSION_ID: SESSION, ...env(here.home) });
}

describe('where a session of Claude Code was started', () => {
  it.each<[string, Record<string, string>, string]>([
    ['in its first line', { [FILE]: `${at('/a')}${at('/b')}` }, '/a'],
    ['in the first that names a whole path', { [FILE]: `{}\nno json "cwd"\n${at('a')}${at('/b')}` }, '/b'],
    ['in one of several folders', { '.claude/projects/-a/x.jsonl': at('/x'), [FILE]: at('/a') }, '/a'],
    ['at the very end of what is read', { [FILE]: atEnd(256 * 1024) }, '/a'],
  ])('is told %s', (_, files, folder) => {
    expect(started(files)).toBe(folder);
  });

  it('lies in the folder of its variable', () => {
    const files = { [`c/projects/-p/${SESSION}.jsonl`]: at('/c') };
    expect(started(files, (home) => ({ CLAUDE_CONFIG_DIR: `${home}/c` }))).toBe('/c');
    expect(started(files, (home) => ({ CLAUDE_CONFIG_DIR: `${home}/c`, HOME: undefined }))).toBe('/c');
    expect(started({ [FILE]: at('/a') }, () => ({ CLAUDE_CONFIG_DIR: '' }))).toBe('/a');
  });

  it.each<[string, (home: string) => object]>([
    ['without a session', () => ({ CLAUDE_CODE_SESSION_ID: undefined })],
    ['with an id that is no plain one', () => ({ CLAUDE_CODE_SESSION_ID: `../-p/${SESSION}` })],
    ['without a home', () => ({ HOME: undefined })],
    ['with a home that is no whole path', () => ({ HOME: 'h' })],
    ['with a home that is not there', () => ({ HOME: '/nonexistent' })],
    ['with a variable that is no whole path', () => ({ CLAUDE_CONFIG_DIR: '.claude' })],
  ])('is not known %s', (_, env) => {
    expect(started({ [FILE]: at('/a') }, env)).toBeNull();
  });

  it.each<[string, Record<string, string>]>([
    ['has no file for it', { '.claude/projects/-p/x.jsonl': at('/x') }],
    ['names no folder', { [FILE]: '{"a":"cwd"}\n' }],
    ['names it too late', { [FILE]: atEnd(256 * 1024 + 1) }],
  ])('is not known where the client %s', (_, files) => {
    expect(started(files)).toBeNull();
  });
});

/** A line whose last byte, before its end, is the one of this number. */
function atEnd(bytes: number): string {
  const line = '{"cwd":"/a"}';
  return `${'x'.repeat(bytes - line.length - 1)}\n${line}\n`;
}
