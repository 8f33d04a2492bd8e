import { describe, expect, it } from 'vitest';
import { recordedPayload } from '../../../test/support/recorded.ts';
import type { Answer, Stop } from '../stop.ts';
import { headless } from './headless/index.ts';
import { gemini } from './index.ts';
import { installer } from './install.ts';
import { readTranscriptLine } from './transcript.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

const bare: Stop = {
  ...{ client: 'gemini', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('Gemini CLI is known by these names, and loads its own parts when they are needed', async () => {
  const {
    recognises,
    decode,
    encode,
    usage: loadUsage,
    work: loadWork,
    install,
    headless: driven,
    ...known
  } = gemini;
  expect(known).toEqual({
    name: 'gemini',
    title: 'Gemini CLI',
    sessionVariables: [],
    shellMark: 'GEMINI_CLI=1',
    startVariable: 'GEMINI_PROJECT_DIR',
    hookVariables: ['GEMINI_SESSION_ID', 'GEMINI_PLANS_DIR', 'GEMINI_CWD', 'GEMINI_CLI_NO_RELAUNCH'],
    readTranscriptLine,
    mustBeHeard: { lags: false, skipsTurns: true },
    hookLimit: expect.any(Function),
  });
  expect([gemini.hookLimit(null), gemini.hookLimit(7_200_999)]).toEqual([null, 7200]);
  expect(install).toMatchObject({ program: 'gemini', projectScope: false, asksForTrust: false });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('gemini');
  expect(await driven?.load()).toBe(headless);
  expect(await loadUsage?.()).toBe(usage);
  expect(await loadWork?.()).toBe(work);
});

describe('a payload is one of Gemini CLI’s', () => {
  const start = { hook_event_name: 'SessionStart', timestamp: 't', transcript_path: '/t' };
  const events = [
    ...['BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'],
    ...['BeforeTool', 'AfterTool', 'PreCompress'],
  ];
  it.each<[object, boolean]>([
    ...events.map((hook_event_name): [object, boolean] => [{ hook_event_name }, true]),
    [{}, false],
    [{ hook_event_name: 'Stop', timestamp: 't', transcript_path: '/t' }, false],
    [{ hook_event_name: 'AfterAgent', permission_mode: 'm' }, false],
    [{ hook_event_name: 'AfterAgent', prompt_id: 'p' }, false],
    [start, true],
    [{ ...start, hook_event_name: 'SessionEnd' }, true],
    [{ hook_event_name: 'SessionStart', timestamp: 't' }, false],
    [{ hook_event_name: 'SessionStart', transcript_path: '/t' }, false],
    [{ ...start, initial_prompt: 'i' }, false],
    [{ ...start, permission_mode: 'm' }, false],
    [{ ...start, prompt_id: 'p' }, false],
  ])('%j: %s', (payload, says) => {
    expect(gemini.recognises({ ...payload })).toBe(says);
  });
});

describe('a stop of Gemini CLI', () => {
  it.each<[object, Partial<Stop>]>([
    [
      { session_id: 's', cwd: '/c', transcript_path: '/t' },
      { session: 's', cwd: '/c', transcriptPath: '/t' },
    ],
    [{ prompt_response: 'Done.', last_assistant_message: 'Done.' }, {}],
    [{ prompt_response: '[no response text]' }, { failed: true }],
  ])('%j', (payload, stop) => {
    expect(gemini.decode({ ...payload })).toEqual({ ...bare, ...stop });
  });

  it('is read as recorded, without what it joins of earlier messages', () => {
    const payload = recordedPayload('gemini/after-agent-after-hold.json');
    expect(payload.prompt_response).toEqual(expect.any(String));
    const { session, lastMessage, failed } = gemini.decode(payload);
    expect([session, lastMessage, failed]).toEqual([payload.session_id, null, undefined]);
  });

  it.each<[Answer, string]>([
    [{ kind: 'allow', notice: null, suppressOutput: true }, ''],
    [{ kind: 'allow', notice: 'n', suppressOutput: true }, '{"systemMessage":"n"}\n'],
    [{ kind: 'hold', reason: 'r', notice: 'n' }, '{"decision":"block","reason":"r","systemMessage":"n"}\n'],
  ])('is answered so that its notice is shown: %j', (answer, stdout) => {
    expect(gemini.encode(answer, bare, {})).toEqual({ stdout, stderr: '', exitCode: 0 });
  });
});
