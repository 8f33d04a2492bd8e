import { expect, it } from 'vitest';
import { encodeAnswer } from '../encode.ts';
import { headless } from './headless/index.ts';
import { opencode } from './index.ts';
import { installer } from './install.ts';
import { readTranscriptLine } from './transcript.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

it('opencode is known by these names, and loads its own parts when they are needed', async () => {
  const {
    recognises,
    decode,
    usage: loadUsage,
    work: loadWork,
    install,
    headless: driven,
    ...known
  } = opencode;
  expect(known).toEqual({
    name: 'opencode',
    title: 'opencode',
    sessionVariables: ['OPENCODE_SESSION_ID'],
    shellMark: 'OPENCODE=1',
    pidVariable: 'OPENCODE_PID',
    ...{ encode: encodeAnswer, readTranscriptLine },
    hookLimit: expect.any(Function),
  });
  expect([opencode.hookLimit(null), opencode.hookLimit(30)]).toEqual([null, 30]);
  expect(install).toMatchObject({ program: 'opencode', projectScope: false, asksForTrust: false });
  expect(await install?.load()).toBe(installer);
  expect(driven?.program).toBe('opencode');
  expect(await driven?.load()).toBe(headless);
  expect(await loadUsage?.()).toBe(usage);
  expect(await loadWork?.()).toBe(work);
});

it('a payload is one of opencode’s where our plugin says so', () => {
  expect(opencode.recognises({ opencode: 1 })).toBe(true);
  expect(opencode.recognises({ opencode: 2 })).toBe(false);
  expect(opencode.recognises({})).toBe(false);
  expect(opencode.decode({ session_id: 's', prompt_id: 'p' })).toEqual({
    ...{ client: 'opencode', session: 's', turn: null, cwd: null, transcriptPath: null },
    ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
  });
});
