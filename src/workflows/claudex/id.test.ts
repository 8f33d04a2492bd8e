import { describe, expect, it } from 'vitest';
import { isId, newId } from './id.ts';

describe("a loop's id", () => {
  it('is the UTC time and six lowercase hex digits', { tags: ['C2.1.a'] }, () => {
    expect(newId(Date.parse('2026-01-31T09:30:05.999Z'), 0.999999)).toBe('20260131-093005-ffffef');
    expect(newId(Date.parse('2026-12-01T00:00:00Z'), 0)).toBe('20261201-000000-000000');
  });

  it('passes its own check, whatever the clock and the dice say', { tags: ['C2.1.b', 'C2.3.a'] }, () => {
    for (let step = 0; step < 500; step++) expect(isId(newId(step * 86_399_111, step / 500))).toBe(true);
  });

  it.each([
    '../../../etc/passwd',
    '',
    '20260131-093000-1A2B3C',
    '20260131-093000-1a2b3',
    '20260131-093000-1a2b3cd',
    '20260131-093000-1a2b3g',
    '2026-01-31-093000-1a2b3c',
    '20260131-093000-1a2b3c\n',
    ' 20260131-093000-1a2b3c',
    '20260131-093000-1a2b3c/../x',
    '20260131093000-1a2b3c',
    '٢٠٢٦٠١٣١-093000-1a2b3c',
  ])('is refused when malformed: %j', { tags: ['C2.1.b', 'C2.3.b'] }, (text) => {
    expect(isId(text)).toBe(false);
  });
});
