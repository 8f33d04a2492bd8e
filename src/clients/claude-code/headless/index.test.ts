import { describe, expect, it } from 'vitest';
import { type Programs, programs } from '../../../../test/support/programs.ts';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"type":"user"}\n';
const line = (content: string): string =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

describe('a session of Claude Code', () => {
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
    ['with a prompt', SESSION, { [`.claude/projects/-p/${SESSION}.jsonl`]: `{}\n${PROMPT}` }, true],
    [
      'in one of several folders',
      SESSION,
      { '.claude/projects/-a/x.jsonl': PROMPT, [`.claude/projects/-p/${SESSION}.jsonl`]: PROMPT },
      true,
    ],
    [
      'without a prompt',
      SESSION,
      { [`.claude/projects/-p/${SESSION}.jsonl`]: '{"type":"summary"}\n' },
      false,
    ],
    ['of another id', SESSION, { '.claude/projects/-p/x.jsonl': PROMPT }, false],
    ['without a file', SESSION, {}, false],
    [
      'whose id is no plain one',
      '../x',
      { '.claude/projects/x.jsonl': PROMPT, '.claude/projects/-p/y': '' },
      false,
    ],
  ])('is gone on with or not: one %s', (_, session, files, goesOn) => {
    expect(can(session, files)).toBe(goesOn);
  });

  it('lies where its variable says, which must be a whole path', () => {
    const files = { [`c/projects/-p/${SESSION}.jsonl`]: PROMPT };
    expect(can(SESSION, files)).toBe(false);
    expect(can(SESSION, files, ({ home }) => ({ CLAUDE_CONFIG_DIR: `${home}/c` }))).toBe(true);
    const usual = { [`.claude/projects/-p/${SESSION}.jsonl`]: PROMPT };
    expect(can(SESSION, usual, () => ({ CLAUDE_CONFIG_DIR: 'c' }))).toBe(true);
    expect(can(SESSION, usual, ({ home }) => ({ CLAUDE_CONFIG_DIR: `${home}/c` }))).toBe(false);
  });
});

it('Claude Code is started in the project, with its prompt and the user’s own variables', async () => {
  const notes =
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; { read -r a; read -r b; printf "%s\\n" "$a" "$b"; } >"$HOME/input"; cat "$HOME/stream"';
  const here = programs({ claude: { '*': notes } });
  here.write('stream', `${recordedLines('claude-code/stream-hold-2.1.325.jsonl').join('\n')}\n`);
  const client = headless.start({
    ...{
      root: here.project,
      env: { ...here.env, MINE: '1', CLAUDECODE: '1' },
      session: SESSION,
      resume: null,
    },
    ...{ prompt: 'Do it.', access: 'full', allowed: [], model: null, args: ['--more'] },
  });
  expect(client.send('Go on.')).toBe(true);
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  expect(here.read('args').trimEnd().split('\n')).toEqual([
    ...[
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-hook-events',
    ],
    ...['--session-id', SESSION, '--dangerously-skip-permissions', '--more'],
  ]);
  expect(here.read('cwd')).toBe(`${here.project}\n`);
  expect(here.read('input')).toBe(`${line('Do it.')}${line('Go on.')}`);
  expect(here.read('env')).toMatch(/^MINE=1$/m);
  expect(here.read('env')).not.toContain('CLAUDECODE');
  expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
  expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
  expect(client.send('More.')).toBe(false);
});

it('what the driver may count on in Claude Code', () => {
  const { canResume, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: true });
});
