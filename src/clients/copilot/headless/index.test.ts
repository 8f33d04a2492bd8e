import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"id":"e","type":"user.message","data":{}}\n';
const OTHER = '{"id":"e","type":"session.start","data":{}}\n';

describe('a session of Copilot CLI', () => {
  it.each<[string, string, Record<string, string>, boolean]>([
    [
      'with a prompt',
      SESSION,
      { [`.copilot/session-state/${SESSION}/events.jsonl`]: `${OTHER}${PROMPT}` },
      true,
    ],
    ['without a prompt', SESSION, { [`.copilot/session-state/${SESSION}/events.jsonl`]: OTHER }, false],
    ['of another id', SESSION, { '.copilot/session-state/x/events.jsonl': PROMPT }, false],
    [
      'whose id is no plain one',
      '../x',
      { '.copilot/x/events.jsonl': PROMPT, '.copilot/session-state/y': '' },
      false,
    ],
  ])('is gone on with or not: one %s', (_, session, files, goesOn) => {
    expect(canResume(headless, session, files)).toBe(goesOn);
  });

  it('lies where its variable says', () => {
    const files = { [`c/session-state/${SESSION}/events.jsonl`]: PROMPT };
    expect(canResume(headless, SESSION, files)).toBe(false);
    expect(canResume(headless, SESSION, files, ({ home }) => ({ COPILOT_HOME: `${home}/c` }))).toBe(true);
  });
});

it('Copilot CLI is started in the project, with its prompt and the user’s own variables', async () => {
  await expectStarted(headless, {
    ...{ program: 'copilot', stream: 'copilot/stream-hold.jsonl', session: SESSION },
    args: ['--output-format', 'json', '--session-id', SESSION, '--allow-all', '--more'],
  });
});

it('what the driver may count on in Copilot CLI', () => {
  const { canResume: _, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: true, callsByName: true });
});
