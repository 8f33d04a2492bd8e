import { describe, expect, it } from 'vitest';
import { recordedPayload } from '../../../test/support/recorded.ts';
import { encodeAnswer } from '../encode.ts';
import type { Stop } from '../stop.ts';
import { headless } from './headless/index.ts';
import { droid, isFromDroid } from './index.ts';
import { installer } from './install.ts';
import { readTranscriptLine } from './transcript.ts';
import { work } from './work.ts';

const bare: Stop = {
  ...{ client: 'droid', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('Droid is known by these names, and loads its own parts when they are needed', async () => {
  const { decode, work: loadWork, install, headless: driven, ...known } = droid;
  expect(known).toEqual({
    name: 'droid',
    title: 'Droid',
    sessionVariables: [],
    ...{ recognises: isFromDroid, encode: encodeAnswer, readTranscriptLine },
    mustBeHeard: { lags: false },
    hookLimit: expect.any(Function),
  });
  expect([droid.hookLimit(null), droid.hookLimit(30)]).toEqual([null, 30]);
  expect(install).toMatchObject({ program: 'droid', projectScope: false, asksForTrust: false });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('droid');
  expect(await driven?.load()).toBe(headless);
  expect(await loadWork?.()).toBe(work);
});

describe('a payload is one of Droid’s', () => {
  const own = { permission_mode: 'm', message_id: 'i' };
  it.each<[object, boolean]>([
    [{}, false],
    [{ permission_mode: 'm' }, false],
    [{ message_id: 'i' }, false],
    [own, true],
    [{ permission_mode: 'm', tool_execution_count: 0 }, true],
    [{ permission_mode: 'm', CLAUDE_ENV_FILE: 'f' }, true],
    [{ ...own, prompt_id: 'p' }, false],
    [{ ...own, turn_id: 't' }, false],
    [{ ...own, timestamp: 't' }, false],
    [recordedPayload('droid/session-start-startup.json'), true],
    [recordedPayload('codex/session-start-startup.json'), false],
  ])('%j: %s', (payload, says) => {
    expect(isFromDroid({ ...payload })).toBe(says);
  });
});

it('a stop of Droid names its last message', () => {
  expect(droid.decode({ message_id: 'm', session_id: 's' })).toEqual({ ...bare, session: 's', endMark: 'm' });
  expect(droid.decode({ message_id: 'm\0' })).toEqual(bare);
  expect(droid.decode({})).toEqual(bare);
});
