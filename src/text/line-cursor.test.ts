import { describe, expect, it } from 'vitest';
import { LineCursor } from './line-cursor.ts';

const on = (line: string): LineCursor => new LineCursor(line, 0, line.length);
const seen = (cursor: LineCursor) => [cursor.indent, cursor.rest()];

describe('a line’s cursor', () => {
  it.each([
    ['a', 0, 'a'],
    ['  a ', 2, 'a '],
    ['\ta', 4, 'a'],
    ['  \ta', 4, 'a'],
    ['   \t a', 5, 'a'],
    ['    \ta', 8, 'a'],
    ['\t\ta', 8, 'a'],
  ])('%j is indented by %d columns', (line, indent, rest) => {
    expect(seen(on(line))).toEqual([indent, rest]);
  });

  it('knows a blank line, and its own end', () => {
    expect([on('').isBlank, on(' \t').isBlank, on(' a').isBlank]).toEqual([true, true, false]);
    const inside = new LineCursor('x\n  ab\ny', 2, 6);
    expect([inside.start, inside.end, inside.rest(), inside.isBlank]).toEqual([2, 6, 'ab', false]);
    expect(inside.restRange()).toEqual({ start: 4, end: 6 });
    expect(new LineCursor('x\n  \ny', 2, 4).isBlank).toBe(true);
  });

  it('goes past blanks and characters', () => {
    const cursor = on('  -  a');
    cursor.skipCharacters(1);
    expect(seen(cursor)).toEqual([2, 'a']);
    const tabbed = on('-\ta');
    tabbed.skipCharacters(1);
    expect(seen(tabbed)).toEqual([3, 'a']);
    const further = on('   -\ta');
    further.skipCharacters(1);
    expect(seen(further)).toEqual([4, 'a']);
  });

  it('goes past columns, and nowhere where there are not as many', () => {
    const cursor = on('   a');
    expect(cursor.skipColumns(4)).toBe(false);
    expect(seen(cursor)).toEqual([3, 'a']);
    expect(cursor.skipColumns(2)).toBe(true);
    expect(seen(cursor)).toEqual([1, 'a']);
    expect(cursor.skipColumns(1)).toBe(true);
    expect(seen(cursor)).toEqual([0, 'a']);
    expect(cursor.skipColumns(0)).toBe(true);
    expect(cursor.skipColumns(1)).toBe(false);
  });

  it('takes columns of a tab in parts', () => {
    const cursor = on('\t\ta');
    expect(cursor.skipColumns(1)).toBe(true);
    expect(seen(cursor)).toEqual([7, 'a']);
    expect(cursor.skipColumns(2)).toBe(true);
    expect(seen(cursor)).toEqual([5, 'a']);
    expect(cursor.skipColumns(3)).toBe(true);
    expect(seen(cursor)).toEqual([2, 'a']);
    cursor.skipCharacters(0);
    expect(seen(cursor)).toEqual([0, 'a']);
    const mixed = on(' \t a');
    expect(mixed.skipColumns(5)).toBe(true);
    expect(seen(mixed)).toEqual([0, 'a']);
  });

  it('forgets what is left of a tab once it is past it', () => {
    const cursor = on('>\t\t- a');
    cursor.skipCharacters(1);
    expect(cursor.skipColumns(1)).toBe(true);
    expect(seen(cursor)).toEqual([6, '- a']);
    cursor.skipCharacters(1);
    expect(seen(cursor)).toEqual([1, 'a']);
  });
});
