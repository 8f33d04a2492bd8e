import { expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { startFolder } from './start-folder.ts';

const SESSION = '019a9000-0000-7000-8000-000000000001';
const NAME = `rollout-1-${SESSION}.jsonl`;
/** When the session was made. */
const DAY = new Date(0x019a90000000).toISOString().slice(0, 10).replaceAll('-', '/');

it.each<[string, string[], string | null]>([
  ['of its latest turn', ['turn /a', 'turn /b', 'other /c'], '/b'],
  ['of the latest that names one', ['turn /a', 'turn b'], '/a'],
  ['of no other line', ['other /c', '{"a":"turn_context"}', 'no json "turn_context"'], null],
  ['of nothing', [], null],
])('a session of Codex was started in the folder %s', (_, rows, folder) => {
  const lines = rows.map((row) => {
    const [, type, cwd] = /^(turn|other) (.*)$/.exec(row) ?? [];
    if (type === undefined) return row;
    const payload = { cwd, type: 'turn_context' };
    return JSON.stringify({ type: type === 'turn' ? 'turn_context' : 'session_meta', payload });
  });
  const here = programs({});
  here.write(`.codex/sessions/${DAY}/${NAME}`, `${lines.join('\n')}\n`);
  expect(startFolder({ ...here.env, CODEX_THREAD_ID: SESSION })).toBe(folder);
  expect(startFolder({ ...here.env, CODEX_SESSION_ID: SESSION })).toBe(folder);
  expect(startFolder({ ...here.env, CODEX_SESSION_ID: SESSION, CODEX_THREAD_ID: 'x' })).toBeNull();
  expect(startFolder(here.env)).toBeNull();
});
