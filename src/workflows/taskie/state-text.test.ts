import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { editStateText, newStateText } from './state-text.ts';

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
