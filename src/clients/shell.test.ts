// What the environment of a command tells of the clients around it, and what of it a client that we start gets.

import { describe, expect, it } from 'vitest';
import { clientEnvironment } from './headless/environment.ts';
import { clients, isInsideClient, sessionsAround, sessionsOf, startFoldersIn } from './index.ts';
import { type LookAtProcess, lookAtProcess } from './nesting.ts';

const CLAUDE = 'CLAUDE_CODE_SESSION_ID=a';
const CODEX = 'CODEX_SESSION_ID=b';
const QWEN = 'QWEN_CODE_SESSION_ID=q';
const GEMINI = 'GEMINI_CLI=1';
const OTHER = 'HOME=/home/dev';
/** As a command of ours finds it: neither client takes the other's variables away (2.1.325 and 0.166.0). */
const ids = { CLAUDE_CODE_SESSION_ID: 'a', CODEX_SESSION_ID: 'b', CODEX_THREAD_ID: 'b' };
const env = { ...ids, CLAUDE_PID: '500', HOME: '/home/dev' };
const three = { ...env, QWEN_CODE_SESSION_ID: 'q' };
const inGemini = { CLAUDE_CODE_SESSION_ID: 'a', GEMINI_CLI: '1' };

/** The processes above ours, nearest first, by what they were started with; null: not ours to read. */
function above(...started: (readonly string[] | null)[]): LookAtProcess {
  const pids = [process.ppid, ...started.slice(1).map((_, step) => 9000 + step)];
  return (pid) => {
    const at = pids.indexOf(pid);
    const variables = started[at];
    if (at < 0 || variables === undefined) return null;
    return { parent: pids[at + 1] ?? 0, environment: variables && new Set(variables) };
  };
}
const circle: LookAtProcess = () => ({ parent: process.ppid, environment: new Set([CLAUDE, CODEX]) });
const never: LookAtProcess = () => {
  throw new Error('looked');
};

describe('the sessions of a command', () => {
  it.each<[string, Record<string, string | undefined>, LookAtProcess, string[]]>([
    ['Codex in Claude Code', env, above([CLAUDE, CODEX], [CLAUDE, OTHER], [CLAUDE], [OTHER]), ['b']],
    ['Claude Code in Codex', env, above([CLAUDE, CODEX], [CODEX], [OTHER]), ['a']],
    ['a resumed one', env, above([CLAUDE, CODEX], ['CLAUDE_CODE_SESSION_ID=older', CODEX]), ['a']],
    ['above what we may not read', env, above(null, [CLAUDE, CODEX], null, [CODEX]), ['a']],
    ['Codex in its sandbox, which hides Claude Code', env, above([CLAUDE, CODEX], [CLAUDE, CODEX]), ['b']],
    ['Claude Code in the sandbox of Codex', env, above([CLAUDE, CODEX], [CODEX], [CODEX]), ['a']],
    ['the third of three', three, above([CLAUDE, CODEX, QWEN], [CLAUDE, CODEX], [CLAUDE]), ['q']],
    [
      'Gemini in Claude Code, which has none',
      inGemini,
      above([CLAUDE, GEMINI], [CLAUDE, OTHER], [OTHER]),
      [],
    ],
    ['Claude Code in Gemini', inGemini, above([CLAUDE, GEMINI], [GEMINI], [OTHER]), ['a']],
    [
      'Gemini in a sandbox',
      { ...inGemini, CLAUDE_PID: '500' },
      above([CLAUDE, GEMINI], [CLAUDE, GEMINI]),
      [],
    ],
    ['where no process is seen', env, () => null, ['a', 'b']],
    ['where both came at once', ids, above([CLAUDE, CODEX], [OTHER]), ['a', 'b']],
    ['where all were started with both', ids, above([CLAUDE, CODEX]), ['a', 'b']],
    ['where the way up is a circle', env, circle, ['a', 'b']],
    ['of Gemini alone', { GEMINI_CLI: '1' }, never, []],
    ['another value of the mark', { CLAUDE_CODE_SESSION_ID: 'a', GEMINI_CLI: '' }, never, ['a']],
    ['of Codex alone', { CODEX_SESSION_ID: 'b', CODEX_THREAD_ID: 'c' }, never, ['b', 'c']],
    ['of Copilot alone', { COPILOT_AGENT_SESSION_ID: 'p' }, never, ['p']],
    ['in a plain terminal', { CLAUDE_CODE_SESSION_ID: '', CODEX_THREAD_ID: undefined }, never, []],
  ])('are those of the innermost client, or all where nothing tells: %s', (_, given, look, sessions) => {
    expect(sessionsOf(given, look)).toEqual(sessions);
  });

  it('are looked for from a process that is there', () => {
    expect(lookAtProcess(2 ** 30)).toBeNull();
    if (process.platform === 'linux') expect(lookAtProcess(process.pid)?.parent).toBe(process.ppid);
    expect(sessionsAround(three)).toEqual(['a', 'b', 'b', 'q']);
  });
});

describe('an agent’s shell', () => {
  it.each([
    { CLAUDE_CODE_SESSION_ID: 'a' },
    { GEMINI_CLI: '1' },
    // An agent can set a variable in front of a command, and cannot take it away.
    { QWEN_CODE_SESSION_ID: '' },
    // Of a client without a mark of its own, where we started it.
    { HOLDFAST_DRIVER: 'token' },
    { HOLDFAST_ATTEMPT: '' },
  ])('is told by %j', (more) => {
    expect(isInsideClient({ PATH: '/bin', ...more })).toBe(true);
  });

  it('is not where none of them is there', () => {
    expect(isInsideClient({ PATH: '/bin', GEMINI_CLI: '0', HOLDFAST_NODE: '/n' })).toBe(false);
  });
});

it('the folder in which the client of a hook was started is what its variable says', () => {
  expect(startFoldersIn({ CLAUDE_PROJECT_DIR: '', GEMINI_PROJECT_DIR: '/g' })).toEqual(['/g']);
  expect(startFoldersIn({ CLAUDE_PROJECT_DIR: '/c', GEMINI_PROJECT_DIR: '/g' })).toEqual(['/c', '/g']);
});

it('a client gets the environment of its user: nothing of a client around us, and its certificates', () => {
  const users = { PATH: '/bin', HOME: '/h', ANTHROPIC_API_KEY: 'k', CODEX_HOME: '/c', HOLDFAST_DRIVER: 't' };
  const theirs = [
    'CLAUDECODE',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_PID',
    'GEMINI_CLI',
  ];
  const around = Object.fromEntries([...theirs, ...Object.keys(ids)].map((name) => [name, 'x']));
  const given = clientEnvironment({ ...users, ...around, HOLDFAST_EXTRA_CA_CERTS: '/ca' }, clients);
  expect(given).toEqual({ ...users, NODE_EXTRA_CA_CERTS: '/ca' });
  expect(clientEnvironment(users, clients)).toEqual(users);
});
