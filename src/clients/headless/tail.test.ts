import { expect, it } from 'vitest';
import { Tail } from './tail.ts';

const kept = (...chunks: string[]): string => {
  const tail = new Tail();
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
};
const MOST = 16 * 1024;

it('the end of a stream is what came last, sixteen kilobytes of it', () => {
  expect(kept()).toBe('');
  expect(kept('a', 'b', '')).toBe('ab');
  const most = 'x'.repeat(MOST);
  expect(kept(most)).toBe(most);
  expect(kept(`a${most}`)).toBe(most);
  expect(kept(most, 'b')).toBe(`${most.slice(1)}b`);
  expect(kept('a', `${most.slice(1)}`)).toBe(`a${most.slice(1)}`);
  expect(kept('a', `${most}`)).toBe(most);
});

it('keeps what was given, whatever becomes of the chunk', () => {
  const tail = new Tail();
  const chunk = Buffer.from('abc');
  tail.push(chunk);
  chunk.fill('x');
  expect(tail.text()).toBe('abc');
});
