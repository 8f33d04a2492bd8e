import { describe, expect, it } from 'vitest';
import { recordedPayload } from '../../../test/support/recorded.ts';
import { encodeAnswer } from '../encode.ts';
import type { Stop } from '../stop.ts';
import { headless } from './headless/index.ts';
import { codex } from './index.ts';
import { installer } from './install.ts';
import { startFolder } from './start-folder.ts';
import { readTranscriptLine } from './transcript.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

const bare: Stop = {
  ...{ client: 'codex', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('Codex is known by these names, and loads its own parts when they are needed', async () => {
  const {
    sandbox,
    recognises,
    decode,
    usage: loadUsage,
    work: loadWork,
    install,
    headless: driven,
    ...known
  } = codex;
  expect(known).toEqual({
    name: 'codex',
    title: 'Codex',
    sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
    hookVariables: ['CODEX_MANAGED_BY_NPM', 'CODEX_MANAGED_PACKAGE_ROOT'],
    ...{ startFolder, encode: encodeAnswer, readTranscriptLine },
    hookLimit: expect.any(Function),
    longCommands: 'sandboxed',
    skillMark: '$',
  });
  expect([codex.hookLimit(null), codex.hookLimit(30)]).toEqual([600, 30]);
  expect(install).toMatchObject({ program: 'codex', projectScope: false, asksForTrust: true });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('codex');
  expect(await driven?.load()).toBe(headless);
  expect(await loadUsage?.()).toBe(usage);
  expect(await loadWork?.()).toBe(work);
  expect(await sandbox?.(bare, { HOME: '/nonexistent' }, '/nonexistent')).toMatchObject({ kind: 'unknown' });
});

describe('a payload is one of Codex’s', () => {
  const start = { model: 'm', permission_mode: 'default' };
  it.each<[object, boolean]>([
    [{}, false],
    [{ turn_id: 't' }, true],
    [{ turn_id: 't', prompt_id: 'p' }, true],
    [start, true],
    [{ model: 'm' }, false],
    [{ permission_mode: 'default' }, false],
    [{ ...start, prompt_id: 'p' }, false],
    [{ ...start, timestamp: 't' }, false],
    [{ ...start, crons: [] }, false],
    [{ ...start, message_id: 'm' }, false],
    [{ transcript_path: '/s/rollout-2026.jsonl' }, true],
    [{ transcript_path: 'rollout-2026.jsonl' }, true],
    [{ transcript_path: '/rollout-1/a.jsonl' }, false],
    [{ transcript_path: '/s/a-rollout-1.jsonl' }, false],
    [{ transcript_path: '/s/rollout-1', prompt_id: 'p' }, false],
    [{ transcript_path: null }, false],
    [recordedPayload('codex/session-start-startup.json'), true],
    [recordedPayload('droid/session-start-startup.json'), false],
  ])('%j: %s', (payload, says) => {
    expect(codex.recognises({ ...payload })).toBe(says);
  });
});

it('a stop of Codex names its turn', () => {
  expect(codex.decode({ turn_id: 't', session_id: 's' })).toEqual({ ...bare, session: 's', turn: 't' });
  expect(codex.decode({ turn_id: 't\0' })).toEqual(bare);
  const { client, turn, lastMessage } = codex.decode(recordedPayload('codex/stop-first.json'));
  const { turn_id, last_assistant_message } = recordedPayload('codex/stop-first.json');
  expect([client, turn, lastMessage]).toEqual(['codex', turn_id, last_assistant_message]);
});
