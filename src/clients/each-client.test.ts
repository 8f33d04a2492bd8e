// What each client is, as its file says it, and that what it loads lazily is its own.

import { describe, expect, it } from 'vitest';
import { headless as claudeHeadless } from './claude-code/headless/index.ts';
import { installer as claudeInstaller } from './claude-code/install.ts';
import { usage as claudeUsage } from './claude-code/usage.ts';
import { headless as codexHeadless } from './codex/headless/index.ts';
import { installer as codexInstaller } from './codex/install.ts';
import { usage as codexUsage } from './codex/usage.ts';
import { headless as copilotHeadless } from './copilot/headless/index.ts';
import { installer as copilotInstaller } from './copilot/install.ts';
import { usage as copilotUsage } from './copilot/usage.ts';
import { headless as droidHeadless } from './droid/headless/index.ts';
import { installer as droidInstaller } from './droid/install.ts';
import { headless as geminiHeadless } from './gemini/headless/index.ts';
import { installer as geminiInstaller } from './gemini/install.ts';
import { usage as geminiUsage } from './gemini/usage.ts';
import { clientNamed, clients, decodeStop, isClientName, startFoldersIn } from './index.ts';
import { headless as opencodeHeadless } from './opencode/headless/index.ts';
import { installer as opencodeInstaller } from './opencode/install.ts';
import { usage as opencodeUsage } from './opencode/usage.ts';
import { headless as qwenHeadless } from './qwen/headless/index.ts';
import { installer as qwenInstaller } from './qwen/install.ts';
import { usage as qwenUsage } from './qwen/usage.ts';

/** All that is no function. */
const plain = (value: object): unknown => JSON.parse(JSON.stringify(value));
const installs = (program: string, more: object = {}): object => ({
  install: { program, projectScope: false, asksForTrust: false, ...more },
  headless: { program },
});

describe('what is known of each client', () => {
  it.each<[string, object]>([
    [
      'claude-code',
      {
        title: 'Claude Code',
        sessionVariables: ['CLAUDE_CODE_SESSION_ID'],
        pidVariable: 'CLAUDE_PID',
        startVariable: 'CLAUDE_PROJECT_DIR',
        secretVariables: ['CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'],
        hookVariables: [
          ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ATTENDED'],
          ...['CLAUDE_EFFORT', 'CLAUDE_ENV_FILE', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_PLUGIN_ROOT'],
        ],
        longCommands: 'wakes',
        ...installs('claude', { projectScope: true }),
      },
    ],
    [
      'codex',
      {
        title: 'Codex',
        sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
        hookVariables: ['CODEX_MANAGED_BY_NPM', 'CODEX_MANAGED_PACKAGE_ROOT'],
        longCommands: 'sandboxed',
        skillMark: '$',
        ...installs('codex', { asksForTrust: true }),
      },
    ],
    [
      'copilot',
      {
        title: 'Copilot CLI',
        sessionVariables: ['COPILOT_AGENT_SESSION_ID'],
        hookVariables: ['COPILOT_CLI', 'COPILOT_CLI_BINARY_VERSION', 'COPILOT_CLI_RESOLVED_DIST_DIR'],
        mustBeHeard: { lags: true },
        hidesNotices: true,
        contextOnTop: true,
        holdsPerPrompt: {},
        ...installs('copilot'),
      },
    ],
    [
      'qwen',
      {
        title: 'Qwen Code',
        sessionVariables: ['QWEN_CODE_SESSION_ID'],
        hookVariables: [
          ...[
            'QWEN_CODE',
            'QWEN_CODE_AGENT_ID',
            'QWEN_CODE_CLI',
            'QWEN_CODE_LAUNCHER_PID',
            'QWEN_CODE_MODEL',
          ],
          ...['QWEN_CODE_NO_RELAUNCH', 'QWEN_CODE_PROJECT_DIR', 'QWEN_CODE_PROMPT_ID', 'QWEN_PROJECT_DIR'],
          ...['QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE', 'QWEN_CODE_STARTUP_VERSION'],
        ],
        mustBeHeard: { lags: false },
        holdsPerPrompt: {
          more: 'With QWEN_CODE_STOP_HOOK_BLOCK_CAP=100 in its environment it takes more of them.',
        },
        ...installs('qwen'),
      },
    ],
    ['droid', { title: 'Droid', sessionVariables: [], mustBeHeard: { lags: false }, ...installs('droid') }],
    [
      'gemini',
      {
        title: 'Gemini CLI',
        sessionVariables: [],
        shellMark: 'GEMINI_CLI=1',
        startVariable: 'GEMINI_PROJECT_DIR',
        hookVariables: ['GEMINI_SESSION_ID', 'GEMINI_PLANS_DIR', 'GEMINI_CWD', 'GEMINI_CLI_NO_RELAUNCH'],
        mustBeHeard: { lags: false, skipsTurns: true },
        ...installs('gemini'),
      },
    ],
    [
      'opencode',
      {
        title: 'opencode',
        sessionVariables: ['OPENCODE_SESSION_ID'],
        shellMark: 'OPENCODE=1',
        pidVariable: 'OPENCODE_PID',
        ...installs('opencode'),
      },
    ],
    ['cursor', { title: 'Cursor', sessionVariables: [], mustBeHeard: { lags: true } }],
    ['unknown', { title: 'this client', sessionVariables: [], mustBeHeard: { lags: true } }],
    ['generic', { title: 'this host', sessionVariables: [] }],
  ])('%s', (name, known) => {
    expect(plain(clientNamed(name))).toEqual({ name, ...known });
    expect(isClientName(name)).toBe(true);
  });

  it('is all there is, in this order', () => {
    expect(clients.map(({ name }) => name)).toEqual([
      ...['claude-code', 'codex', 'copilot', 'qwen', 'droid', 'gemini', 'opencode'],
      ...['cursor', 'unknown', 'generic'],
    ]);
    expect(isClientName('claude')).toBe(false);
    expect(clientNamed('claude').name).toBe('unknown');
  });
});

describe('what a client loads when it is needed', () => {
  it.each([
    ['claude-code', claudeInstaller, claudeHeadless, claudeUsage],
    ['codex', codexInstaller, codexHeadless, codexUsage],
    ['copilot', copilotInstaller, copilotHeadless, copilotUsage],
    ['qwen', qwenInstaller, qwenHeadless, qwenUsage],
    ['droid', droidInstaller, droidHeadless, undefined],
    ['gemini', geminiInstaller, geminiHeadless, geminiUsage],
    ['opencode', opencodeInstaller, opencodeHeadless, opencodeUsage],
  ])('is its own: %s', async (name, installer, headless, usage) => {
    const client = clientNamed(name);
    expect(await client.install?.load()).toBe(installer);
    expect(await client.headless?.load()).toBe(headless);
    expect(await client.usage?.()).toBe(usage);
  });

  it.each(['cursor', 'unknown', 'generic'])('is nothing: %s', (name) => {
    const { install, headless, usage } = clientNamed(name);
    expect({ install, headless, usage }).toEqual({});
  });
});

describe('what a user writes so that what was denied is allowed', () => {
  it.each<[string, string, string | undefined]>([
    ['claude-code', 'Bash(npm test)', '"permissions": {"allow": ["Bash(npm *)"]} in .claude/settings.json'],
    ['claude-code', 'Bash: npm  test', '"permissions": {"allow": ["Bash(npm *)"]} in .claude/settings.json'],
    ['claude-code', ' npm test', '"permissions": {"allow": ["Bash(npm *)"]} in .claude/settings.json'],
    ['claude-code', 'xBash(a b', '"permissions": {"allow": ["Bash(xBash(a *)"]} in .claude/settings.json'],
    ['claude-code', 'Bashful x', '"permissions": {"allow": ["Bash(Bashful *)"]} in .claude/settings.json'],
    ['qwen', 'a "b"', '"permissions": {"allow": ["a \\"b\\""]} in .qwen/settings.json'],
    ['copilot', 'shell(npm)', "-- --allow-tool 'shell(npm:*)' at the end of this command"],
    ['copilot', 'shell(a) b)', "-- --allow-tool 'shell(a) b:*)' at the end of this command"],
    ['copilot', 'write(a.ts)', '-- --allow-tool write at the end of this command'],
    ['copilot', 'my shell(x)', '-- --allow-tool write at the end of this command'],
    ['codex', 'x', undefined],
    ['droid', 'x', undefined],
    ['gemini', 'x', undefined],
    ['opencode', 'x', undefined],
  ])('in %s after %j', (name, denied, says) => {
    expect(clientNamed(name).headless?.allows?.(denied)).toBe(says);
  });
});

describe('how long a client lets the hook run', () => {
  it.each<[string, number | null, number | null, number | null]>([
    ['claude-code', 600, 999, 7200],
    ['codex', 600, 999, 7200],
    ['copilot', null, 999, 7200],
    ['qwen', null, 999, 7.2],
    ['droid', null, 999, 7200],
    ['gemini', null, 0, 7],
    ['opencode', null, 999, 7200],
    ['cursor', null, null, null],
    ['unknown', null, null, null],
    ['generic', null, 999, 7200],
  ])('%s', (name, ...limits) => {
    expect([null, 999, 7200].map((passed) => clientNamed(name).hookLimit(passed))).toEqual(limits);
  });

  it('is a second at a thousand in Qwen Code', () => {
    expect(clientNamed('qwen').hookLimit(1000)).toBe(1);
  });
});

it('Copilot honours eight holds, and Qwen Code as many as its cap says', () => {
  expect(clientNamed('copilot').holdsPerPrompt?.most({})).toBe(8);
  expect(clientNamed('qwen').holdsPerPrompt?.most({ QWEN_CODE_STOP_HOOK_BLOCK_CAP: '5' })).toBe(4);
});

describe('a stop whose limit nobody counts', () => {
  it.each<[object, string | null, number | undefined]>([
    [{}, null, undefined],
    [{}, 'generic', undefined],
    [{ session_id: 'generic' }, 'generic', undefined],
    [{ session_id: 's' }, 'generic', 9],
    [{ session_id: 'generic' }, 'codex', 9],
    [{ session_id: 's' }, null, 0],
  ])('%j of %s', (payload, named, limitS) => {
    expect(decodeStop({ ...payload }, named, 9).stop.limitS).toBe(limitS);
  });

  it('is unknown to a stop that is told none', () => {
    expect(decodeStop({ session_id: 's', prompt_id: 'p' }, null).stop.limitS).toBe(600);
    expect(decodeStop({ session_id: 's' }, 'generic').stop.limitS).toBe(0);
  });
});

it('the folder in which the client of a hook was started is what its variable says', () => {
  expect(startFoldersIn({})).toEqual([]);
  expect(startFoldersIn({ CLAUDE_PROJECT_DIR: '', GEMINI_PROJECT_DIR: '/g' })).toEqual(['/g']);
  expect(startFoldersIn({ CLAUDE_PROJECT_DIR: '/c', GEMINI_PROJECT_DIR: '/g' })).toEqual(['/c', '/g']);
});

describe('Cursor', () => {
  const decode = (payload: object) => clientNamed('cursor').decode({ conversation_id: 'c', ...payload });

  it.each([
    [{ workspace_roots: ['/a', '/b'] }, '/a'],
    [{ cwd: '/c', workspace_roots: ['/a'] }, '/c'],
    [{ workspace_roots: [''] }, null],
    [{ workspace_roots: ['/a\0'] }, null],
    [{ workspace_roots: [7] }, null],
    [{ workspace_roots: [] }, null],
    [{ workspace_roots: '/a' }, null],
    [{}, null],
  ])('works in the first of its folders: %j', (payload, cwd) => {
    expect(decode(payload).cwd).toBe(cwd);
  });

  it.each([
    [{ status: 'completed' }, undefined],
    [{}, undefined],
    [{ status: 'aborted' }, true],
    [{ status: 'error' }, true],
  ])('says how its turn ended: %j', (payload, failed) => {
    expect(decode(payload).failed).toBe(failed);
  });
});
