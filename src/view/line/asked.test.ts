import { expect, it } from 'vitest';
import { readAsked } from './asked.ts';

it.each<[string, object, readonly string[]]>([
  ['all', { workspace: { project_dir: '/p', current_dir: '/c' }, cwd: '/w' }, ['/p', '/c', '/w']],
  ['one', { cwd: '/w' }, ['/w']],
  ['none', {}, []],
  ['no text', { workspace: { project_dir: 1, current_dir: null }, cwd: {} }, []],
  ['no workspace', { workspace: '/p', cwd: '/w' }, ['/w']],
])('the folders that a client sends: %s', (_, sent, folders) => {
  expect(readAsked(JSON.stringify({ session_id: 's', ...sent }))).toEqual({ session: 's', folders });
});

it.each(['', 'text', '[]', 'null', '{"session_id":7}'])('%j names no session', (input) => {
  expect(readAsked(input)).toEqual({ session: null, folders: [] });
});
