// Each thing that a tree may be read as: what comes out, or what is said of it.

import { describe, expect, it } from 'vitest';
import { readYaml, type Tree } from './read-yaml.ts';
import { Reader, shown, type Table } from './reader.ts';

function treeOf(text: string): Tree {
  const tree = readYaml(text);
  if (!('kind' in tree)) throw new Error(tree.what);
  return tree;
}

/** What a text is read as, and what is said of it with its place. */
function reading<T>(text: string, read: (reader: Reader, tree: Tree) => T): [T, ...string[]] {
  const reader = new Reader();
  const found = read(reader, treeOf(text));
  return [found, ...reader.problems.map(({ place, what }) => `${place.line}:${place.column} ${what}`)];
}

function tableOf(text: string): Table {
  const table = new Reader().table(treeOf(text), 'a table', null);
  if (table === null) throw new Error('no table');
  return table;
}

describe('a reader', () => {
  it('collects all problems, each with what more is known of it', () => {
    const reader = new Reader();
    expect(reader.refuse({ line: 1, column: 2 }, 'one')).toBe(null);
    expect(reader.refuse({ line: 3, column: 4 }, 'two', { missingCheck: 'test' })).toBe(null);
    expect(reader.problems).toEqual([
      { place: { line: 1, column: 2 }, what: 'one' },
      { place: { line: 3, column: 4 }, what: 'two', missingCheck: 'test' },
    ]);
  });
});

describe('a table', () => {
  const keysOf = (text: string, known: readonly string[] | null): unknown[] =>
    reading(text, (reader, tree) => {
      const table = reader.table(tree, 'a state', known);
      return table === null ? null : [table.place.line, ...table.keys.keys()];
    });

  it('has its keys, also those that nobody knows, which are refused', () => {
    expect(keysOf('{ say: a, leave: b }', ['say', 'leave'])).toEqual([[1, 'say', 'leave']]);
    expect(keysOf('say: a\nsaya: b', ['say', 'leave'])).toEqual([
      [1, 'say', 'saya'],
      '2:1 a state has no key "saya" (did you mean "say"?); it has: say, leave',
    ]);
    expect(keysOf('{ what: a }', [])).toEqual([[1, 'what'], '1:3 a state has no key "what"; it has: ']);
  });

  it('may have any keys where none are given', () => {
    expect(keysOf('\n{ what: a, ever: b }', null)).toEqual([[2, 'what', 'ever']]);
  });

  it.each(['text', '[a]', '3'])('is not %s', (text) => {
    expect(keysOf(text, null)).toEqual([null, '1:1 a state is a table with keys']);
  });

  it('keeps where each key and its value stand', () => {
    const entry = tableOf('{ a: 1, bc: two }').keys.get('bc');
    expect(entry).toEqual({
      key: 'bc',
      place: { line: 1, column: 9 },
      value: { kind: 'value', value: 'two', place: { line: 1, column: 13 } },
    });
  });
});

describe('what is read', () => {
  const list = (text: string) =>
    reading(text, (reader, tree) => reader.list(tree, '`leave`')?.length ?? null);
  const text = (yaml: string) => reading(yaml, (reader, tree) => reader.text(tree, '`say`'));
  const flag = (yaml: string) => reading(yaml, (reader, tree) => reader.flag(tree, '`pause`'));
  const count = (yaml: string) => reading(yaml, (reader, tree) => reader.count(tree, '`holds`', 10));
  const oneOf = (yaml: string) =>
    reading(yaml, (reader, tree) => reader.oneOf(tree, '`end`', ['completed', 'let-go', 'other']));
  const name = (word: string) =>
    reading('x', (reader) => reader.name(word, { line: 5, column: 6 }, 'a state'));

  const cases: [string, (text: string) => unknown[], string, unknown[]][] = [
    ['a list', list, '[a, b]', [2]],
    ['a list', list, '[]', [0]],
    ['a list', list, '{ a: b }', [null, '1:1 `leave` is a list']],
    ['a list', list, 'a', [null, '1:1 `leave` is a list']],
    ['a text', text, 'word', ['word']],
    ['a text', text, '" word "', [' word ']],
    ['a text', text, '" "', [null, '1:1 `say` is empty']],
    ['a text', text, '""', [null, '1:1 `say` is empty']],
    ['a text', text, '3', [null, '1:1 `say` is a text']],
    ['a text', text, 'true', [null, '1:1 `say` is a text']],
    ['a text', text, '[word]', [null, '1:1 `say` is a text']],
    ['a text', text, '{ a: word }', [null, '1:1 `say` is a text']],
    ['a flag', flag, 'true', [true]],
    ['a flag', flag, 'false', [false]],
    ['a flag', flag, '"true"', [null, '1:1 `pause` is true or false']],
    ['a flag', flag, '1', [null, '1:1 `pause` is true or false']],
    ['a flag', flag, '[true]', [null, '1:1 `pause` is true or false']],
    ['a count', count, '1', [1]],
    ['a count', count, '10', [10]],
    ['a count', count, '0', [null, '1:1 `holds` is a whole number from 1 to 10']],
    ['a count', count, '11', [null, '1:1 `holds` is a whole number from 1 to 10']],
    ['a count', count, '2.5', [null, '1:1 `holds` is a whole number from 1 to 10']],
    ['a count', count, '"2"', [null, '1:1 `holds` is a whole number from 1 to 10']],
    ['a count', count, '[2]', [null, '1:1 `holds` is a whole number from 1 to 10']],
    ['a count', count, '.nan', [null, '1:1 `holds` is a whole number from 1 to 10']],
    ['one of some words', oneOf, 'completed', ['completed']],
    ['one of some words', oneOf, 'other', ['other']],
    ['one of some words', oneOf, 'complete', [null, '1:1 `end` is completed or let-go or other']],
    ['one of some words', oneOf, '[completed]', [null, '1:1 `end` is completed or let-go or other']],
    ['a name', name, 'a-1', ['a-1']],
    [
      'a name',
      name,
      'A b',
      [null, '5:6 a state is called by small letters, digits and "-", beginning with a letter, not "A b"'],
    ],
  ];
  it.each(cases)('as %s (%o of %s) is it, or is refused', (_, read, yaml, expected) => {
    expect(read(yaml)).toEqual(expected);
  });
});

describe('a key', () => {
  const table = tableOf('\n{ there: 7 }');
  const value = (tree: Tree): unknown => (tree.kind === 'value' ? tree.value : 'no value');

  it('that is required is read, or it is said that it is not there', () => {
    const reader = new Reader();
    expect(reader.required(table, 'there', 'a flow', value)).toBe(7);
    expect(reader.problems).toEqual([]);
    expect(reader.required(table, 'gone', 'a flow', value)).toBe(null);
    expect(reader.problems).toEqual([{ place: { line: 2, column: 1 }, what: 'a flow has no `gone`' }]);
  });

  it('that is optional is read where it is there', () => {
    const reader = new Reader();
    expect(reader.optional(table, 'there', value)).toBe(7);
    expect(reader.optional(table, 'gone', value)).toBe(null);
    expect(reader.problems).toEqual([]);
  });
});

describe('a word of the file in a sentence', () => {
  const cases: [string, string][] = [
    ['word', '"word"'],
    ['two \n\t words', '"two words"'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(40)}"`],
    ['', '""'],
  ];
  it.each(cases)('is shown on one line and cut: %j', (word, text) => {
    expect(shown(word)).toBe(text);
  });

  it('brings no control characters with it', () => {
    expect(shown('a\u0007b')).toBe('"a b"');
  });
});
