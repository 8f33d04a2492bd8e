import { describe, expect, it } from 'vitest';
import { checkEnvironment, reviewerEnvironment } from './environment.ts';

const hook = {
  PATH: '/bin',
  ANTHROPIC_API_KEY: 'the user’s',
  CLAUDE_CONFIG_DIR: '/the/users',
  CODEX_HOME: '/the/users',
  CLAUDE_CODE_SESSION_ID: 's',
  CLAUDE_CODE_MESSAGING_SOCKET: '/socket',
  CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
  CLAUDE_PROJECT_DIR: '/p',
  CLAUDE_PID: '1',
  CLAUDECODE: '1',
  AI_AGENT: 'claude-code_2-1-325_harness',
  CODEX_THREAD_ID: 't',
  QWEN_CODE_SESSION_ID: 'q',
  GEMINI_CLI: '1',
  HOLDFAST_NODE: '/node',
  HOLDFAST_EXTRA_CA_CERTS: '/certificates',
};
const users = {
  ...{
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'the user’s',
    CLAUDE_CONFIG_DIR: '/the/users',
    CODEX_HOME: '/the/users',
  },
  NODE_EXTRA_CA_CERTS: '/certificates',
};

describe('the environment', () => {
  it('of a check is the user’s own, and says that nobody sits before it', () => {
    expect(checkEnvironment(hook)).toEqual({ ...users, CI: '1' });
    expect(checkEnvironment({ CI: 'false' })).toEqual({ CI: 'false' });
    expect(checkEnvironment({ CI: '' })).toEqual({ CI: '' });
  });

  it('of a reviewer keeps it from our hook and from the client’s socket, and is the hook’s otherwise', () => {
    const {
      CLAUDE_CODE_MESSAGING_SOCKET: _,
      CLAUDE_CODE_MESSAGING_TOKEN: __,
      HOLDFAST_EXTRA_CA_CERTS: ___,
      ...rest
    } = hook;
    const more = { HOLDFAST_DISABLE: '1', NODE_EXTRA_CA_CERTS: '/certificates' };
    expect(reviewerEnvironment(hook)).toEqual({ ...rest, ...more });
  });
});
