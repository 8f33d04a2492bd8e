import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { programs } from '../../../../test/support/programs.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"id":"e","type":"message","message":{"role":"user","content":[]}}\n';

describe('a session of Droid', () => {
  it('is gone on with where it has a prompt', () => {
    const file = `.factory/sessions/-p/${SESSION}.jsonl`;
    expect(canResume(headless, SESSION, { [file]: PROMPT })).toBe(true);
    expect(canResume(headless, SESSION, { [file]: '' })).toBe(false);
    expect(canResume(headless, 'x', { [file]: PROMPT })).toBe(false);
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
  await expectStarted(headless, {
    ...{ program: 'droid', stream: 'droid/stream-hold.jsonl', session: SESSION },
    args: ['exec', '--output-format', 'stream-json', '--skip-permissions-unsafe', '--more'],
  });
});

it('what the driver may count on in Droid', () => {
  const { canResume: _, start, ...traits } = headless;
  expect(traits).toEqual({
    choosesSession: false,
    forks: true,
    noEdit:
      'Droid takes its agent’s word for how much a command may do, and its sandbox keeps our hook from its own notes, so that nothing keeps it to editing.',
  });
});
