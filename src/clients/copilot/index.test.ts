import { describe, expect, it } from 'vitest';
import { recordedPayload } from '../../../test/support/recorded.ts';
import { encodeAnswer } from '../encode.ts';
import type { Stop } from '../stop.ts';
import { headless } from './headless/index.ts';
import { copilot } from './index.ts';
import { installer } from './install.ts';
import { readTranscriptLine } from './transcript.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

const bare: Stop = {
  ...{ client: 'copilot', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('Copilot CLI is known by these names, and loads its own parts when they are needed', async () => {
  const {
    recognises,
    decode,
    usage: loadUsage,
    work: loadWork,
    install,
    headless: driven,
    ...known
  } = copilot;
  expect(known).toEqual({
    name: 'copilot',
    title: 'Copilot CLI',
    sessionVariables: ['COPILOT_AGENT_SESSION_ID'],
    hookVariables: ['COPILOT_CLI', 'COPILOT_CLI_BINARY_VERSION', 'COPILOT_CLI_RESOLVED_DIST_DIR'],
    ...{ encode: encodeAnswer, readTranscriptLine },
    mustBeHeard: { lags: true },
    hidesNotices: true,
    contextOnTop: true,
    holdsPerPrompt: { most: expect.any(Function) },
    hookLimit: expect.any(Function),
  });
  expect(copilot.holdsPerPrompt?.most({})).toBe(8);
  expect([copilot.hookLimit(null), copilot.hookLimit(30)]).toEqual([null, 30]);
  expect(install).toMatchObject({ program: 'copilot', projectScope: false, asksForTrust: false });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('copilot');
  expect(await driven?.load()).toBe(headless);
  expect(await loadUsage?.()).toBe(usage);
  expect(await loadWork?.()).toBe(work);
});

describe('a payload is one of Copilot CLI’s', () => {
  const own = { timestamp: 't', transcript_path: '/t' };
  it.each<[object, boolean]>([
    [{}, false],
    [{ stop_reason: 'end' }, false],
    [{ timestamp: 1 }, true],
    [{ timestamp: 1, permission_mode: 'm' }, false],
    [{ timestamp: 1, prompt_id: 'p' }, false],
    [own, false],
    [{ ...own, stop_reason: 'end' }, true],
    [{ ...own, stopReason: 'end' }, true],
    [{ ...own, initial_prompt: 'i' }, true],
    [{ ...own, initialPrompt: 'i' }, true],
    [{ ...own, custom_instructions: '' }, true],
    [{ ...own, stop_reason: 'end', permission_mode: 'm' }, false],
    [recordedPayload('copilot/stop-first.json'), true],
    [recordedPayload('copilot/agent-stop-first.json'), true],
    [recordedPayload('gemini/session-start-startup.json'), false],
  ])('%j: %s', (payload, says) => {
    expect(copilot.recognises({ ...payload })).toBe(says);
  });
});

describe('a stop of Copilot CLI', () => {
  it.each<[object, Partial<Stop>]>([
    [{}, {}],
    [{ transcript_path: '/a', transcriptPath: '/b' }, { transcriptPath: '/a' }],
    [{ transcriptPath: '/b' }, { transcriptPath: '/b' }],
    [{ transcriptPath: '/b\0' }, {}],
    [{ timestamp: 5 }, { endMark: '5' }],
    [{ timestamp: '1970-01-01T00:00:01Z' }, { endMark: '1000' }],
    [{ timestamp: 'odd' }, {}],
    [{ stop_hook_active: true }, { afterHold: true }],
    [{ stop_hook_active: false }, { afterHold: false }],
    [{ stop_hook_active: 'true' }, {}],
  ])('%j', (payload, stop) => {
    expect(copilot.decode({ ...payload })).toEqual({ ...bare, ...stop });
  });
});

describe('the rule that allows what was denied', () => {
  it.each([
    ['shell(npm)', "'shell(npm:*)'"],
    ['shell(a) b)', "'shell(a) b:*)'"],
    ['shell(npm) x', "'shell(npm) x'"],
    ['my shell(npm)', 'write'],
    ['write(a.ts)', 'write'],
  ])('%s', (denied, rule) => {
    expect(copilot.headless?.allows?.(denied)).toBe(`-- --allow-tool ${rule} at the end of this command`);
  });
});
