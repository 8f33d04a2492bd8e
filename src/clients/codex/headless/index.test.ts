import { describe, expect, it } from 'vitest';
import { programs } from '../../../../test/support/programs.ts';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { headless } from './index.ts';

const SESSION = '019a9000-0000-7000-8000-000000000001';
const DAY = new Date(0x019a90000000).toISOString().slice(0, 10).replaceAll('-', '/');
const row = (role: string, text: string): string =>
  `${JSON.stringify({ type: 'response_item', payload: { type: 'message', role, content: [{ text }] } })}\n`;
const rollout = (...rows: string[]): Record<string, string> => ({
  [`.codex/sessions/${DAY}/rollout-2025-${SESSION}.jsonl`]: rows.join(''),
});

describe('a session of Codex', () => {
  const can = (session: string, files: Readonly<Record<string, string>>) => {
    const here = programs({});
    for (const [file, text] of Object.entries(files)) here.write(file, text);
    return headless.canResume(session, { root: '/p', env: here.env });
  };

  it.each<[string, Record<string, string>, boolean]>([
    ['with a prompt', rollout(row('user', '<environment_context>'), row('user', 'x')), true],
    ['with its own context alone', rollout(row('user', '<environment_context>')), false],
    ['with what the agent said alone', rollout(row('assistant', 'the "user"')), false],
    ['with nothing', rollout(), false],
    ['without a file', {}, false],
  ])('is gone on with or not: one %s', (_, files, goesOn) => {
    expect(can(SESSION, files)).toBe(goesOn);
  });
});

it('Codex is started in the project, with its prompt and the user’s own variables', async () => {
  const notes =
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; cat >"$HOME/input"; cat "$HOME/stream"';
  const here = programs({ codex: { '*': notes } });
  here.write('stream', `${recordedLines('codex/stream-hold.jsonl').join('\n')}\n`);
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
    ...['exec', '--json', '--dangerously-bypass-approvals-and-sandbox'],
    ...['-c', 'features.unbounded_connection_retries=false', '--more', '-'],
  ]);
  expect(here.read('cwd')).toBe(`${here.project}\n`);
  expect(here.read('input')).toBe('Do it.');
  expect(here.read('env')).toMatch(/^MINE=1$/m);
  expect(here.read('env')).not.toContain('CLAUDECODE');
  expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
  expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
  expect(client.send('More.')).toBe(false);
});

it('what the driver may count on in Codex', () => {
  const { canResume, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: false });
});
