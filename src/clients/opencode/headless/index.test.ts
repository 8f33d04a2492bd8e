import { describe, expect, it } from 'vitest';
import { programs } from '../../../../test/support/programs.ts';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { headless } from './index.ts';
import { permissionsFor } from './permissions.ts';

const SESSION = 'ses_1';
const LINE = '{"opencode":1,"id":"p","kind":"text"}\n';
const noted = (name: string, text = LINE): Record<string, string> => ({
  [`.local/state/holdfast/opencode/${name}.jsonl`]: text,
});

describe('a session of opencode', () => {
  const can = (session: string, files: Readonly<Record<string, string>>) => {
    const here = programs({});
    for (const [file, text] of Object.entries(files)) here.write(file, text);
    return headless.canResume(session, { root: '/p', env: here.env });
  };

  it.each<[string, Record<string, string>, boolean]>([
    ['ses_1', noted('ses_1'), true],
    ['ses_1', noted('ses_1', `{}\n${LINE}`), true],
    ['ses_1', noted('ses_1', '{}\n'), false],
    ['ses_1', noted('ses_2'), false],
    ['ses_1', {}, false],
    ['a_B-9', noted('a_B-9'), true],
    ['a'.repeat(100), noted('a'.repeat(100)), true],
    ['a'.repeat(101), noted('a'.repeat(101)), false],
    ['', noted(''), false],
    ['x.y', noted('x.y'), false],
    ['y/../x', { ...noted('x'), ...noted('y/z') }, false],
  ])('is gone on with where our plugin noted anything of it: %s', (session, files, goesOn) => {
    expect(can(session, files)).toBe(goesOn);
  });
});

it('opencode is started in the project, with its prompt and the user’s own variables', async () => {
  const notes =
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"; cat >"$HOME/input"; cat "$HOME/stream"';
  const here = programs({ opencode: { '*': notes } });
  here.write('stream', `${recordedLines('opencode/stream-hold.jsonl').join('\n')}\n`);
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
  expect(here.read('args').trimEnd().split('\n')).toEqual(['run', '--format', 'json', '--auto', '--more']);
  expect(here.read('cwd')).toBe(`${here.project}\n`);
  expect(here.read('input')).toBe('Do it.');
  expect(here.read('env')).toMatch(/^MINE=1$/m);
  expect(here.read('env')).not.toContain('CLAUDECODE');
  expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
  expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
  expect(client.send('More.')).toBe(false);
});

it('what the driver may count on in opencode', () => {
  const { canResume, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: false });
});

it('opencode has rules in its environment with edit alone', async () => {
  const here = programs({ opencode: { '*': 'printf "%s" "$OPENCODE_PERMISSION" >"$HOME/rules"' } });
  const rules = async (access: 'edit' | 'full'): Promise<string> => {
    const client = headless.start({
      ...{ root: here.project, env: here.env, session: null, resume: null, prompt: 'x' },
      ...{ access, allowed: ['npm test'], model: null, args: [] },
    });
    for await (const _ of client.events);
    return here.read('rules');
  };
  expect(await rules('edit')).toBe(permissionsFor(['npm test']));
  expect(await rules('full')).toBe('');
});
