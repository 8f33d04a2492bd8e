import { describe, expect, it } from 'vitest';
import { sessionsOf } from './index.ts';
import { type LookAtProcess, lookAtProcess } from './nesting.ts';

const CLAUDE = 'CLAUDE_CODE_SESSION_ID=a';
const CODEX = 'CODEX_SESSION_ID=b';
const OTHER = 'HOME=/home/dev';

/** As a command of ours finds it: neither client takes the other's variables away (2.1.325 and 0.166.0). */
const env = {
  CLAUDE_CODE_SESSION_ID: 'a',
  CODEX_SESSION_ID: 'b',
  CODEX_THREAD_ID: 'b',
  CLAUDE_PID: '500',
  HOME: '/home/dev',
};

/** The processes above ours, nearest first, by what they were started with; null: not ours to read. */
function above(...started: (readonly string[] | null)[]): LookAtProcess {
  const pids = [process.ppid, ...started.slice(1).map((_, step) => 9000 + step)];
  return (pid) => {
    const at = pids.indexOf(pid);
    const variables = started[at];
    if (at < 0 || variables === undefined) return null;
    return {
      parent: pids[at + 1] ?? 0,
      environment: variables === null ? null : new Set(variables),
    };
  };
}

describe('a client in the shell of another', () => {
  it('is Codex where the process above the shell knows Claude Code alone', () => {
    expect(sessionsOf(env, above([CLAUDE, CODEX], [CLAUDE, OTHER], [CLAUDE], [OTHER]))).toEqual(['b']);
  });

  it('is Claude Code where the process above the shell knows Codex alone', () => {
    expect(sessionsOf(env, above([CLAUDE, CODEX], [CODEX], [OTHER]))).toEqual(['a']);
  });

  it('is known by its own id, not by that of another session of the same client', () => {
    const resumed = 'CLAUDE_CODE_SESSION_ID=older';
    expect(sessionsOf(env, above([CLAUDE, CODEX], [resumed, CODEX], [resumed]))).toEqual(['a']);
  });

  it('is found above processes that we may not read', () => {
    expect(sessionsOf(env, above(null, [CLAUDE, CODEX], null, [CODEX]))).toEqual(['a']);
  });

  it('is Codex in its sandbox, where no process outside is seen, so not Claude Code either', () => {
    expect(sessionsOf(env, above([CLAUDE, CODEX], [CLAUDE, CODEX]))).toEqual(['b']);
  });

  it('is Claude Code in the sandbox of Codex', () => {
    expect(sessionsOf(env, above([CLAUDE, CODEX], [CODEX], [CODEX]))).toEqual(['a']);
  });

  it('may be the third of three', () => {
    const three = { ...env, QWEN_CODE_SESSION_ID: 'q' };
    const look = above([CLAUDE, CODEX, 'QWEN_CODE_SESSION_ID=q'], [CLAUDE, CODEX], [CLAUDE]);
    expect(sessionsOf(three, look)).toEqual(['q']);
  });
});

describe('Gemini, whose shell is known by a mark and has no session', () => {
  const GEMINI = 'GEMINI_CLI=1';
  const both = { CLAUDE_CODE_SESSION_ID: 'a', GEMINI_CLI: '1' };

  it('in the shell of Claude Code is no session, so not the outer one either', () => {
    expect(sessionsOf(both, above([CLAUDE, GEMINI], [CLAUDE, OTHER], [OTHER]))).toEqual([]);
  });

  it('around Claude Code leaves it its session', () => {
    expect(sessionsOf(both, above([CLAUDE, GEMINI], [GEMINI], [OTHER]))).toEqual(['a']);
  });

  it('in a sandbox, where Claude Code’s process is out of sight, is no session', () => {
    expect(sessionsOf({ ...both, CLAUDE_PID: '500' }, above([CLAUDE, GEMINI], [CLAUDE, GEMINI]))).toEqual([]);
  });

  it('alone is no session, without a look at any process', () => {
    const look: LookAtProcess = () => {
      throw new Error('looked');
    };
    expect(sessionsOf({ GEMINI_CLI: '1' }, look)).toEqual([]);
  });

  it('is not known by another value of the variable', () => {
    expect(sessionsOf({ CLAUDE_CODE_SESSION_ID: 'a', GEMINI_CLI: '' }, () => null)).toEqual(['a']);
  });
});

describe('where nothing tells', () => {
  it('no id is left out: no process can be seen', () => {
    expect(sessionsOf(env, () => null)).toEqual(['a', 'b']);
  });

  it('no id is left out: both came at once, or all were started with both', () => {
    const { CLAUDE_PID: _, ...older } = env;
    expect(sessionsOf(older, above([CLAUDE, CODEX], [OTHER]))).toEqual(['a', 'b']);
    expect(sessionsOf(older, above([CLAUDE, CODEX]))).toEqual(['a', 'b']);
  });

  it('the way up ends, even in a circle', () => {
    const look: LookAtProcess = () => ({ parent: process.ppid, environment: new Set([CLAUDE, CODEX]) });
    expect(sessionsOf(env, look)).toEqual(['a', 'b']);
  });
});

it('one client alone is taken at its word, without a look at any process', () => {
  const look: LookAtProcess = () => {
    throw new Error('looked');
  };
  expect(sessionsOf({ CODEX_SESSION_ID: 'b', CODEX_THREAD_ID: 'c' }, look)).toEqual(['b', 'c']);
  expect(sessionsOf({ COPILOT_AGENT_SESSION_ID: 'p' }, look)).toEqual(['p']);
  expect(sessionsOf({ QWEN_CODE_SESSION_ID: 'q' }, look)).toEqual(['q']);
});

it('a process that is not there is not seen', () => {
  expect(lookAtProcess(2 ** 30)).toBeNull();
});
