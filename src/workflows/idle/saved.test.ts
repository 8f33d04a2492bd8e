import { describe, expect, it } from 'vitest';
import { readOwn } from './read-loop.ts';

describe('what is remembered of the log', () => {
  const position = { topic: '01JBF9X0000000000000000000', inode: 42, scanned: 0 };

  it('is believed as it was written, also at the very beginning', () => {
    expect(readOwn({ position }).position).toEqual(position);
    expect(readOwn({ position: { ...position, scanned: 5_000_000 } }).position?.scanned).toBe(5_000_000);
  });

  it.each([
    ['no object', 'x'],
    ['a list', [position]],
    ['nothing', null],
    ['a topic that is no text', { ...position, topic: 7 }],
    ['an inode that is no number', { ...position, inode: '42' }],
    ['a position that is no number', { ...position, scanned: '0' }],
    ['half a byte', { ...position, scanned: 0.5 }],
    ['a position before the beginning', { ...position, scanned: -1 }],
  ])('counts as never written where it is %s', (_, found) => {
    expect(readOwn({ position: found }).position).toBeNull();
  });
});
