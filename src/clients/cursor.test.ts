import { describe, expect, it } from 'vitest';
import { cursor } from './cursor.ts';
import { encodeAnswer } from './encode.ts';
import { noLimitKnown } from './hook-limit.ts';
import type { Stop } from './stop.ts';

it('Cursor is served where its last message is read', () => {
  const { recognises, decode, ...known } = cursor;
  expect(known).toEqual({
    ...{ name: 'cursor', title: 'Cursor', sessionVariables: [], encode: encodeAnswer },
    ...{ mustBeHeard: { lags: true }, hookLimit: noLimitKnown },
  });
});

it.each<[object, boolean]>([
  [{}, false],
  [{ cursor_version: '1' }, true],
  [{ conversation_id: 'c' }, false],
  [{ generation_id: 'g' }, false],
  [{ conversation_id: 'c', generation_id: 'g' }, true],
])('a payload is one of Cursor’s: %j is %s', (payload, says) => {
  expect(cursor.recognises({ ...payload })).toBe(says);
});

describe('a stop of Cursor', () => {
  const bare: Stop = {
    ...{ client: 'cursor', session: null, turn: null, cwd: null, transcriptPath: null },
    ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
  };
  it.each<[object, Partial<Stop>]>([
    [{}, {}],
    [{ conversation_id: 'c', status: 'completed' }, { session: 'c' }],
    [{ status: 'aborted' }, { failed: true }],
    [{ status: 'error' }, { failed: true }],
    [{ status: 7 }, {}],
    [{ workspace_roots: ['/a', '/b'] }, { cwd: '/a' }],
    [{ cwd: '/c', workspace_roots: ['/a'] }, { cwd: '/c' }],
    [{ workspace_roots: '/a' }, {}],
    [{ workspace_roots: [] }, {}],
    [{ workspace_roots: [''] }, {}],
    [{ workspace_roots: [7] }, {}],
    [{ workspace_roots: ['/a\0'] }, {}],
  ])('%j', (payload, stop) => {
    expect(cursor.decode({ ...payload })).toEqual({ ...bare, ...stop });
  });
});
