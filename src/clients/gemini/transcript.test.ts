import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../store/fingerprint.ts';
import type { TranscriptLine } from '../client.ts';
import { readTranscriptLine } from './transcript.ts';

describe('a line of Gemini CLI’s transcript', () => {
  it.each<[object, Partial<TranscriptLine>]>([
    [{ id: 'e', type: 'user', content: 'x' }, { startsTurn: true }],
    [{ id: 'e', type: 'user', content: [{ text: 'x' }] }, { startsTurn: true }],
    [{ id: 'e', type: 'user', content: [{ text: 'x' }, { functionResponse: {} }] }, {}],
    [{ id: 'e', type: 'gemini', content: '' }, {}],
    [{ id: 'e', type: 'gemini', content: 'a' }, { said: { messageId: 'e', text: 'a' } }],
    [
      { id: 'e', type: 'gemini', content: [{ text: 'a' }, { text: '' }, { text: 'b' }] },
      { said: { messageId: 'e', text: 'a\nb', blocks: ['a', 'b'] } },
    ],
    [{ id: 'e', type: 'gemini', content: '', toolCalls: [{ name: 'edit' }] }, { toolCall: true }],
    [{ id: 'e', type: 'gemini', content: '', toolCalls: [{}] }, { toolCall: true }],
    [{ id: 'e', type: 'gemini', content: '', toolCalls: [{ name: 'write_todos' }] }, {}],
    [
      { id: 'e', type: 'gemini', content: '', toolCalls: [{ name: 'write_todos' }, { name: 'edit' }] },
      { toolCall: true },
    ],
    [
      { id: 'e', type: 'user', content: 'x', timestamp: '1970-01-01T00:00:01Z' },
      { startsTurn: true, at: 1000 },
    ],
    [{ $set: { messages: [] } }, { startsTurn: true, startedBy: 'background' }],
  ])('%j', (entry, says) => {
    const line = JSON.stringify(entry);
    expect(readTranscriptLine(line)).toEqual({
      ...{ marker: fingerprint(line), toolCall: false, startsTurn: false, said: null },
      ...says,
    });
  });

  it.each([
    ['no json'],
    ['{}'],
    ['{"$set":{"lastUpdated":"x"},"id":"e","type":"user","content":"x"}'],
    ['{"type":"user","content":"x"}'],
    ['{"id":"","type":"user","content":"x"}'],
    ['{"id":"e","type":"user"}'],
    ['{"id":"e","uuid":"u","type":"user","content":"x"}'],
    ['{"id":"e","type":"info","content":"x"}'],
  ])('says nothing: %s', (line) => {
    expect(readTranscriptLine(line)).toBeNull();
  });
});
