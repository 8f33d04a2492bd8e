// What every driven client's headless part is asked: which sessions it can go on with, and how it is started.

import { expect } from 'vitest';
import type { Headless, HeadlessEvent } from '../../src/clients/headless.ts';
import { type Programs, programs } from './programs.ts';
import { recordedLines } from './recorded.ts';

/** Whether this session, with these files in the user's home, is one to go on with. */
export function canResume(
  headless: Headless,
  session: string,
  files: Readonly<Record<string, string>>,
  more: (here: Programs) => object = () => ({}),
): boolean {
  const here = programs({});
  for (const [file, text] of Object.entries(files)) here.write(file, text);
  return headless.canResume(session, { root: '/p', env: { ...here.env, ...more(here) } });
}

type Wanted = {
  program: string;
  /** A recording of what the real one printed. */
  stream: string;
  session: string;
  args: readonly string[];
  /** What it reads, when not the prompt to its end. */
  input?: { read: string; sent: string; is: string };
};

/** Started in the project, with its arguments, its prompt and the user's own variables, it is heard to a good end. */
export async function expectStarted(headless: Headless, wanted: Wanted): Promise<void> {
  const { program, input } = wanted;
  const notes = `printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; ${input?.read ?? 'cat'} >"$HOME/input"; cat "$HOME/stream"`;
  const here = programs({ [program]: { '*': notes } });
  here.write('stream', `${recordedLines(wanted.stream).join('\n')}\n`);
  const env = { ...here.env, MINE: '1', CLAUDECODE: '1' };
  const client = headless.start({
    ...{ root: here.project, env, session: wanted.session, resume: null, prompt: 'Do it.' },
    ...{ access: 'full', allowed: [], model: null, args: ['--more'] },
  });
  if (input !== undefined) expect(client.send(input.sent)).toBe(true);
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  expect(here.read('args').trimEnd().split('\n')).toEqual(wanted.args);
  expect(here.read('cwd')).toBe(`${here.project}\n`);
  expect(here.read('input')).toBe(input?.is ?? 'Do it.');
  expect(here.read('env')).toMatch(/^MINE=1$/m);
  expect(here.read('env')).not.toContain('CLAUDECODE');
  expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
  expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
  expect(client.send('More.')).toBe(false);
}
