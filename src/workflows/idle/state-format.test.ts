import { describe, expect, it } from 'vitest';
import { changeStack, nextBody, readBody, runIdOf } from './state-format.ts';

const state = (fields: object): string =>
  JSON.stringify({ schema: 1, event: 'STATE', run_id: 'r1', ...fields });
const loopOf = (fields: object) => {
  const read = readBody(state(fields));
  return read.kind === 'state' ? read.loop : null;
};
const frameOf = (frame: object) => loopOf({ stack: [frame] })?.stack[0];

describe('a state is read', () => {
  it('only when it has a schema', { tags: ['I-note-1.d'] }, () => {
    expect(readBody(JSON.stringify({ event: 'STATE', stack: [] }))).toEqual({ kind: 'not-a-state' });
    expect(readBody(JSON.stringify({ schema: null }))).toEqual({ kind: 'not-a-state' });
    expect(readBody('"just text"')).toEqual({ kind: 'not-a-state' });
  });

  it.each(['', '{', 'not json', '{"schema":1,"stack":[', '{"schema":1}}'])(
    'as unreadable from %s',
    (body) => {
      expect(readBody(body)).toEqual({ kind: 'unreadable' });
    },
  );

  it.each([
    { event: 'PAUSED' },
    { event: 3 },
    { stack: 'none' },
    { stack: { 0: {} } },
    { stack: [3] },
    { stack: [null] },
  ])('as unreadable with %j', (fields) => {
    expect(readBody(state(fields))).toEqual({ kind: 'unreadable' });
  });

  it('with safe defaults for what is missing, and counts in quotes', { tags: ['I-note-1.a'] }, () => {
    expect(loopOf({ event: undefined, stack: undefined })).toMatchObject({ event: 'STATE', stack: [] });
    expect(frameOf({ mode: 'loop' })).toEqual({ mode: 'loop', iter: 0, max: 10, carryOn: false });
    expect(frameOf({ mode: 'loop', iter: '3', max: '12' })).toMatchObject({ iter: 3, max: 12 });
    expect(frameOf({ mode: 'issue' })).toMatchObject({ max: 10 });
    expect(frameOf({ mode: 'grind' })).toMatchObject({ max: 100 });
  });

  it('with null taken for missing', { tags: ['I-note-1.b'] }, () => {
    expect(loopOf({ event: null, stack: null, updated_at: null })).toMatchObject({
      event: 'STATE',
      stack: [],
    });
    expect(frameOf({ mode: 'grind', iter: null, max: null })).toMatchObject({ iter: 0, max: 100 });
  });

  it.each(['3x', '', -1, 1.5, 1e300, true, [], {}, '$(reboot)', 'a[$(reboot)]'])(
    'as corrupt with the count %j, which is never calculated with',
    { tags: ['I-invariant-2'] },
    (count) => {
      expect(frameOf({ mode: 'loop', iter: count })).toMatchObject({ iter: 'corrupt' });
      expect(frameOf({ mode: 'loop', max: count })).toMatchObject({ max: 'corrupt' });
    },
  );

  it.each([undefined, null, 'pause', 'LOOP', 7, 'constructor'])('with the unknown mode %j', (mode) => {
    expect(frameOf({ mode })).toMatchObject({ mode: 'unknown' });
  });

  it.each([
    ['2026-11-15T10:30:00Z', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T10:30:00+00:00', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T12:30:00+02:00', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T12:30:00+0200', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T05:30:00-05', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T10:30:00.123Z', '2026-11-15T10:30:00.123Z'],
    ['2026-11-15T10:30Z', '2026-11-15T10:30:00.000Z'],
  ])('with the time %s', { tags: ['I-note-2', 'I-note-2.a'] }, (written, meant) => {
    expect(loopOf({ updated_at: written })?.updatedAt).toBe(Date.parse(meant));
  });

  it.each(['2026-11-15T10:30:00', '2026-11-15', 'yesterday', '', 1_794_000_000, '2026-13-45T10:30:00Z'])(
    'without a time from %j',
    (written) => {
      expect(readBody(state({ updated_at: written }), 5)).toMatchObject({ loop: { updatedAt: null } });
      expect(readBody(state({}), 5)).toMatchObject({ loop: { updatedAt: 5 } });
    },
  );

  it('with a run id that is fit for a command line', () => {
    expect(runIdOf('loop-1730000000-4711')).toBe('loop-1730000000-4711');
    expect(runIdOf(undefined)).toBe('unnamed');
    expect(runIdOf('$(reboot)')).toMatch(/^x-[0-9a-f]+$/);
    expect(runIdOf({ id: 1 })).toMatch(/^x-[0-9a-f]+$/);
  });
});

describe('the next state', () => {
  const now = Date.parse('2026-11-15T10:30:00.500Z');

  it('keeps what it does not know', () => {
    const fields = { schema: 2, run_id: 'r1', note: 'mine', reason: 'OLD' };
    const stack = [{ id: 'f1', mode: 'loop', iter: 3, max: 10, colour: 'red' }];
    const body = nextBody(fields, {
      event: 'STATE',
      reason: null,
      stack: changeStack(stack, { drop: 'none', step: true }),
      now,
    });
    expect(JSON.parse(body)).toEqual({
      schema: 2,
      run_id: 'r1',
      note: 'mine',
      event: 'STATE',
      updated_at: '2026-11-15T10:30:00Z',
      stack: [{ id: 'f1', mode: 'loop', iter: 4, max: 10, colour: 'red' }],
    });
  });

  it('is one line', { tags: ['I-note-1'] }, () => {
    const body = nextBody({ note: 'two\nlines' }, { event: 'DONE', reason: 'COMPLETE', stack: [], now });
    expect(body).not.toContain('\n');
  });

  it('counts from 0 where the iteration is missing', () => {
    expect(changeStack([{ mode: 'loop' }], { drop: 'none', step: true })).toEqual([
      { mode: 'loop', iter: 1 },
    ]);
  });

  it('drops the top frame, or all of them', () => {
    const stack = [{ iter: 1 }, { iter: 2 }];
    expect(changeStack(stack, { drop: 'top', step: false })).toEqual([{ iter: 1 }]);
    expect(changeStack(stack, { drop: 'top', step: true })).toEqual([{ iter: 2 }]);
    expect(changeStack(stack, { drop: 'all', step: false })).toEqual([]);
  });
});
