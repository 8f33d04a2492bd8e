import { describe, expect, it } from 'vitest';
import { programs } from '../../../../test/support/programs.ts';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"id":"e","type":"message","message":{"role":"user","content":[]}}\n';

describe('a session of Droid', () => {
  const can = (session: string, files: Readonly<Record<string, string>>) => {
    const here = programs({});
    for (const [file, text] of Object.entries(files)) here.write(file, text);
    return headless.canResume(session, { root: '/p', env: here.env });
  };

  it('is gone on with where it has a prompt', () => {
    const file = `.factory/sessions/-p/${SESSION}.jsonl`;
    expect(can(SESSION, { [file]: PROMPT })).toBe(true);
    expect(can(SESSION, { [file]: '' })).toBe(false);
    expect(can('x', { [file]: PROMPT })).toBe(false);
  });

  it('is not begun with less than full access', () => {
    const here = programs({ droid: {} });
    const how = { ...{ root: here.project, env: here.env, session: null, resume: null, prompt: 'x' } };
    const less = { ...how, ...{ allowed: [], model: null, args: [] }, access: 'edit' } as const;
    expect(() => headless.start(less)).toThrow('Droid is driven with full access alone');
    expect(here.calls()).toEqual([]);
  });
});

it('Droid is started in the project, with its prompt and the user’s own variables', async () => {
  const notes =
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; cat >"$HOME/input"; cat "$HOME/stream"';
  const here = programs({ droid: { '*': notes } });
  here.write('stream', `${recordedLines('droid/stream-hold.jsonl').join('\n')}\n`);
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
    'exec',
    '--output-format',
    'stream-json',
    '--skip-permissions-unsafe',
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

it('what the driver may count on in Droid', () => {
  const { canResume, start, ...traits } = headless;
  expect(traits).toEqual({
    choosesSession: false,
    forks: true,
    noEdit:
      'Droid takes its agent’s word for how much a command may do, and its sandbox keeps our hook from its own notes, so that nothing keeps it to editing.',
  });
});
