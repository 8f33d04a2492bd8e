import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../client.ts';
import { endMarkOf, readTranscriptLine } from './transcript.ts';

const nothing: TranscriptLine = { marker: 'e', toolCall: false, startsTurn: false, said: null };
const read = (type: string, data: object, more: object = {}): TranscriptLine | null =>
  readTranscriptLine(JSON.stringify({ id: 'e', type, data, ...more }));

it.each<[unknown, string | null]>([
  [5, '5'],
  [0, '0'],
  ['1970-01-01T00:00:01Z', '1000'],
  ['', null],
  ['odd', null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [null, null],
  [undefined, null],
])('the moment %j is the mark %s', (timestamp, mark) => {
  expect(endMarkOf(timestamp)).toBe(mark);
});

describe('a line of Copilot CLI’s transcript', () => {
  it.each([['no json'], ['{"id":"e"}'], ['{"data":{}}'], ['{"id":"","data":{}}'], ['{"id":"e","data":[]}']])(
    'that is no event is not read: %s',
    (line) => {
      expect(readTranscriptLine(line)).toBeNull();
    },
  );

  it.each<[string, object, object]>([
    ['user.message', {}, { startsTurn: true }],
    ['user.message', { parentToolCallId: '' }, { startsTurn: true }],
    ['user.message', { parentToolCallId: 'c' }, {}],
    ['session.compaction_complete', {}, { startsTurn: true, startedBy: 'background' }],
    ['model.message', { content: 'x', toolRequests: [{ name: 'bash' }] }, {}],
    ['assistant.message', {}, {}],
    ['assistant.message', { content: '' }, {}],
    ['assistant.message', { content: 'x' }, { said: { messageId: 'e', text: 'x' } }],
    ['assistant.message', { content: 'x', messageId: 'm' }, { said: { messageId: 'm', text: 'x' } }],
    ['assistant.message', { content: 'x', parentToolCallId: 'c' }, {}],
    ['assistant.message', { toolRequests: [{ name: 'bash' }] }, { toolCall: true }],
    ['assistant.message', { toolRequests: [{}] }, { toolCall: true }],
    ['assistant.message', { toolRequests: [] }, {}],
    ['assistant.message', { toolRequests: [{ name: 'update_todo' }, { name: 'report_intent' }] }, {}],
    ['assistant.message', { toolRequests: [{ name: 'update_todo' }, { name: 'edit' }] }, { toolCall: true }],
    ['hook.start', { hookType: 'agentStop', input: { timestamp: 5 } }, { endMark: '5' }],
    ['hook.start', { hookType: 'sessionStart', input: { timestamp: 5 } }, {}],
    ['hook.start', { hookType: 'agentStop', input: {} }, {}],
    ['hook.start', { hookType: 'agentStop' }, {}],
    ['hook.end', { hookType: 'agentStop', input: { timestamp: 5 } }, {}],
  ])('%s %j', (type, data, more) => {
    expect(read(type, data)).toEqual({ ...nothing, ...more });
  });

  it('tells when it was written', () => {
    expect(read('hook.end', {}, { timestamp: '1970-01-01T00:00:01Z' })).toEqual({ ...nothing, at: 1000 });
  });
});
