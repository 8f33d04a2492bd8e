import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../client.ts';
import { readTranscriptLine } from './transcript.ts';

const nothing: TranscriptLine = {
  ...{ marker: 'e', toolCall: false, startsTurn: false, said: null, endMark: 'e' },
};
const read = (message: object, more: object = {}): TranscriptLine | null =>
  readTranscriptLine(JSON.stringify({ id: 'e', type: 'message', message, ...more }));
const call = (name?: string): object => ({ type: 'tool_use', name });

describe('a line of Droid’s transcript', () => {
  it.each([
    ['no json'],
    ['{"type":"message","message":{}}'],
    ['{"id":"","type":"message","message":{}}'],
    ['{"id":"e","type":"message"}'],
    ['{"id":"e","type":"session_start","message":{}}'],
  ])('that is no message is not read: %s', (line) => {
    expect(readTranscriptLine(line)).toBeNull();
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ role: 'user', content: [{ type: 'text', text: 'x' }] }, { startsTurn: true }],
    [{ role: 'user', content: [] }, { startsTurn: true }],
    [{ role: 'user', content: [{ type: 'tool_result' }, { type: 'text', text: 'x' }] }, {}],
    [{ role: 'system', content: [{ type: 'text', text: 'x' }] }, {}],
    [{ role: 'user', visibility: 'user_only', content: [] }, {}],
    [{ role: 'user', visibility: 'user_only', content: [{}], hookEventName: 'Stop' }, {}],
    [{ role: 'user', visibility: 'user_only', content: [{}], hookEventName: '' }, { failed: true }],
    [
      { role: 'assistant', visibility: 'user_only', content: [{ type: 'text', text: 'x' }] },
      { failed: true },
    ],
    [{ role: 'user', visibility: 'both', content: [{}] }, { startsTurn: true }],
    [{ role: 'assistant', content: [] }, {}],
    [{ role: 'assistant', content: [{ type: 'text', text: 'a' }] }, { said: { messageId: 'e', text: 'a' } }],
    [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'x' },
          { type: 'text', text: 'a' },
          { type: 'text', text: '' },
          { type: 'text', text: 'b' },
        ],
      },
      { said: { messageId: 'e', text: 'a\nb', blocks: ['a', 'b'] } },
    ],
    [{ role: 'assistant', content: [call('Execute')] }, { toolCall: true }],
    [{ role: 'assistant', content: [call()] }, { toolCall: true }],
    [{ role: 'assistant', content: [call('TodoWrite')] }, {}],
    [{ role: 'assistant', content: [call('TodoWrite'), call('Edit')] }, { toolCall: true }],
    [{ role: 'assistant', content: [{ type: 'text', name: 'Edit' }] }, {}],
  ])('%j', (message, says) => {
    expect(read(message)).toEqual({ ...nothing, ...says });
  });

  it('tells when it was written', () => {
    expect(read({}, { timestamp: '1970-01-01T00:00:01Z' })).toEqual({ ...nothing, at: 1000 });
  });
});
