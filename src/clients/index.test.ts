import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { recordedPayload } from '../../test/support/recorded.ts';
import { clients, decodeStop, isInsideClient, sessionsOf } from './index.ts';
import type { Stop } from './stop.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const claudeStop: Stop = {
  client: 'claude-code',
  session: id(1),
  turn: id(2),
  cwd: '/home/dev/project',
  transcriptPath: `/home/dev/.claude/projects/-home-dev-project/${id(1)}.jsonl`,
  lastMessage: null,
  planMode: false,
  backgroundTasks: [],
  limitS: 600,
};

const codexStop: Stop = {
  ...claudeStop,
  client: 'codex',
  transcriptPath: `/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T20-58-12-${id(1)}.jsonl`,
};

const running = (task: string) => ({
  backgroundTasks: [
    { id: task, type: 'shell', command: 'sleep 3 && echo finished', description: 'Run the runner' },
  ],
});

describe('an agent’s shell', () => {
  it.each([
    { CLAUDE_CODE_SESSION_ID: 'a' },
    { GEMINI_CLI: '1' },
    // An agent can set a variable in front of a command, and cannot take it away.
    { QWEN_CODE_SESSION_ID: '' },
    { COPILOT_AGENT_SESSION_ID: '' },
    // Of a client without a mark of its own, where we started it.
    { HOLDFAST_DRIVER: 'token' },
    { HOLDFAST_ATTEMPT: '' },
  ])('is told by %j', (env) => {
    expect(isInsideClient({ PATH: '/bin', ...env })).toBe(true);
  });

  it('is not where none of them is there', () => {
    expect(isInsideClient({ PATH: '/bin', GEMINI_CLI: '0', HOLDFAST_NODE: '/n' })).toBe(false);
  });
});

describe('what wakes the agent', () => {
  const attended = { CLAUDE_CODE_SESSION_ATTENDED: '1' };
  const wakes = (payload: object, env: Record<string, string> = attended) => {
    const { client, stop } = decodeStop({ session_id: 'a', prompt_id: 'b', ...payload }, null);
    return client.wakesFor?.(stop, env);
  };
  const task = (type: string, status = 'running', description = 'count files') => ({
    ...{ id: type, type, status, description },
  });
  const cron = (recurring: unknown) => ({ id: 'c', schedule: '* * * * *', recurring, prompt: 'Private' });

  test.each<[string, readonly string[]]>([
    ['claude-code/stop-subagent-running-2.1.325.json', ['a subagent (bg sub)']],
    ['claude-code/stop-shell-running-2.1.325.json', []],
    ['claude-code/stop-cron-2.1.325.json', []],
    ['claude-code/stop-timer-2.1.325.json', ['a timer']],
    ['claude-code/stop-first.json', []],
  ])('at %s is %j', (name, expected) => {
    expect(wakes(recordedPayload(name))).toEqual(expected);
  });

  it('is counted, and the first three subagents are named, each in a few words', () => {
    const background_tasks = [
      task('subagent'),
      task('shell'),
      task('subagent', 'running', 'x'.repeat(100)),
      task('subagent', 'completed'),
      task('subagent', 'running', ''),
      { ...task('subagent'), description: 7 },
      task('subagent', 'running', 'c'),
      task('subagent', 'running', 'd'),
    ];
    const session_crons = [cron(false), cron(true), cron(false), cron(undefined), 'x'];
    expect(wakes({ background_tasks, session_crons })).toEqual([
      `6 subagents (count files; ${'x'.repeat(60)}; c)`,
      '2 timers',
    ]);
  });

  it('is no timer where the client exits beside it', () => {
    const payload = { background_tasks: [task('subagent')], session_crons: [cron(false)] };
    for (const env of [{}, { CLAUDE_CODE_SESSION_ATTENDED: '0' }])
      expect(wakes(payload, env)).toEqual(['a subagent (count files)']);
  });

  it('is nothing in Codex', () => {
    expect(decodeStop(recordedPayload('codex/stop-first.json'), null).client.wakesFor).toBeUndefined();
  });
});

describe('a recorded stop decodes to what the client meant', () => {
  test.each<[string, Stop]>([
    ['claude-code/stop-first.json', { ...claudeStop, lastMessage: 'Hello.' }],
    ['claude-code/stop-after-tool-call.json', { ...claudeStop, lastMessage: 'I am done, I think.' }],
    ['claude-code/stop-after-hold.json', { ...claudeStop, lastMessage: 'Now it is really done.' }],
    [
      'claude-code/stop-plan-mode.json',
      { ...claudeStop, lastMessage: 'Here is what I would do.', planMode: true },
    ],
    [
      'claude-code/stop-background-task.json',
      { ...claudeStop, lastMessage: 'It runs in the background.', ...running('btask0003') },
    ],
    [
      'claude-code/stop-background-task-2.1.325.json',
      { ...claudeStop, lastMessage: 'It runs in the background.', ...running('btask0003') },
    ],
    [
      'claude-code/stop-subagent-running-2.1.325.json',
      {
        ...claudeStop,
        lastMessage: 'I stop; the subagent runs.',
        backgroundTasks: [{ id: 'a1b8f57646c18b950', type: 'subagent', description: 'bg sub' }],
      },
    ],
    [
      'claude-code/stop-woken-by-background-task.json',
      { ...claudeStop, turn: id(4), lastMessage: 'It has finished.' },
    ],
    ['codex/stop-first.json', { ...codexStop, lastMessage: 'I am done, I think.' }],
    ['codex/stop-after-hold.json', { ...codexStop, lastMessage: 'Now it is really done.' }],
    ['codex/stop-ephemeral.json', { ...codexStop, transcriptPath: null, lastMessage: 'One.' }],
  ])('%s', (name, expected) => {
    const { client, stop } = decodeStop(recordedPayload(name), null);
    expect(stop).toEqual(expected);
    expect(client.name).toBe(expected.client);
  });
});

describe('other events of a session are distinguished too', () => {
  test.each<[string, string]>([
    ['claude-code/session-start-startup.json', 'claude-code'],
    ['claude-code/session-start-resume.json', 'claude-code'],
    ['claude-code/session-start-compact.json', 'claude-code'],
    ['claude-code/pre-compact.json', 'claude-code'],
    ['codex/session-start-startup.json', 'codex'],
    ['codex/session-start-compact.json', 'codex'],
    ['codex/pre-compact.json', 'codex'],
  ])('%s', (name, client) => {
    const { stop } = decodeStop(recordedPayload(name), null);
    expect(stop.client).toBe(client);
    expect(stop.session).toBe(id(1));
  });
});

describe('which client a stop comes from', () => {
  it('is what `--client` names, whatever the payload looks like', () => {
    expect(decodeStop({ turn_id: 't' }, 'claude-code').stop.client).toBe('claude-code');
    expect(decodeStop({ prompt_id: 'p' }, 'codex').stop.client).toBe('codex');
    expect(decodeStop({ prompt_id: 'p' }, 'generic').stop.client).toBe('generic');
  });

  it('is Claude Code when nothing tells, and never the one that answers with exit code 2', () => {
    expect(decodeStop({}, null).stop.client).toBe('claude-code');
    expect(decodeStop({ cwd: '/home/dev/project' }, null).stop.client).toBe('claude-code');
  });

  it('is unknown when there is a session but no mark: no client sends so little', () => {
    for (const name of ['session_id', 'sessionId', 'conversation_id'])
      expect(decodeStop({ cwd: '/home/dev/project', [name]: 's' }, null).stop.client).toBe('unknown');
  });
});

describe('the session id', () => {
  test.each(['session_id', 'sessionId', 'conversation_id'])('is found as %s', (name) => {
    for (const client of clients) expect(decodeStop({ [name]: 's1' }, client.name).stop.session).toBe('s1');
  });

  it('is none when empty, and another spelling then counts', () => {
    expect(decodeStop({ session_id: '' }, null).stop.session).toBeNull();
    expect(decodeStop({ session_id: '', sessionId: 's2' }, null).stop.session).toBe('s2');
  });

  it('of a host without sessions is one for all its stops', () => {
    expect(decodeStop({}, 'generic').stop.session).toBe('generic');
    expect(decodeStop({ session_id: ['s'] }, 'generic').stop.session).toBe('generic');
  });
});

describe('a payload that is not what it should be', () => {
  it('loses the fields of a wrong type and keeps the others', () => {
    const payload = {
      session_id: ['s'],
      cwd: 7,
      transcript_path: {},
      last_assistant_message: 'hi',
      permission_mode: 1,
    };
    const { limitS: _, ...byHand } = claudeStop;
    expect(decodeStop(payload, null).stop).toEqual({
      ...byHand,
      session: null,
      turn: null,
      cwd: null,
      transcriptPath: null,
      lastMessage: 'hi',
    });
  });

  it('loses ids and paths with a NUL, which no file system takes, but keeps such a message', () => {
    const payload = {
      session_id: 'a\0b',
      cwd: '/a\0',
      transcript_path: '\0',
      last_assistant_message: 'a\0b',
    };
    const { stop } = decodeStop(payload, null);
    expect([stop.session, stop.cwd, stop.transcriptPath, stop.lastMessage]).toEqual([
      null,
      null,
      null,
      'a\0b',
    ]);
  });

  it('names only background tasks that run, with their command where they have one', () => {
    const tasks = [
      { status: 'running', id: 'a', type: 'shell', command: 'one' },
      { status: 'completed', command: 'two' },
      { status: 'running', command: 3 },
      { status: 'running' },
      { command: 'four' },
      null,
      'five',
      ['six'],
    ];
    const nameless = { id: '', type: '' };
    expect(decodeStop({ background_tasks: tasks }, null).stop.backgroundTasks).toEqual([
      { id: 'a', type: 'shell', command: 'one' },
      nameless,
      nameless,
    ]);
    expect(decodeStop({ background_tasks: 'one' }, null).stop.backgroundTasks).toEqual([]);
  });

  it('never throws and always yields a well-typed stop', () => {
    const names = [
      ...Object.keys(recordedPayload('claude-code/stop-first.json')),
      ...Object.keys(recordedPayload('codex/stop-first.json')),
      ...Object.keys(recordedPayload('copilot/agent-stop-first.json')),
      ...Object.keys(recordedPayload('qwen/stop-first.json')),
      ...Object.keys(recordedPayload('droid/stop-first.json')),
      ...Object.keys(recordedPayload('gemini/after-agent-first.json')),
      ...['cursor_version', 'generation_id', 'status', 'workspace_roots'],
      'sessionId',
      'conversation_id',
      '__proto__',
    ];
    const anyValue = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', '\0', '\ud800', 'plan', '/home/dev/project'),
    );
    const tasks = fc.array(fc.dictionary(fc.constantFrom('status', 'command', 'id', 'type'), anyValue));
    const payloads = fc.oneof(
      fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anyValue),
      fc.record({ background_tasks: tasks }),
    );
    const named = fc.constantFrom<string | null>(null, ...clients.map((client) => client.name));
    fc.assert(
      fc.property(payloads, named, (payload, name) => {
        const { client, stop } = decodeStop(payload, name);
        expect(clients).toContain(client);
        expectWellTyped(stop);
      }),
      { numRuns: 500 },
    );
  });
});

function expectWellTyped(stop: Stop): void {
  const { failed, endMark = null, limitS, afterHold, ...rest } = stop;
  const { limitS: _, ...always } = claudeStop;
  expect(Object.keys(rest).sort()).toEqual(Object.keys(always).sort());
  expect([true, undefined]).toContain(failed);
  expect([true, false, undefined]).toContain(afterHold);
  expect(limitS === undefined || limitS >= 0).toBe(true);
  for (const name of [stop.session, stop.turn, stop.cwd, stop.transcriptPath, endMark]) {
    expect(name === null || (typeof name === 'string' && name !== '' && !name.includes('\0'))).toBe(true);
  }
  expect(stop.lastMessage === null || typeof stop.lastMessage === 'string').toBe(true);
  expect(typeof stop.planMode).toBe('boolean');
  for (const { id: task, type, command = '' } of stop.backgroundTasks)
    expect([typeof task, typeof type, typeof command]).toEqual(['string', 'string', 'string']);
}

describe('the sessions of a command’s environment', () => {
  it('are those of every client around it, each once, where nothing tells which is the inner one', () => {
    const env = {
      CODEX_SESSION_ID: 'b',
      CODEX_THREAD_ID: 'b',
      CLAUDE_CODE_SESSION_ID: 'a',
      HOME: '/home/dev',
    };
    expect(sessionsOf(env)).toEqual(['a', 'b']);
  });

  it('are none in a plain terminal', () => {
    expect(sessionsOf({ CLAUDE_CODE_SESSION_ID: '', CODEX_THREAD_ID: undefined })).toEqual([]);
  });
});
