import { describe, expect, it } from 'vitest';
import { fingerprint } from '../store/fingerprint.ts';
import { readAnyLine } from './any-line.ts';
import type { LineReader, TranscriptLine } from './client.ts';

const nothing = (marker: string): TranscriptLine => ({
  ...{ marker, toolCall: false, startsTurn: false, said: null },
});
const reader =
  (found: TranscriptLine | null): LineReader =>
  () =>
    found;

describe('a line of a host that nobody knows', () => {
  const first = nothing('first');
  it.each<[string, Partial<TranscriptLine>]>([
    ['says something', { said: { messageId: 'm', text: 'x' } }],
    ['calls a tool', { toolCall: true }],
    ['starts a turn', { startsTurn: true }],
  ])('is read by the first client to which it %s', (_, more) => {
    const found = { ...nothing('second'), ...more };
    const readers = [null, first, found, { ...found, marker: 'third' }].map(reader);
    expect(readAnyLine('x', readers)).toBe(found);
  });

  it('is otherwise read by the first that knows its form', () => {
    expect(readAnyLine('x', [null, first, nothing('second')].map(reader))).toBe(first);
  });

  const bare = (entry: object): TranscriptLine | null => readAnyLine(JSON.stringify(entry), [reader(null)]);
  const marker = (entry: object): string => fingerprint(JSON.stringify(entry));

  it.each<[object, object]>([
    [{ type: 'assistant', message: { content: 'Done.' } }, { text: 'Done.' }],
    [{ type: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } }, { text: 'Done.' }],
    [
      { type: 'assistant', message: { id: 'm', content: 'Done.' } },
      { text: 'Done.', messageId: 'm' },
    ],
  ])('without ids says what Claude Code’s would say: %j', (entry, said) => {
    const own = marker(entry);
    expect(bare(entry)).toEqual({ ...nothing(own), said: { messageId: own, ...said } });
  });

  it.each<[object, Partial<TranscriptLine>]>([
    [{ type: 'user', message: { content: 'Go.' } }, { startsTurn: true }],
    [
      { type: 'user', isMeta: true, message: { content: 'Stop hook feedback: x' } },
      { startsTurn: true, startedBy: 'hook' },
    ],
    [{ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash' }] } }, { toolCall: true }],
    [{ type: 'assistant' }, {}],
    [{ type: 'assistant', message: null }, {}],
    [{ type: 'assistant', message: 'Done.' }, {}],
    [{ type: 'assistant', message: { content: 7 } }, {}],
  ])('without ids: %j', (entry, says) => {
    expect(bare(entry)).toEqual({ ...nothing(marker(entry)), ...says });
  });

  it.each<[string]>([
    ['no json'],
    ['[]'],
    ['{"type":"system","message":{"content":"x"}}'],
    ['{"type":"assistant","uuid":"u","message":{"content":"x"}}'],
  ])('says nothing: %s', (line) => {
    expect(readAnyLine(line, [reader(null)])).toBeNull();
  });
});
