import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { programs } from '../../../../test/support/programs.ts';
import { headless } from './index.ts';
import { permissionsFor } from './permissions.ts';

const SESSION = 'ses_1';
const LINE = '{"opencode":1,"id":"p","kind":"text"}\n';
const noted = (name: string, text = LINE): Record<string, string> => ({
  [`.local/state/holdfast/opencode/${name}.jsonl`]: text,
});

describe('a session of opencode', () => {
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
    expect(canResume(headless, session, files)).toBe(goesOn);
  });
});

it('opencode is started in the project, with its prompt and the user’s own variables', async () => {
  await expectStarted(headless, {
    ...{ program: 'opencode', stream: 'opencode/stream-hold.jsonl', session: SESSION },
    args: ['run', '--format', 'json', '--auto', '--more'],
  });
});

it('what the driver may count on in opencode', () => {
  const { canResume: _, start, ...traits } = headless;
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
