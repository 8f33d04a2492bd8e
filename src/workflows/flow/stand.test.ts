import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../../test/support/flow-run.ts';
import { beginning, conditionsIn, fileKey, own, reviewIn, signalsIn, standing, watchedIn } from './stand.ts';

const DEFINITION = definitionOf(`flow: sample
holds: 9
start: work
states:
  work:
    say: Do it
    leave:
      - { when: { signal: done }, to: finished }
      - { when: { signal: done, file: a, is: exists }, to: ask }
      - { when: { signal: stop }, to: gone }
    holds: 2
    otherwise: ask
  ask:
    pause: true
    leave:
      - { when: { file: a, is: changed }, to: work }
      - { when: { file: b, is: missing }, to: work }
      - { when: { signal: go, file: a, is: changed }, to: work }
      - { when: { file: c, is: changed }, to: work }
  constructor: { say: x, leave: [{ when: { review: critic }, to: work }] }
  gone: { end: let-go }
  finished: { end: completed }
reviews: { critic: { prompt: Look } }
`);

const COUNTS = { at: 'work', visits: { work: 3, ask: 2 }, stay: 1, held: 4 };

describe('where a run stands', () => {
  it('is its counts, with the lines of its state and where they lead', () => {
    const target = (to: string, is: string, visits = 0, watches = false) => ({ to, is, visits, watches });
    expect(standing(DEFINITION, COUNTS)).toEqual({
      ...{ kind: 'at', flow: 'sample', at: 'work', pause: false, visits: 3, stay: 1, held: 4, most: 9 },
      lines: [
        { when: [{ kind: 'signal', name: 'done' }], target: target('finished', 'completed') },
        {
          when: [
            { kind: 'signal', name: 'done' },
            { kind: 'file', glob: 'a', is: 'exists' },
          ],
          target: target('ask', 'pause', 2, true),
        },
        { when: [{ kind: 'signal', name: 'stop' }], target: target('gone', 'let-go') },
      ],
      limit: { holds: 2, otherwise: target('ask', 'pause', 2, true) },
    });
  });

  it('has no limit of a visit in a pause, and where the state says none', () => {
    expect(standing(DEFINITION, { ...COUNTS, at: 'ask' })).toMatchObject({
      ...{
        pause: true,
        visits: 2,
        limit: null,
        lines: [{ target: { to: 'work', is: 'work', visits: 3 } }, {}, {}, {}],
      },
    });
    expect(standing(DEFINITION, { ...COUNTS, at: 'constructor' })).toMatchObject({ limit: null, visits: 1 });
    const { work } = DEFINITION.states;
    if (work?.kind !== 'work') throw new Error('there is no work');
    for (const half of [{ holds: null }, { otherwise: null }])
      expect(
        standing({ ...DEFINITION, states: { ...DEFINITION.states, work: { ...work, ...half } } }, COUNTS),
      ).toMatchObject({ limit: null });
  });

  it('lets go where a line leads to a state that is not there', () => {
    const { finished: _, ...states } = DEFINITION.states;
    expect(standing({ ...DEFINITION, states }, COUNTS)?.lines[0]?.target).toEqual({
      ...{ to: 'finished', is: 'let-go', visits: 0, watches: false },
    });
  });

  it('is nowhere in an end, and in a state that is not there', () => {
    for (const at of ['finished', 'gone', 'none', 'toString'])
      expect(standing(DEFINITION, { ...COUNTS, at })).toBeNull();
  });

  it('is in its start at the beginning', () => {
    expect(beginning(DEFINITION, { a: '1' })).toEqual({
      ...{ at: 'work', visits: { work: 1 }, stay: 0, held: 0, marks: { a: '1' }, reviewed: {}, reviews: 0 },
    });
  });
});

describe('what a state asks for', () => {
  const { states } = DEFINITION;
  const linesOf = (name: string) => {
    const state = own(states, name);
    return state === undefined || state.kind === 'end' ? [] : state.leave;
  };

  it('is each signal once, and each pattern it watches once', () => {
    expect(signalsIn(linesOf('work'))).toEqual(['done', 'stop']);
    expect(signalsIn(linesOf('constructor'))).toEqual([]);
    expect(watchedIn(own(states, 'ask'))).toEqual(['a', 'c']);
    expect(watchedIn(own(states, 'work'))).toEqual([]);
    expect(watchedIn(undefined)).toEqual([]);
  });

  it('is all its conditions, and none of an end', () => {
    expect(conditionsIn(own(states, 'work')).map(({ kind }) => kind)).toEqual([
      ...['signal', 'signal', 'file', 'signal'],
    ]);
    expect([conditionsIn(own(states, 'gone')), conditionsIn(undefined)]).toEqual([[], []]);
  });

  it('is one review, or none', () => {
    expect(reviewIn(conditionsIn(own(states, 'constructor')))).toBe('critic');
    expect(reviewIn(conditionsIn(own(states, 'work')))).toBeNull();
  });

  it('is a file by what it is to be like', () => {
    expect(fileKey({ glob: 'a/*', is: 'missing' })).toBe('missing a/*');
    expect([own(states, 'toString'), own({ a: 1 }, 'a')]).toEqual([undefined, 1]);
  });
});
