import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../client.ts';
import { readTranscriptLine, timeOf } from './transcript.ts';

const nothing: TranscriptLine = { marker: 'p', toolCall: false, startsTurn: false, said: null };
const read = (more: object): TranscriptLine | null =>
  readTranscriptLine(JSON.stringify({ opencode: 1, id: 'p', ...more }));

describe('a line that our plugin in opencode wrote', () => {
  it.each<[object, Partial<TranscriptLine>]>([
    [{}, {}],
    [{ kind: 'user' }, { startsTurn: true }],
    [{ kind: 'tool', tool: 'bash' }, { toolCall: true }],
    [{ kind: 'tool' }, { toolCall: true }],
    [{ kind: 'tool', tool: 'todowrite' }, {}],
    [{ kind: 'tool', tool: 'todoread' }, {}],
    [{ kind: 'user', tool: 'bash' }, { startsTurn: true }],
    [{ kind: 'text', text: 'a', message: 'm' }, { said: { messageId: 'm', text: 'a' } }],
    [{ kind: 'text', text: 'a' }, {}],
    [{ kind: 'text', message: 'm' }, {}],
    [{ kind: 'tokens', text: 'a', message: 'm' }, {}],
    [{ at: '1970-01-01T00:00:01Z' }, { at: 1000 }],
  ])('%j', (entry, says) => {
    expect(read(entry)).toEqual({ ...nothing, ...says });
  });

  it.each([
    ['{"id":"p"}'],
    ['{"opencode":1}'],
    ['{"opencode":1,"id":""}'],
    ['{"opencode":2,"id":"p"}'],
    ['"opencode"'],
  ])('is not this: %s', (line) => {
    expect(readTranscriptLine(line)).toBeNull();
  });

  it.each<[object, object]>([
    [{ at: '1970-01-01T00:00:01Z' }, { at: 1000 }],
    [{ at: 'odd' }, {}],
    [{ at: 5 }, {}],
    [{}, {}],
  ])('was written when it says: %j', (entry, time) => {
    expect(timeOf({ ...entry })).toEqual(time);
  });
});
