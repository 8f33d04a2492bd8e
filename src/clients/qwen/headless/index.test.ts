import { describe, expect, it } from 'vitest';
import { type Programs, programs } from '../../../../test/support/programs.ts';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"uuid":"u","type":"user","message":{"parts":[{"text":"x"}]}}\n';
const OTHER = '{"uuid":"u","type":"system"}\n';

describe('a session of Qwen Code', () => {
  const can = (
    session: string,
    files: Readonly<Record<string, string>>,
    more: (here: Programs) => object = () => ({}),
  ) => {
    const here = programs({});
    for (const [file, text] of Object.entries(files)) here.write(file, text);
    return headless.canResume(session, { root: '/p', env: { ...here.env, ...more(here) } });
  };

  it.each<[string, string, Record<string, string>, boolean]>([
    ['with a prompt', SESSION, { [`.qwen/projects/-p/chats/${SESSION}.jsonl`]: `${OTHER}${PROMPT}` }, true],
    [
      'in one of several folders',
      SESSION,
      { '.qwen/projects/-a/chats/x.jsonl': PROMPT, [`.qwen/projects/-p/chats/${SESSION}.jsonl`]: PROMPT },
      true,
    ],
    ['without a prompt', SESSION, { [`.qwen/projects/-p/chats/${SESSION}.jsonl`]: OTHER }, false],
    ['of another id', SESSION, { '.qwen/projects/-p/chats/x.jsonl': PROMPT }, false],
    ['without a file', SESSION, {}, false],
    [
      'whose id is no plain one',
      '../x',
      { '.qwen/projects/-p/x.jsonl': PROMPT, '.qwen/projects/-p/chats/y': '' },
      false,
    ],
  ])('is gone on with or not: one %s', (_, session, files, goesOn) => {
    expect(can(session, files)).toBe(goesOn);
  });

  it('lies where its variables say, which must be whole paths', () => {
    const files = { [`q/projects/-p/chats/${SESSION}.jsonl`]: PROMPT };
    expect(can(SESSION, files)).toBe(false);
    expect(can(SESSION, files, ({ home }) => ({ QWEN_RUNTIME_DIR: `${home}/q` }))).toBe(true);
    expect(can(SESSION, files, ({ home }) => ({ QWEN_HOME: `${home}/q` }))).toBe(true);
    expect(
      can(SESSION, files, ({ home }) => ({ QWEN_RUNTIME_DIR: `${home}/r`, QWEN_HOME: `${home}/q` })),
    ).toBe(false);
    expect(can(SESSION, files, ({ home }) => ({ QWEN_RUNTIME_DIR: 'q', QWEN_HOME: `${home}/q` }))).toBe(true);
  });
});

it('Qwen Code is started in the project, with its prompt and the user’s own variables', async () => {
  const notes =
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; cat >"$HOME/input"; cat "$HOME/stream"';
  const here = programs({ qwen: { '*': notes } });
  here.write('stream', `${recordedLines('qwen/stream-hold.jsonl').join('\n')}\n`);
  const client = headless.start({
    ...{
      root: here.project,
      env: { ...here.env, MINE: '1', CLAUDECODE: '1' },
      session: SESSION,
      resume: null,
    },
    ...{ prompt: 'Do it.', access: 'full', allowed: [], model: null, args: ['--more'] },
  });
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  expect(here.read('args').trimEnd().split('\n')).toEqual([
    '--output-format',
    'stream-json',
    '--session-id',
    SESSION,
    '--approval-mode',
    'yolo',
    '--more',
  ]);
  expect(here.read('cwd')).toBe(`${here.project}\n`);
  expect(here.read('input')).toBe('Do it.');
  expect(here.read('env')).toMatch(/^MINE=1$/m);
  expect(here.read('env')).not.toContain('CLAUDECODE');
  expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
  expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
  expect(client.send('More.')).toBe(false);
});

it('what the driver may count on in Qwen Code', () => {
  const { canResume, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: true, callsByName: true });
});
