import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"uuid":"u","type":"user","message":{"parts":[{"text":"x"}]}}\n';
const OTHER = '{"uuid":"u","type":"system"}\n';

describe('a session of Qwen Code', () => {
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
    expect(canResume(headless, session, files)).toBe(goesOn);
  });

  it('lies where its variables say, which must be whole paths', () => {
    const files = { [`q/projects/-p/chats/${SESSION}.jsonl`]: PROMPT };
    expect(canResume(headless, SESSION, files)).toBe(false);
    expect(canResume(headless, SESSION, files, ({ home }) => ({ QWEN_RUNTIME_DIR: `${home}/q` }))).toBe(true);
    expect(canResume(headless, SESSION, files, ({ home }) => ({ QWEN_HOME: `${home}/q` }))).toBe(true);
    expect(
      canResume(headless, SESSION, files, ({ home }) => ({
        QWEN_RUNTIME_DIR: `${home}/r`,
        QWEN_HOME: `${home}/q`,
      })),
    ).toBe(false);
    expect(
      canResume(headless, SESSION, files, ({ home }) => ({ QWEN_RUNTIME_DIR: 'q', QWEN_HOME: `${home}/q` })),
    ).toBe(true);
  });
});

it('Qwen Code is started in the project, with its prompt and the user’s own variables', async () => {
  await expectStarted(headless, {
    ...{ program: 'qwen', stream: 'qwen/stream-hold.jsonl', session: SESSION },
    args: ['--output-format', 'stream-json', '--session-id', SESSION, '--approval-mode', 'yolo', '--more'],
  });
});

it('what the driver may count on in Qwen Code', () => {
  const { canResume: _, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: true, callsByName: true });
});
