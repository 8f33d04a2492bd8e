import { expect, it } from 'vitest';
import { calledIn } from './by-name.ts';

const known = {
  cli: "'/a b/bin/holdfast'",
  bin: '/a b/bin',
  env: { PATH: '/bin', HOME: '/h' },
  allowed: ["'/a b/bin/holdfast'", 'git add'],
};

it('a client that runs no program by its path is given our name, on its PATH and as what it may run', () => {
  expect(calledIn({ callsByName: true }, 'edit', known)).toEqual({
    cli: 'holdfast',
    env: { PATH: '/a b/bin:/bin', HOME: '/h', HOLDFAST_BY_NAME: '1' },
    allowed: ['holdfast', 'git add'],
  });
});

it('any other, and one that may do everything, calls us by our path', () => {
  const { bin: _, ...same } = known;
  expect(calledIn({}, 'edit', known)).toEqual(same);
  expect(calledIn({ callsByName: true }, 'full', known)).toEqual(same);
});
