import { expect, test } from 'vitest';
import { clients } from '../index.ts';
import { clientEnvironment } from './environment.ts';

test('a client gets the environment of its user: nothing of a client around us, and its certificates', () => {
  const users = {
    PATH: '/bin',
    HOME: '/home/dev',
    ANTHROPIC_API_KEY: 'k',
    CODEX_HOME: '/c',
    HOLDFAST_DRIVER: 't',
  };
  const around = {
    ...{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's', CLAUDE_CODE_MESSAGING_TOKEN: 'secret' },
    ...{
      CODEX_THREAD_ID: 't',
      CODEX_SESSION_ID: 't',
      CLAUDE_PROJECT_DIR: '/p',
      CLAUDE_PID: '1',
      GEMINI_CLI: '1',
    },
  };
  const env = { ...users, ...around, HOLDFAST_EXTRA_CA_CERTS: '/certificates' };
  expect(clientEnvironment(env, clients)).toEqual({ ...users, NODE_EXTRA_CA_CERTS: '/certificates' });
  expect(clientEnvironment(users, clients)).toEqual(users);
});
