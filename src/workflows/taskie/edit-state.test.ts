import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { editStateText, newStateText } from './edit-state.ts';

describe('a change to state.json', () => {
  it('touches the value and nothing else', () => {
    const text =
      '{\r\n\t"phase" : "new-plan",\r\n\t"mine":  [1.0, {"phase": "x"}],\r\n\t"next_phase":null\r\n}';
    expect(editStateText(text, { phase: 'plan-review', next_phase: 'create-tasks' })).toBe(
      '{\r\n\t"phase" : "plan-review",\r\n\t"mine":  [1.0, {"phase": "x"}],\r\n\t"next_phase":"create-tasks"\r\n}',
    );
  });

  it('adds missing fields in the file’s own layout', () => {
    expect(editStateText('{\n    "a": 1\n}\n', { b: 'x' }, { c: null, a: 9 })).toBe(
      '{\n    "a": 1,\n    "c": null,\n    "b": "x"\n}\n',
    );
    expect(editStateText('{"a":1}', { b: 2 })).toBe('{"a":1, "b": 2}');
    expect(editStateText('{}', { b: 2 })).toBe('{"b": 2}');
  });

  it('makes a task that was given as a number the string that it is, and touches no other number', () => {
    const edit = (task: string): unknown =>
      JSON.parse(editStateText(`{"current_task": ${task}, "mine": {"current_task": 3}}`, { phase: 'b' }));
    expect(edit('3')).toEqual({ current_task: '3', mine: { current_task: 3 }, phase: 'b' });
    expect(edit('3.0')).toMatchObject({ current_task: '3' });
    expect(edit('12345678901234567890')).toMatchObject({ current_task: '12345678901234567890' });
    expect(edit('"3"')).toMatchObject({ current_task: '3' });
    expect(edit('-3')).toMatchObject({ current_task: -3 });
    expect(edit('null')).toMatchObject({ current_task: null });
    expect(JSON.parse(editStateText('{"current_task": 3}', { current_task: null }))).toEqual({
      current_task: null,
    });
  });

  it('keeps numbers that JavaScript would round', () => {
    expect(editStateText('{"big": 12345678901234567890, "phase": "a"}', { phase: 'b' })).toBe(
      '{"big": 12345678901234567890, "phase": "b"}',
    );
  });

  it('sets every one of two fields of the same name', () => {
    expect(JSON.parse(editStateText('{"phase":"a","phase":"b"}', { phase: 'c' }))).toEqual({ phase: 'c' });
  });

  it('leaves exactly the other fields as they were, whatever they hold', () => {
    const texts = fc.tuple(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 1, 2, '\t'),
    );
    const changes = fc.dictionary(
      fc.constantFrom('phase', 'next_phase', '"', '{', '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(texts, changes, ([object, indent], changed) => {
        const text = JSON.stringify(object, null, indent);
        const edited = JSON.parse(editStateText(text, JSON.parse(JSON.stringify(changed))));
        const expected = new Map(Object.entries(JSON.parse(text)));
        for (const [name, value] of Object.entries(JSON.parse(JSON.stringify(changed))))
          expected.set(name, value);
        expect(new Map(Object.entries(edited))).toEqual(expected);
      }),
    );
  });
});

describe('a new state.json', () => {
  it('is laid out for people', () => {
    expect(newStateText({ max_reviews: 8, tdd: false })).toBe('{\n  "max_reviews": 8,\n  "tdd": false\n}\n');
  });
});
