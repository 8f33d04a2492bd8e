import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Programs, programs } from '../../../../test/support/programs.ts';
import { recordedLines } from '../../../../test/support/recorded.ts';
import { shellQuote } from '../../../text/shell.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { headless } from './index.ts';
import { policyFor } from './policy.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';

describe('a session of Gemini CLI', () => {
  const can = (
    session: string,
    files: Readonly<Record<string, string>>,
    more: (here: Programs) => object = () => ({}),
  ) => {
    const here = programs({});
    for (const [file, text] of Object.entries(files)) here.write(file, text);
    return headless.canResume(session, { root: '/p', env: { ...here.env, ...more(here) } });
  };

  it('is gone on with where it has a prompt and began in this project', () => {
    const first = `{"sessionId":"${SESSION}"}\n`;
    const prompt = '{"id":"e","type":"user","content":"x"}\n';
    const files = (root: string, text: string) => ({
      '.gemini/tmp/p/.project_root': root,
      '.gemini/tmp/p/chats/session-1-00000000.jsonl': text,
    });
    expect(can(SESSION, files('/p', first + prompt))).toBe(true);
    expect(can(SESSION, files('/other', first + prompt))).toBe(false);
    expect(can(SESSION, files('/p', first))).toBe(false);
    expect(can(SESSION, files('/p', first + prompt), ({ home }) => ({ GEMINI_CLI_HOME: `${home}/g` }))).toBe(
      false,
    );
  });
});

it('Gemini CLI is started in the project, with its prompt and the user’s own variables', async () => {
  const notes =
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; cat >"$HOME/input"; cat "$HOME/stream"';
  const here = programs({ gemini: { '*': notes } });
  here.write('stream', `${recordedLines('gemini/stream-hold.jsonl').join('\n')}\n`);
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
    '--approval-mode',
    'yolo',
    '--skip-trust',
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

it('what the driver may count on in Gemini CLI', () => {
  const { canResume, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: false });
});

describe('the rules that Gemini CLI is started with', () => {
  const POLICY = /\.local\/state\/holdfast\/clients\/[0-9a-f]{16}-policy\.toml$/;
  const start = async (files: readonly string[], allowed: readonly string[]) => {
    const here = programs({ gemini: { '*': 'printf "%s\\n" "$@" >"$HOME/args"' } });
    for (const file of files) here.write(file, '');
    const client = headless.start({
      ...{ root: here.project, env: here.env, session: null, resume: null, prompt: 'x' },
      ...{ access: 'edit', allowed, model: null, args: [] },
    });
    for await (const _ of client.events);
    const args = here.read('args').trimEnd().split('\n');
    const [ours = '', ...users] = args.filter((_, at) => args[at - 1] === '--policy');
    return { here, ours, users, rules: fs.readFileSync(ours, 'utf8') };
  };
  const COPY = '.gemini/extensions/holdfast/bin/holdfast';

  it('are ours alone, with what is allowed', async () => {
    const { ours, users, rules } = await start([], ['npm test']);
    expect(ours).toMatch(POLICY);
    expect(users).toEqual([]);
    expect(rules).toBe(policyFor(['npm test']));
  });

  it('are also the user’s own, and those for its copy of our command', async () => {
    const { here, users, rules } = await start(['.gemini/policies/mine.toml', COPY], ['npm test']);
    expect(users).toEqual([`${here.home}/.gemini/policies`]);
    expect(rules).toBe(policyFor(['npm test', shellQuote(`${here.home}/${COPY}`)]));
  });

  it('do not allow our command where nothing is allowed', async () => {
    expect((await start([COPY], [])).rules).toBe(policyFor([]));
  });
});
