import { describe, expect, it } from 'vitest';
import { readUuidLine } from './uuid-line.ts';

describe('a line with a uuid', () => {
  const nothing = { marker: 'u', toolCall: false, startsTurn: false, said: null };
  it.each<[object, object | null, object]>([
    [{ uuid: 'u' }, null, nothing],
    [{ uuid: 'u', message: { a: 1 } }, { a: 1 }, nothing],
    [{ uuid: 'u', message: 'text' }, null, nothing],
    [{ uuid: 'u', message: {}, isSidechain: true }, null, nothing],
    [{ uuid: 'u', message: {}, isSidechain: false }, {}, nothing],
    [{ uuid: 'u', message: {}, isSidechain: 'true' }, {}, nothing],
    [{ uuid: 'u', timestamp: '1970-01-01T00:00:01Z' }, null, { ...nothing, at: 1000 }],
  ])('%j', (entry, message, says) => {
    expect(readUuidLine(JSON.stringify(entry))).toEqual({ entry, message, nothing: says });
  });

  it.each([
    ['{"id":"u"}'],
    ['{"uuid":""}'],
    ['{"uuid":7}'],
    ['"uuid"'],
    ['{"uuid":"u"'],
    ['{"\\u0075uid":"u"}'],
  ])('is not this: %s', (line) => {
    expect(readUuidLine(line)).toBeNull();
  });
});
