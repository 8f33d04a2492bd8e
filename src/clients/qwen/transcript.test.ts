import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../client.ts';
import { readTranscriptLine } from './transcript.ts';

const nothing: TranscriptLine = { marker: 'u', toolCall: false, startsTurn: false, said: null };
const read = (type: string, parts: unknown, more: object = {}): TranscriptLine | null =>
  readTranscriptLine(JSON.stringify({ uuid: 'u', type, message: { parts }, ...more }));
const call = (name?: string): object => ({ functionCall: { name } });

describe('a line of Qwen Code’s transcript', () => {
  it('without an id or a message says nothing', () => {
    expect(readTranscriptLine('{"type":"user","message":{"parts":[{"text":"x"}]}}')).toBeNull();
    expect(readTranscriptLine('{"uuid":"u","type":"user"}')).toEqual(nothing);
    expect(read('user', [{ text: 'x' }], { isSidechain: true })).toEqual(nothing);
  });

  it.each<[string, unknown, object, object]>([
    ['user', [{ text: 'x' }], {}, { startsTurn: true }],
    ['user', [{ text: 'x' }], { provenance: 'real_user' }, { startsTurn: true, startedBy: 'person' }],
    ['user', [{ text: 'x' }], { provenance: 'other' }, { startsTurn: true }],
    ['user', [], { provenance: 'real_user' }, {}],
    ['system', [{ text: 'x' }, call('shell')], {}, {}],
    ['tool_result', [{ functionResponse: {} }], {}, {}],
    ['assistant', [], {}, {}],
    ['assistant', [{ text: 'a' }], {}, { said: { messageId: 'u', text: 'a' } }],
    [
      'assistant',
      [{ text: 'x', thought: true }, { text: 'a', thought: false }, { text: '' }, { text: 'b' }],
      {},
      { said: { messageId: 'u', text: 'a\nb', blocks: ['a', 'b'] } },
    ],
    ['assistant', [call('shell')], {}, { toolCall: true }],
    ['assistant', [call()], {}, { toolCall: true }],
    ['assistant', [call('todo_write'), call('get_goal'), call('update_goal')], {}, {}],
    ['assistant', [call('todo_write'), call('edit')], {}, { toolCall: true }],
    ['assistant', [{ functionCall: 'shell' }], {}, {}],
    ['assistant', [], { timestamp: '1970-01-01T00:00:01Z' }, { at: 1000 }],
  ])('%s %j %j', (type, parts, more, says) => {
    expect(read(type, parts, more)).toEqual({ ...nothing, ...says });
  });
});
