import { expect, it } from 'vitest';
import { usage } from './usage.ts';

it('a message of Gemini CLI’s model has its own tokens', () => {
  const tokens = { input: 100, cached: 40, output: 5, thoughts: 6, tool: 7, total: 999 };
  const line = (type: string): string => JSON.stringify({ id: 'e', type, tokens });
  expect(usage.read(line('gemini'))).toEqual({
    kind: 'message',
    id: 'e',
    tokens: 78,
    cacheRead: 40,
    at: null,
  });
  expect(usage.read(line('user'))).toBeNull();
  expect(usage.read('{"id":"e","type":"gemini"}')).toBeNull();
});
