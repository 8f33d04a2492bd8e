// Lines of transcripts that nobody can read, to every client.

import { describe, expect, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { clients } from './index.ts';

const BROKEN = ['', ' ', '{', '{"uuid":"u1"', '[]', 'null', '"uuid"', '{"uuid":7}', '{"payload":[]}', '\0'];
const TYPES = [
  'user',
  'assistant',
  'response_item',
  'compacted',
  'message',
  'gemini',
  'hook.start',
  'user.message',
];
const NAMES = ['id', 'content', 'type', 'role', 'name', 'input', 'model', 'parts', 'toolRequests'];

describe.each(clients)('$name: a line', (client) => {
  test('that is broken is not read', () => {
    expect(BROKEN.map((line) => client.readTranscriptLine(line))).toEqual(BROKEN.map(() => null));
  });

  test('of 10 MB does no harm', () => {
    const text = 'x'.repeat(10_000_000);
    const whole = JSON.stringify({ uuid: 'u', type: 'user', message: { content: text }, payload: { text } });
    expect(() => client.readTranscriptLine(whole)).not.toThrow();
    expect(client.readTranscriptLine(whole.slice(0, -5))).toBeNull();
  });

  test('of any JSON never throws, whoever reads it', async () => {
    const readers = [client.readTranscriptLine, await client.work?.(), (await client.usage?.())?.read];
    const deep = fc.oneof(fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue()), fc.jsonValue());
    const entries = fc.record({
      uuid: fc.oneof(fc.constant('u'), fc.jsonValue()),
      type: fc.constantFrom(...TYPES, 'assistant.message', null),
      id: fc.oneof(fc.constant('i'), fc.jsonValue()),
      opencode: fc.constant(1),
      ...{
        data: deep,
        content: fc.jsonValue(),
        $set: fc.jsonValue(),
        message: deep,
        payload: deep,
        tokens: deep,
      },
    });
    fc.assert(
      fc.property(fc.oneof(entries, fc.jsonValue()), (entry) => {
        for (const read of readers) read?.(JSON.stringify(entry));
      }),
    );
  });
});
