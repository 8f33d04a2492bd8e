import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { programs } from '../../../../test/support/programs.ts';
import { shellQuote } from '../../../text/shell.ts';
import { headless } from './index.ts';
import { policyFor } from './policy.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';

describe('a session of Gemini CLI', () => {
  it('is gone on with where it has a prompt and began in this project', () => {
    const first = `{"sessionId":"${SESSION}"}\n`;
    const prompt = '{"id":"e","type":"user","content":"x"}\n';
    const files = (root: string, text: string) => ({
      '.gemini/tmp/p/.project_root': root,
      '.gemini/tmp/p/chats/session-1-00000000.jsonl': text,
    });
    expect(canResume(headless, SESSION, files('/p', first + prompt))).toBe(true);
    expect(canResume(headless, SESSION, files('/other', first + prompt))).toBe(false);
    expect(canResume(headless, SESSION, files('/p', first))).toBe(false);
    expect(
      canResume(headless, SESSION, files('/p', first + prompt), ({ home }) => ({
        GEMINI_CLI_HOME: `${home}/g`,
      })),
    ).toBe(false);
  });
});

it('Gemini CLI is started in the project, with its prompt and the user’s own variables', async () => {
  await expectStarted(headless, {
    ...{ program: 'gemini', stream: 'gemini/stream-hold.jsonl', session: SESSION },
    args: ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', '--more'],
  });
});

it('what the driver may count on in Gemini CLI', () => {
  const { canResume: _, start, ...traits } = headless;
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
