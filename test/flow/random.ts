// Random flows, as data and as the YAML a person would have written.

import { fc } from '../support/property.ts';
import type { World } from './walk.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const SIGNALS = ['go', 'on', 'out'] as const;
export const CHECKS = ['test', 'lint'] as const;
const FILES = ['x.txt', 'src/**'] as const;

type Part = readonly [key: string, value: unknown];

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SIGNALS).map((name): Part => ['signal', name]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...CHECKS), fc.constantFrom('passed', 'failed'))
      .map(([name, is]): Part => ['check', { name, is }]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...FILES), fc.constantFrom('exists', 'missing', 'changed'))
      .map(([glob, is]): Part => ['file', { glob, is }]),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }).map((least): Part => ['visits', least]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('clean', 'findings').map((is): Part => ['review', { name: 'critic', is }]),
  },
);

const when = fc
  .uniqueArray(part, { minLength: 1, maxLength: 2, selector: ([key]) => key })
  .map(Object.fromEntries);

const state = (names: readonly string[]) => {
  const to = fc.constantFrom(...names, 'z');
  const leave = fc.array(fc.record({ when, to }), { minLength: 1, maxLength: 3 });
  const bound = fc.option(fc.record({ holds: fc.integer({ min: 1, max: 4 }), otherwise: to }), { nil: {} });
  return fc
    .tuple(leave, bound, fc.integer({ min: 0, max: 5 }))
    .map(([lines, bounded, kind]) =>
      kind === 0 ? { pause: true, leave: lines } : { say: 'Work', leave: lines, ...bounded },
    );
};

/** As JSON, which is YAML. Some are sound, most are not. */
export const randomFlow: fc.Arbitrary<string> = fc.integer({ min: 1, max: NAMES.length }).chain((count) => {
  const names = NAMES.slice(0, count);
  return fc
    .tuple(fc.integer({ min: 1, max: 12 }), ...names.map(() => state(names)))
    .map(([holds, ...states]) =>
      JSON.stringify({
        ...{ flow: 'random', holds, start: 'a', reviews: { critic: { prompt: 'Look' } } },
        states: {
          ...Object.fromEntries(names.map((name, index) => [name, states[index]])),
          z: { end: 'completed' },
        },
      }),
    );
});

export const randomWorld: fc.Arbitrary<World> = fc.record({
  signal: fc.constantFrom('', ...SIGNALS),
  checks: fc.record({ test: fc.boolean(), lint: fc.boolean() }),
  files: fc.dictionary(
    fc.constantFrom(...FILES.flatMap((glob) => [`exists ${glob}`, `changed ${glob}`])),
    fc.boolean(),
  ),
  clean: fc.boolean(),
});
