// What each way to write a condition becomes, and what is said of one that is wrong.

import { describe, expect, it } from 'vitest';
import type { Condition } from '../types.ts';
import { type Known, MOST_VISITS, readConditions, readName } from './conditions.ts';
import { readYaml } from './read-yaml.ts';
import { Reader } from './reader.ts';

const KNOWN: Known = { checks: ['test', 'lint'], reviews: ['critic', 'other'] };

function treeOf(text: string) {
  const tree = readYaml(text);
  if (!('kind' in tree)) throw new Error(tree.what);
  return tree;
}

function read(text: string, known: Known = KNOWN) {
  const reader = new Reader();
  const conditions = readConditions(treeOf(text), known, reader);
  const problems = reader.problems.map(({ place, what }) => `${place.line}:${place.column} ${what}`);
  return { conditions, problems, all: reader.problems };
}

const ofSignal = (name: string): Condition => ({ kind: 'signal', name });
const ofVisits = (least: number): Condition => ({ kind: 'visits', least });
const ofFile = (glob: string, is: 'exists' | 'missing' | 'changed'): Condition => ({
  kind: 'file',
  glob,
  is,
});
const ofCheck = (name: string, is: 'passed' | 'failed'): Condition => ({ kind: 'check', name, is });
const ofReview = (name: string, is: 'clean' | 'findings'): Condition => ({ kind: 'review', name, is });

describe('a condition', () => {
  const written: [string, Condition[]][] = [
    ['{ signal: done }', [ofSignal('done')]],
    ['{ visits: 1 }', [ofVisits(1)]],
    [`{ visits: ${MOST_VISITS} }`, [ofVisits(100)]],
    ['{ check: test }', [ofCheck('test', 'passed')]],
    ['{ check: test, is: failed }', [ofCheck('test', 'failed')]],
    ['{ check: test, is: passed }', [ofCheck('test', 'passed')]],
    ['{ check: { name: test } }', [ofCheck('test', 'passed')]],
    ['{ check: { name: test, is: failed } }', [ofCheck('test', 'failed')]],
    ['{ check: { name: test }, is: failed }', [ofCheck('test', 'failed')]],
    ['{ check: [test], is: failed }', [ofCheck('test', 'failed')]],
    ['{ check: [test, { name: lint, is: failed }] }', [ofCheck('test', 'passed'), ofCheck('lint', 'failed')]],
    ['{ review: critic }', [ofReview('critic', 'clean')]],
    ['{ review: other, is: findings }', [ofReview('other', 'findings')]],
    ['{ review: { name: critic, is: findings } }', [ofReview('critic', 'findings')]],
    ['{ file: a/** }', [ofFile('a/**', 'exists')]],
    ['{ file: a, is: missing }', [ofFile('a', 'missing')]],
    ['{ file: { glob: a, is: changed } }', [ofFile('a', 'changed')]],
    ['{ file: { glob: a }, is: changed }', [ofFile('a', 'changed')]],
  ];
  it.each(written)('reads %s', (text, conditions) => {
    expect(read(text)).toEqual({ conditions, problems: [], all: [] });
  });

  it('has its costly parts last, whatever the order of the text', () => {
    const cheapFirst = [
      ofVisits(2),
      ofSignal('done'),
      ofFile('a', 'exists'),
      ofCheck('test', 'passed'),
      ofReview('critic', 'clean'),
    ];
    expect(read('{ review: critic, check: test, file: a, signal: done, visits: 2 }').conditions).toEqual(
      cheapFirst,
    );
    expect(read('{ check: test, visits: 2, review: critic, signal: done, file: a }').conditions).toEqual(
      cheapFirst,
    );
  });

  it('may name any check where nobody knows those of the project', () => {
    expect(read('{ check: whatever }', { checks: null, reviews: [] })).toEqual({
      conditions: [ofCheck('whatever', 'passed')],
      problems: [],
      all: [],
    });
  });

  it('that has an `is` beside one thing alone gives it to that one', () => {
    expect(read('{ signal: done, visits: 2, check: test, is: failed }').conditions).toEqual([
      ofVisits(2),
      ofSignal('done'),
      ofCheck('test', 'failed'),
    ]);
  });
});

describe('a condition that is wrong', () => {
  const NO_IS = '`is` belongs to a check, a review or a file, and there is none here';
  const WHICH_IS =
    'nobody can tell which condition this `is` belongs to: write `check: { name: test, is: failed }`';
  const KEYS = 'signal, check, review, file, visits, is';
  const wrong: [string, Condition[] | null, string[]][] = [
    ['done', null, ['1:1 a condition is a table with keys']],
    ['{}', [], ['1:1 this condition is empty; `visits: 1` always holds, if that is meant']],
    ['{ signl: done }', [], [`1:3 a condition has no key "signl" (did you mean "signal"?); it has: ${KEYS}`]],
    ['{ is: passed }', [], [`1:3 ${NO_IS}`]],
    ['{ signal: done, is: passed }', [ofSignal('done')], [`1:17 ${NO_IS}`]],
    [
      '{ check: test, file: a, is: failed }',
      [ofFile('a', 'exists'), ofCheck('test', 'passed')],
      [`1:25 ${WHICH_IS}`],
    ],
    [
      '{ review: critic, file: a, is: nonsense }',
      [ofFile('a', 'exists'), ofReview('critic', 'clean')],
      [`1:28 ${WHICH_IS}`],
    ],
    [
      '{ signal: Done }',
      [],
      ['1:11 a signal is called by small letters, digits and "-", beginning with a letter, not "Done"'],
    ],
    ['{ signal: 3 }', [], ['1:11 a signal is a text']],
    ['{ visits: 0 }', [], ['1:11 `visits` is a whole number from 1 to 100']],
    ['{ visits: 101 }', [], ['1:11 `visits` is a whole number from 1 to 100']],
    ['{ check: [] }', [], ['1:10 this list of checks is empty']],
    [
      '{ check: [test, lint], is: failed }',
      [],
      ['1:24 with several checks each has its own: write `{ name: test, is: failed }`'],
    ],
    [
      '{ check: tset }',
      [],
      ['1:10 there is no check "tset" (did you mean "test"?); the config has: test, lint'],
    ],
    [
      '{ check: [build, test] }',
      [ofCheck('test', 'passed')],
      ['1:11 there is no check "build"; the config has: test, lint'],
    ],
    ['{ check: { name: build } }', [], ['1:18 there is no check "build"; the config has: test, lint']],
    ['{ check: test, is: clean }', [], ['1:20 `is` of a check is passed or failed']],
    ['{ check: 3 }', [], ['1:10 `check` is a text']],
    ['{ check: { is: failed } }', [], ['1:10 `check` has no `name`']],
    ['{ check: { name: " " } }', [], ['1:18 `name` is empty']],
    [
      '{ check: { glob: test } }',
      [],
      ['1:12 `check` has no key "glob"; it has: name, is', '1:10 `check` has no `name`'],
    ],
    ['{ check: { name: test, is: failed }, is: passed }', [], ['1:38 `is` is there twice for this check']],
    ['{ check: { name: test, is: broken } }', [], ['1:28 `is` of a check is passed or failed']],
    [
      '{ review: critics }',
      [],
      ['1:11 `reviews` has no "critics" (did you mean "critic"?); there are: critic, other'],
    ],
    ['{ review: { name: nobody } }', [], ['1:19 `reviews` has no "nobody"; there are: critic, other']],
    ['{ review: critic, is: passed }', [], ['1:23 `is` of a review is clean or findings']],
    ['{ review: [critic] }', [], ['1:11 `review` is a text']],
    ['{ file: a, is: passed }', [], ['1:16 `is` of a file is exists or missing or changed']],
    ['{ file: { is: missing } }', [], ['1:9 `file` has no `glob`']],
    [
      '{ file: ../a }',
      [],
      ['1:9 "../a" leads out of the project: write it relative to the project, without ".."'],
    ],
    ['{ file: { glob: .git/a } }', [], ['1:17 ".git/a" is no content of the project']],
    ['{ file: }', [], ['1:9 `file` is a text']],
  ];
  it.each(wrong)('says of %s what is wrong', (text, conditions, problems) => {
    expect(read(text)).toMatchObject({ conditions, problems });
  });

  it('names the check that the config does not have, and says when it has none at all', () => {
    const { conditions, all } = read('{ check: test }', { checks: [], reviews: [] });
    expect(conditions).toEqual([]);
    expect(all).toEqual([
      {
        place: { line: 1, column: 10 },
        what: 'there is no check "test"; `checks` in holdfast.config.json has none',
        missingCheck: 'test',
      },
    ]);
  });

  it('says when there are no reviews at all', () => {
    expect(read('{ review: critic }', { checks: [], reviews: [] }).all).toEqual([
      { place: { line: 1, column: 11 }, what: '`reviews` has no "critic"; there is none' },
    ]);
  });
});

describe('a name', () => {
  it('is a text by the rule of names, else it is said what is wrong with it', () => {
    const reader = new Reader();
    expect(readName(treeOf('good-name-1'), 'a flow', reader)).toBe('good-name-1');
    expect(reader.problems).toEqual([]);
    expect(readName(treeOf('[]'), 'a flow', reader)).toBe(null);
    expect(readName(treeOf('Bad'), 'a flow', reader)).toBe(null);
    expect(reader.problems.map(({ what }) => what)).toEqual([
      'a flow is a text',
      'a flow is called by small letters, digits and "-", beginning with a letter, not "Bad"',
    ]);
  });
});
