// What a flow's text becomes, and the bounds of it. What is refused otherwise is in test/flow/broken.ts.

import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';

const SMALL = `flow: sample
start: work
states:
  work:
    say: Do it
    leave:
      - when: { signal: done }
        to: finished
  finished: { end: completed }
`;

const whatIn = (text: string, checks: readonly string[] | null = null): string[] => {
  const compiled = compile(text, checks);
  return compiled.kind === 'compiled'
    ? []
    : compiled.problems.map(({ place, what }) => `${place.line}:${place.column} ${what}`);
};

describe('a compiled flow', () => {
  it('has all that its text says, the costly conditions of a line last', () => {
    const compiled = compile(
      `flow: whole
about: All of it.
holds: 7
start: work
states:
  work:
    say: "{{task}} {{visits}} {{holds}} {{checks}} {{findings}}"
    leave:
      - when: { review: critic, check: test, file: a.txt, signal: done, visits: 2 }
        to: finished
      - when: { review: { name: critic, is: findings }, check: [test, { name: lint, is: failed }] }
        to: rest
      - { when: { file: { glob: b/**, is: missing } }, to: gone }
      - { when: { file: c, is: changed }, to: gone }
      - { when: { check: test, is: failed }, to: work }
    holds: 3
    otherwise: gone
  rest: { pause: true, leave: [{ when: { visits: 1 }, to: work }] }
  gone: { end: let-go, say: Gone. }
  finished: { end: completed }
reviews:
  critic: { prompt: "Look at {{task}}.", files: [src/**, a.txt] }
  other: { prompt: Look., files: b.txt }
  third: { prompt: Look. }
`,
      null,
    );
    expect(compiled).toEqual({
      kind: 'compiled',
      definition: {
        ...{ schema: 1, flow: 'whole', about: 'All of it.', holds: 7, start: 'work' },
        states: {
          work: {
            ...{ kind: 'work', say: '{{task}} {{visits}} {{holds}} {{checks}} {{findings}}' },
            leave: [
              {
                when: [
                  { kind: 'visits', least: 2 },
                  { kind: 'signal', name: 'done' },
                  { kind: 'file', glob: 'a.txt', is: 'exists' },
                  { kind: 'check', name: 'test', is: 'passed' },
                  { kind: 'review', name: 'critic', is: 'clean' },
                ],
                to: 'finished',
              },
              {
                when: [
                  { kind: 'check', name: 'test', is: 'passed' },
                  { kind: 'check', name: 'lint', is: 'failed' },
                  { kind: 'review', name: 'critic', is: 'findings' },
                ],
                to: 'rest',
              },
              { when: [{ kind: 'file', glob: 'b/**', is: 'missing' }], to: 'gone' },
              { when: [{ kind: 'file', glob: 'c', is: 'changed' }], to: 'gone' },
              { when: [{ kind: 'check', name: 'test', is: 'failed' }], to: 'work' },
            ],
            ...{ holds: 3, otherwise: 'gone' },
          },
          rest: { kind: 'pause', say: null, leave: [{ when: [{ kind: 'visits', least: 1 }], to: 'work' }] },
          gone: { kind: 'end', end: 'let-go', say: 'Gone.' },
          finished: { kind: 'end', end: 'completed', say: null },
        },
        reviews: {
          critic: { prompt: 'Look at {{task}}.', files: ['src/**', 'a.txt'] },
          other: { prompt: 'Look.', files: ['b.txt'] },
          third: { prompt: 'Look.', files: ['**'] },
        },
      },
      places: {
        states: new Map([
          ['work', { line: 6, column: 3 }],
          ['rest', { line: 18, column: 3 }],
          ['gone', { line: 19, column: 3 }],
          ['finished', { line: 20, column: 3 }],
        ]),
        lines: new Map([
          [
            'work',
            [
              { line: 9, column: 9 },
              { line: 11, column: 9 },
              { line: 13, column: 9 },
              { line: 14, column: 9 },
              { line: 15, column: 9 },
            ],
          ],
          ['rest', [{ line: 18, column: 32 }]],
          ['gone', []],
          ['finished', []],
        ]),
        otherwise: new Map([['work', { line: 17, column: 16 }]]),
      },
    });
  });

  it('has a hundred holds where it does not say how many', () => {
    expect(compile(SMALL, null)).toMatchObject({ definition: { holds: 100, about: null, reviews: {} } });
  });
});

describe('the bounds of a flow', () => {
  const states = (count: number): string =>
    `${SMALL}${Array.from({ length: count - 2 }, (_, index) => `  s${index}: { end: let-go }\n`).join('')}`;
  const lines = (count: number): string =>
    SMALL.replace(
      '      - when',
      `${Array.from({ length: count - 1 }, () => '      - { when: { signal: a }, to: finished }\n').join('')}      - when`,
    );
  const holds = (count: number | string): string => SMALL.replace('start', `holds: ${count}\nstart`);
  const visits = (count: number | string): string => SMALL.replace('signal: done', `visits: ${count}`);

  it.each([
    ['200 states', states(200)],
    ['50 lines', lines(50)],
    ['1 hold', holds(1)],
    ['1000 holds', holds(1000)],
    ['the first visit', visits(1)],
    ['the hundredth visit', visits(100)],
    [
      'as many holds of a visit as of the run',
      SMALL.replace('    leave', '    holds: 100\n    otherwise: finished\n    leave'),
    ],
  ])('are kept by %s', (_, text) => {
    expect(whatIn(text)).toEqual([]);
  });

  it.each([
    ['201 states', states(201), '4:3 a flow has at most 200 states, not 201'],
    ['51 lines', lines(51), '7:7 a state has at most 50 lines'],
    ['0 holds', holds(0), '2:8 `holds` is a whole number from 1 to 1000'],
    ['1001 holds', holds(1001), '2:8 `holds` is a whole number from 1 to 1000'],
    ['half a hold', holds(1.5), '2:8 `holds` is a whole number from 1 to 1000'],
    ['holds in a list', holds('[1]'), '2:8 `holds` is a whole number from 1 to 1000'],
    ['no visit', visits(0), '7:25 `visits` is a whole number from 1 to 100'],
    ['101 visits', visits(101), '7:25 `visits` is a whole number from 1 to 100'],
  ])('are passed by %s', (_, text, what) => {
    expect(whatIn(text)).toEqual([what]);
  });
});

describe('all that is wrong with a flow', () => {
  it('is said at once, each in its place', () => {
    expect(
      whatIn(
        `flow: Sample
start: wrok
holds: many
states:
  work:
    say: "{{tsk}}"
    pause: perhaps
    leave:
      - when: { signal: 7, check: [tset, test], review: crtic, file: ../x, visits: x, is: 3 }
        to: finishd
      - when: nothing
        to: [a]
      - nothing
    holds: 3
  finished: { end: complete, pause: true, otherwise: work }
reviews:
  Critic: { prompt: "{{holds}}", files: [/etc, ""] }
  empty: { files: [] }
  none: 7
`,
        ['test'],
      ),
    ).toEqual([
      '1:7 a flow is called by small letters, digits and "-", beginning with a letter, not "Sample"',
      '2:8 there is no state "wrok" (did you mean "work"?)',
      '3:8 `holds` is a whole number from 1 to 1000',
      '6:10 there is no slot "{{tsk}}" (did you mean "task"?); there are: task, visits, holds, checks, findings',
      '7:12 `pause` is true or false',
      '9:25 a signal is a text',
      '9:36 there is no check "tset" (did you mean "test"?); the config has: test',
      '9:57 `reviews` has no "crtic" (did you mean "Critic"?); there are: Critic',
      '9:70 "../x" leads out of the project: write it relative to the project, without ".."',
      '9:84 `visits` is a whole number from 1 to 100',
      '9:87 nobody can tell which condition this `is` belongs to: write `check: { name: test, is: failed }`',
      '10:13 there is no state "finishd" (did you mean "finished"?)',
      '11:15 a condition is a table with keys',
      '12:13 `to` is a text',
      '13:9 a line of `leave` is a table with keys',
      '14:5 `holds` of a state needs `otherwise`: where does it go then?',
      '15:20 `end` is completed or let-go',
      '15:30 an end has no `pause`',
      '15:43 an end has no `otherwise`',
      '17:3 a review is called by small letters, digits and "-", beginning with a letter, not "Critic"',
      "17:21 a reviewer's prompt has the slot {{task}} alone, not {{holds}}",
      '17:42 "/etc" leads out of the project: write it relative to the project, without ".."',
      '17:48 `files` is empty',
      '18:10 a review has no `prompt`',
      '18:19 `files` is empty',
      '19:9 a review is a table with keys',
    ]);
  });

  it('is said of a review whose prompt is missing or has other slots', () => {
    const reviews = (text: string): string[] => whatIn(`${SMALL}reviews: ${text}\n`);
    expect(reviews('7')).toEqual(['10:10 `reviews` is a table with keys']);
    expect(reviews('{ a: { prompt: "{{task}} {{holds}} {{x}}" } }')).toEqual([
      "10:25 a reviewer's prompt has the slot {{task}} alone, not {{holds}}",
      "10:25 a reviewer's prompt has the slot {{task}} alone, not {{x}}",
    ]);
    expect(reviews('{ a: { files: x } }')).toEqual(['10:15 a review has no `prompt`']);
    expect(reviews('{ a: { prompt: x, files: [] } }')).toEqual(['10:35 `files` is empty']);
    expect(reviews('{ a: { prompt: x, files: [a, 7, ../b] } }')).toEqual([
      '10:39 `files` is a text',
      '10:42 "../b" leads out of the project: write it relative to the project, without ".."',
    ]);
    expect(reviews('{ A: { prompt: x } }')).toEqual([
      '10:12 a review is called by small letters, digits and "-", beginning with a letter, not "A"',
    ]);
  });

  it('is said of a second review of one state, whatever comes before the first', () => {
    const asking = (...lines: string[]): string =>
      SMALL.replace(
        '      - when',
        `${lines.map((when) => `      - { when: ${when}, to: finished }\n`).join('')}      - when`,
      ).concat('reviews: { one: { prompt: x }, two: { prompt: y } }\n');
    const [one, two] = ['{ review: one }', '{ review: two }'];
    expect(whatIn(asking('{ visits: 9 }', one, '{ review: one, visits: 3 }'))).toEqual([]);
    expect(whatIn(asking(one, '{ visits: 9 }', two))).toEqual([
      '9:9 a state asks for one review, and this one asks for one already',
    ]);
  });

  it('is said of holds that the whole run does not have', () => {
    const bounded = (holds: number): string =>
      SMALL.replace('start', 'holds: 5\nstart').replace(
        '    leave',
        `    holds: ${holds}\n    otherwise: finished\n    leave`,
      );
    expect(whatIn(bounded(5))).toEqual([]);
    expect(whatIn(bounded(6))).toEqual(['7:12 the whole run has 5 holds, so these 6 are never reached']);
  });

  it('is said of a state that is no table, and of the others all the same', () => {
    expect(whatIn(`${SMALL}  odd: 7\n  other: { end: x }\n`)).toEqual([
      '10:8 a state is a table with keys',
      '11:17 `end` is completed or let-go',
    ]);
  });

  it.each<[string, string, string[]]>([
    [
      'starts in an end',
      SMALL.replace('start: work', 'start: finished'),
      ['2:8 a flow starts in a state with work to do, and "finished" is an end'],
    ],
    [
      'starts in a pause',
      SMALL.replace('say: Do it', 'pause: true'),
      ['2:8 a flow starts in a state with work to do, and "work" is a pause'],
    ],
    [
      'has no states',
      'flow: x\nstart: a\nstates: {}\n',
      ['2:8 there is no state "a"', '3:9 `states` is empty'],
    ],
    [
      'says nothing in a state',
      SMALL.replace('    say: Do it\n', ''),
      ['4:3 this state has no `say`: the agent would be held and not know why'],
    ],
    ['says no text in a state', SMALL.replace('Do it', '7'), ['5:10 `say` is a text']],
    ['is no YAML', 'flow: [', [expect.stringMatching(/^1:\d+ /)]],
    ['is empty', '', ['1:1 the file is empty']],
  ])('is said of a flow that %s', (_, text, problems) => {
    expect(whatIn(text)).toEqual(problems);
  });
});
