import { expect, it } from 'vitest';
import { programs } from '../../../../test/support/programs.ts';
import { hasPrompt } from './sessions.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const row = (id: string, role: string, text = 'x'): string =>
  `${JSON.stringify({ id, type: 'message', message: { role, content: [{ type: 'text', text }] } })}\n`;
const file = (text: string, name = SESSION): Record<string, string> => ({
  [`.factory/sessions/-p/${name}.jsonl`]: text,
});

it.each<[string, string, Record<string, string>, boolean]>([
  ['a prompt', SESSION, file(`{}\n${row('context-1', 'user')}${row('e', 'user')}`), true],
  [
    'a prompt in one of several folders',
    SESSION,
    { '.factory/sessions/-a/x.jsonl': '', ...file(row('e', 'user')) },
    true,
  ],
  ['a prompt whose id has the word within', SESSION, file(row('my-context-1', 'user')), true],
  ['what it tells of the project alone', SESSION, file(row('context-1', 'user')), false],
  ['what the agent said alone', SESSION, file(row('e', 'assistant', 'the "user"')), false],
  ['nothing', SESSION, file(''), false],
  ['no file', SESSION, {}, false],
  ['another id', SESSION, file(row('e', 'user'), 'x'), false],
  [
    'an id that is no plain one',
    '../x',
    { '.factory/sessions/x.jsonl': row('e', 'user'), ...file('') },
    false,
  ],
])('a session of Droid with %s', (_, session, files, has) => {
  const here = programs({});
  for (const [name, text] of Object.entries(files)) here.write(name, text);
  expect(hasPrompt(session, here.env)).toBe(has);
});
