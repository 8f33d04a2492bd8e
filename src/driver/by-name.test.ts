import { expect, it } from 'vitest';
import { calledIn } from './by-name.ts';

const known = { cli: "'/a b/bin/holdfast'", bin: '/a b/bin', env: { PATH: '/bin', HOME: '/h' } };
const commands = ['why', 'idle loop'];

it('a client that runs no program by its path is given our name, on its PATH and as what it may run', () => {
  expect(calledIn({ callsByName: true }, 'edit', { ...known, commands })).toEqual({
    cli: 'holdfast',
    env: { PATH: '/a b/bin:/bin', HOME: '/h', HOLDFAST_BY_NAME: '1' },
    ours: ['holdfast why', 'holdfast idle loop'],
  });
});

it('any other, and one that may do everything, calls us by our path', () => {
  const { cli, env } = known;
  const byPath = { cli, env, ours: commands.map((words) => `${cli} ${words}`) };
  expect(calledIn({}, 'edit', { ...known, commands })).toEqual(byPath);
  expect(calledIn({ callsByName: true }, 'full', { ...known, commands })).toEqual(byPath);
});
