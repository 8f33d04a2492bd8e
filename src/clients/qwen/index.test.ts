import { describe, expect, it } from 'vitest';
import { recordedPayload } from '../../../test/support/recorded.ts';
import { encodeAnswer } from '../encode.ts';
import type { Stop } from '../stop.ts';
import { holdsHonoured } from './cap.ts';
import { headless } from './headless/index.ts';
import { qwen } from './index.ts';
import { installer } from './install.ts';
import { isFromQwen } from './mark.ts';
import { readTranscriptLine } from './transcript.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

const bare: Stop = {
  ...{ client: 'qwen', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('Qwen Code is known by these names, and loads its own parts when they are needed', async () => {
  const { decode, hookLimit, usage: loadUsage, work: loadWork, install, headless: driven, ...known } = qwen;
  expect(known).toEqual({
    name: 'qwen',
    title: 'Qwen Code',
    sessionVariables: ['QWEN_CODE_SESSION_ID'],
    hookVariables: [
      ...['QWEN_CODE', 'QWEN_CODE_AGENT_ID', 'QWEN_CODE_CLI', 'QWEN_CODE_LAUNCHER_PID', 'QWEN_CODE_MODEL'],
      ...['QWEN_CODE_NO_RELAUNCH', 'QWEN_CODE_PROJECT_DIR', 'QWEN_CODE_PROMPT_ID', 'QWEN_PROJECT_DIR'],
      ...['QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE', 'QWEN_CODE_STARTUP_VERSION'],
    ],
    ...{ recognises: isFromQwen, encode: encodeAnswer, readTranscriptLine },
    mustBeHeard: { lags: false },
    holdsPerPrompt: {
      most: holdsHonoured,
      more: 'With QWEN_CODE_STOP_HOOK_BLOCK_CAP=100 in its environment it takes more of them.',
    },
  });
  expect(install).toMatchObject({ program: 'qwen', projectScope: false, asksForTrust: false });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('qwen');
  expect(await driven?.load()).toBe(headless);
  expect(await loadUsage?.()).toBe(usage);
  expect(await loadWork?.()).toBe(work);
});

describe('a stop of Qwen Code', () => {
  it.each<[object, Partial<Stop>]>([
    [{}, {}],
    [
      { prompt_id: 'p', session_id: 's' },
      { turn: 'p', session: 's' },
    ],
    [{ prompt_id: 'p\0' }, {}],
    [{ stop_hook_active: true }, { afterHold: true }],
    [{ stop_hook_active: false }, { afterHold: false }],
    [{ stop_hook_active: 1 }, {}],
    [
      { permission_mode: 'plan', last_assistant_message: 'm' },
      { planMode: true, lastMessage: 'm' },
    ],
  ])('%j', (payload, stop) => {
    expect(qwen.decode({ ...payload })).toEqual({ ...bare, ...stop });
  });

  it('is read as recorded', () => {
    const payload = recordedPayload('qwen/stop-after-hold.json');
    expect(qwen.decode(payload)).toMatchObject({
      client: 'qwen',
      turn: payload.prompt_id ?? null,
      afterHold: true,
    });
  });
});

it.each([
  [null, null],
  [0, 0],
  [999, 999],
  [1000, 1],
  [7200, 7.2],
])('a limit of %s lets its hook run for %s seconds', (passed, seconds) => {
  expect(qwen.hookLimit(passed)).toBe(seconds);
});

it('what was denied is allowed in its own settings', () => {
  expect(qwen.headless?.allows?.('a "b"')).toBe(
    '"permissions": {"allow": ["a \\"b\\""]} in .qwen/settings.json',
  );
});
