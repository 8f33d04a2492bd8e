// YAML as a tree with places, and the first thing that is wrong with a text.

import { describe, expect, it } from 'vitest';
import { readYaml, type Tree } from './read-yaml.ts';

const at = (line: number, column: number) => ({ line, column });

describe('a text', () => {
  it('is a tree of tables, lists and values, each with its place', () => {
    expect(readYaml('a: 1\nb:\n  - x\n  - true\nc: { d, e: ~ }\n')).toEqual({
      place: at(1, 1),
      kind: 'table',
      entries: [
        { key: 'a', place: at(1, 1), value: { place: at(1, 4), kind: 'value', value: 1 } },
        {
          key: 'b',
          place: at(2, 1),
          value: {
            place: at(3, 3),
            kind: 'list',
            items: [
              { place: at(3, 5), kind: 'value', value: 'x' },
              { place: at(4, 5), kind: 'value', value: true },
            ],
          },
        },
        {
          key: 'c',
          place: at(5, 1),
          value: {
            place: at(5, 4),
            kind: 'table',
            entries: [
              { key: 'd', place: at(5, 6), value: { place: at(5, 6), kind: 'value', value: null } },
              { key: 'e', place: at(5, 9), value: { place: at(5, 12), kind: 'value', value: null } },
            ],
          },
        },
      ],
    });
  });

  it('may have a key `<<`, which is one like any other', () => {
    expect(readYaml('<<: { a: 1 }\n')).toMatchObject({ kind: 'table', entries: [{ key: '<<' }] });
  });

  it.each([
    ['', 1, 1, 'the file is empty'],
    ['# nothing\n', 1, 1, 'the file is empty'],
    ['a: 1\na: 2\n', 2, 1, 'this key is there twice'],
    ['a:\n\tb: 1\n', 2, 1, 'a tab cannot indent in YAML: use blanks'],
    ['a: 1\n---\nb: 2\n', 2, 1, 'one file holds one flow: a second document begins here'],
    ['a: &x 1\n', 1, 7, 'a flow has no anchors and aliases: write it out'],
    ['a: &x 1\nb: *x\n', 1, 7, 'a flow has no anchors and aliases: write it out'],
    ['a: *x\n', 1, 4, 'a flow has no anchors and aliases: write it out'],
    ['a: &x *y\n', 1, 7, 'a flow has no anchors and aliases: write it out'],
    ['&x a: 1\n', 1, 4, 'a flow has no anchors and aliases: write it out'],
    ['!!str 7\n', 1, 7, 'a flow has no tags such as !!str'],
    ['a:\n  - !<tag:yaml.org,2002:int> 7\n', 2, 30, 'a flow has no tags such as !!int'],
    ['a: ! 7\n', 1, 6, 'a flow has no tags such as !'],
    ['a: !!map { b: 1 }\n', 1, 10, 'a flow has no tags such as !!map'],
    ['!!str a: 1\n', 1, 7, 'a flow has no tags such as !!str'],
    ['a: !mine 1\n', 1, 10, 'a flow has no tags such as !mine'],
    [`a: !${'m'.repeat(60)} 1\n`, 1, 66, `a flow has no tags such as !${'m'.repeat(39)}`],
    ['[a]: 1\n', 1, 1, 'a key is a plain word'],
    ['1: a\n', 1, 1, 'a key is a plain word'],
    ['? \n: a\n', 1, 3, 'a key is a plain word'],
    ['a: "x\n', 2, 1, 'this is no YAML: Missing closing "quote'],
    [
      'a: [1\n',
      2,
      1,
      'this is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['a: b: c\n', 1, 4, 'this is no YAML: Nested mappings are not allowed in compact mappings'],
  ])('%j is refused', (text, line, column, what) => {
    expect(readYaml(text)).toEqual({ place: at(line, column), what });
  });

  it('is at most 64 kB long', () => {
    const long = (length: number): string => `# ${'x'.repeat(length - 5)}\n7\n`;
    expect(readYaml(long(65_536))).toEqual({ place: at(2, 1), kind: 'value', value: 7 });
    expect(readYaml(long(65_537))).toEqual({
      ...{ place: at(1, 1), what: 'the file is longer than 64 kB; a flow is some twenty lines' },
    });
  });

  it.each([
    ['[', ']'],
    ['{ a: ', '}'],
  ])('is at most sixteen levels deep, with %s', (open, close) => {
    const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}\n`;
    expect(readYaml(nested(16))).toHaveProperty('kind');
    expect(readYaml(nested(17))).toEqual({
      ...{ place: at(1, 17 * open.length + 1), what: 'this is nested deeper than 16 levels' },
    });
  });

  it('is not given to the parser where hundreds of brackets are open', () => {
    const open = (count: number, bracket: string): Tree | { what: string } =>
      readYaml(`# ${bracket.repeat(count)}\n7\n`);
    for (const bracket of ['[', '{']) {
      expect(open(320, bracket)).toHaveProperty('kind', 'value');
      expect(open(321, bracket)).toEqual({ place: at(1, 323), what: 'this is nested deeper than 16 levels' });
    }
    expect(readYaml(`# x\n\n#  ${'['.repeat(400)}\n`)).toMatchObject({ place: at(3, 324) });
  });

  it('may have as many brackets as it likes that are closed again, or that nobody opened', () => {
    expect(readYaml(`# ${'[]'.repeat(400)}${'{}'.repeat(400)}\n7\n`)).toHaveProperty('kind', 'value');
    expect(readYaml(`# ${']'.repeat(400)}${'['.repeat(320)}\n7\n`)).toHaveProperty('kind', 'value');
    expect(readYaml(`# ${'}'.repeat(400)}${'{'.repeat(321)}\n7\n`)).toHaveProperty('what');
  });
});
