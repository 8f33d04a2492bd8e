import { describe, expect, it } from 'vitest';
import { recordedPayload } from '../../../test/support/recorded.ts';
import type { BackgroundTask, Stop } from '../stop.ts';
import { encode } from './encode.ts';
import { headless } from './headless/index.ts';
import { claudeCode } from './index.ts';
import { installer } from './install.ts';
import { startFolder } from './start-folder.ts';
import { readTranscriptLine } from './transcript.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

const first: Stop = {
  client: 'claude-code',
  session: '00000000-0000-4000-8000-000000000001',
  turn: '00000000-0000-4000-8000-000000000002',
  cwd: '/home/dev/project',
  transcriptPath: '/home/dev/.claude/projects/-home-dev-project/00000000-0000-4000-8000-000000000001.jsonl',
  lastMessage: 'Hello.',
  planMode: false,
  backgroundTasks: [],
};
const bare: Stop = {
  ...{ client: 'claude-code', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('Claude Code is known by these names, and loads its own parts when they are needed', async () => {
  const {
    sandbox,
    recognises,
    decode,
    wakesFor,
    usage: loadUsage,
    work: loadWork,
    install,
    headless: driven,
    ...known
  } = claudeCode;
  expect(known).toEqual({
    name: 'claude-code',
    title: 'Claude Code',
    sessionVariables: ['CLAUDE_CODE_SESSION_ID'],
    pidVariable: 'CLAUDE_PID',
    startVariable: 'CLAUDE_PROJECT_DIR',
    secretVariables: ['CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'],
    hookVariables: [
      ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ATTENDED'],
      ...['CLAUDE_EFFORT', 'CLAUDE_ENV_FILE', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_PLUGIN_ROOT'],
    ],
    ...{ startFolder, encode, readTranscriptLine },
    hookLimit: expect.any(Function),
    longCommands: 'wakes',
  });
  expect([claudeCode.hookLimit(null), claudeCode.hookLimit(30)]).toEqual([600, 30]);
  expect(install).toMatchObject({ program: 'claude', projectScope: true, asksForTrust: false });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('claude');
  expect(await driven?.load()).toBe(headless);
  expect(await loadUsage?.()).toBe(usage);
  expect(await loadWork?.()).toBe(work);
  expect(await sandbox?.(bare, { HOME: '/nonexistent' }, '/nonexistent')).toEqual({ kind: 'none' });
});

describe('a payload is one of Claude Code’s', () => {
  const start = { hook_event_name: 'SessionStart', source: 'startup' };
  it.each<[object, boolean]>([
    [{}, false],
    [{ prompt_id: 'p' }, true],
    [{ background_tasks: [] }, true],
    [{ session_crons: [] }, true],
    [{ prompt_id: 'p', turn_id: 't' }, false],
    [{ prompt_id: 'p', crons: [] }, false],
    [{ prompt_id: 'p', timestamp: 't', permission_mode: 'm' }, false],
    [start, true],
    [{ source: 'startup' }, false],
    [{ hook_event_name: 'SessionStart' }, false],
    [{ ...start, hook_event_name: 'SessionEnd' }, false],
    [{ ...start, permission_mode: 'm' }, false],
    [{ ...start, timestamp: 't' }, false],
    [{ ...start, initial_prompt: 'i' }, false],
    [{ ...start, CLAUDE_ENV_FILE: 'f' }, false],
    [{ ...start, cursor_version: '1' }, false],
    [{ ...start, turn_id: 't' }, false],
  ])('%j: %s', (payload, says) => {
    expect(claudeCode.recognises({ ...payload })).toBe(says);
  });
});

describe('a stop of Claude Code', () => {
  const shell = {
    id: 'byhnl67mr',
    type: 'shell',
    description: 'bg sleeper',
    command: 'sleep 4; echo BGDONE',
  };
  it.each<[string, Partial<Stop>]>([
    ['stop-first', {}],
    ['stop-plan-mode', { lastMessage: 'Here is what I would do.', planMode: true }],
    ['stop-shell-running-2.1.325', { lastMessage: 'I stop; a command runs.', backgroundTasks: [shell] }],
    ['stop-cron-2.1.325', { lastMessage: 'I stop; a cron is set.' }],
    ['stop-timer-2.1.325', { lastMessage: 'I stop; a timer is set.', timers: 1 }],
  ])('is read as recorded: %s', (name, more) => {
    expect(claudeCode.decode(recordedPayload(`claude-code/${name}.json`))).toEqual({ ...first, ...more });
  });

  it.each<[object, string | null]>([
    [{ prompt_id: 'p' }, 'p'],
    [{ prompt_id: 'p', turn_id: 't' }, null],
    [{ prompt_id: 'p\0' }, null],
    [{}, null],
  ])('belongs to the prompt of %j', (payload, turn) => {
    expect(claudeCode.decode({ ...payload })).toEqual({ ...bare, turn });
  });

  it.each<[unknown, BackgroundTask[]]>([
    [undefined, []],
    ['running', []],
    [[{ id: 'a', type: 'shell', status: 'completed' }], []],
    [[{ id: 'a', type: 'shell' }], []],
    [[null, 7, { status: 'running' }], [{ id: '', type: '' }]],
    [
      [{ id: 'a', type: 'shell', status: 'running', command: 'c' }],
      [{ id: 'a', type: 'shell', command: 'c' }],
    ],
    [
      [{ id: 'a', type: 'subagent', status: 'running', description: 'd', command: '' }],
      [{ id: 'a', type: 'subagent', description: 'd' }],
    ],
  ])('has what still runs in the background: %j', (background_tasks, backgroundTasks) => {
    expect(claudeCode.decode({ background_tasks })).toEqual({ ...bare, backgroundTasks });
  });

  it.each<[unknown, object]>([
    [undefined, {}],
    [[], {}],
    [[{ recurring: true }, {}, { recurring: 'false' }], {}],
    [[{ recurring: false }], { timers: 1 }],
    [[{ recurring: false }, { recurring: true }, { recurring: false }], { timers: 2 }],
  ])('counts the timers that fire once: %j', (session_crons, timers) => {
    expect(claudeCode.decode({ session_crons })).toEqual({ ...bare, ...timers });
  });
});

describe('what wakes the agent of Claude Code', () => {
  const agent = (description?: string): BackgroundTask => ({
    ...{ id: 'a', type: 'subagent' },
    ...(description === undefined ? {} : { description }),
  });
  const shell: BackgroundTask = { id: 's', type: 'shell', command: 'c', description: 'd' };
  const attended = { CLAUDE_CODE_SESSION_ATTENDED: '1' };
  it.each<[string, Partial<Stop>, Record<string, string>, string[]]>([
    ['nothing', {}, attended, []],
    ['a shell does not', { backgroundTasks: [shell] }, attended, []],
    ['a subagent', { backgroundTasks: [shell, agent()] }, {}, ['a subagent']],
    ['one with an empty name', { backgroundTasks: [agent('')] }, {}, ['a subagent']],
    ['one by its name', { backgroundTasks: [agent('look')] }, {}, ['a subagent (look)']],
    [
      'a long name is cut',
      { backgroundTasks: [agent(`${'x'.repeat(60)}y`)] },
      {},
      [`a subagent (${'x'.repeat(60)})`],
    ],
    [
      'three of several names',
      { backgroundTasks: [agent(), agent('a'), agent('b'), agent('c'), agent('d')] },
      {},
      ['5 subagents (a; b; c)'],
    ],
    ['a timer where somebody sits there', { timers: 1 }, attended, ['a timer']],
    ['no timer where nobody does', { timers: 1 }, {}, []],
    ['nor where it says so', { timers: 1 }, { CLAUDE_CODE_SESSION_ATTENDED: '0' }, []],
    [
      'both',
      { timers: 2, backgroundTasks: [agent('a'), agent('b')] },
      attended,
      ['2 subagents (a; b)', '2 timers'],
    ],
  ])('%s', (_, stop, env, wakes) => {
    expect(claudeCode.wakesFor?.({ ...bare, ...stop }, env)).toEqual(wakes);
  });
});

describe('the rule that allows what was denied', () => {
  it.each([
    ['Bash(npm test)', 'npm'],
    ['Bash: npm  test', 'npm'],
    ['Bash \tnpm', 'npm'],
    ['  npm test', 'npm'],
    ['npm\t test', 'npm'],
    ['npm', 'npm'],
    ['run Bash(x)', 'run'],
    ['Bashful x', 'Bashful'],
    ['my-Bash(x y', 'my-Bash(x'],
    ['Bash((npm', 'npm'],
    ['', ''],
  ])('%j', (denied, program) => {
    expect(claudeCode.headless?.allows?.(denied)).toBe(
      `"permissions": {"allow": ["Bash(${program} *)"]} in .claude/settings.json`,
    );
  });
});
