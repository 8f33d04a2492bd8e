// Who may call what. A command that is not in the table, or a row that is no command, is found here.

import { expect, it } from 'vitest';
import { everyCommand } from './help.ts';
import { forAgents, refuseUnlessCaller, table } from './table.ts';

it('every command that can be typed has one row, and every row is a command', async () => {
  const names = (await everyCommand()).map(({ name }) => name);
  expect([...names, 'help'].toSorted()).toEqual(table.map(({ name }) => name).toSorted());
  expect(new Set(names).size).toBe(names.length);
});

it('what is a person’s says what it does, so that it is refused', () => {
  const silent = table.filter(({ who, does }) => (who === 'person') !== (does !== undefined));
  expect(silent).toEqual([]);
});

it('an agent is refused what is a person’s, and nothing else', () => {
  const inside = { CLAUDE_CODE_SESSION_ID: 's1', HOLDFAST_DRIVER: 'token' };
  const isRefused = (name: string, flags = {}, env: object = inside): boolean => {
    try {
      refuseUnlessCaller(name, { flags, env: { ...env } });
      return false;
    } catch (error) {
      expect(String(error)).toMatch(/^NotNow: only a person .+: run `holdfast .+` yourself/);
      return true;
    }
  };
  const refused = table.flatMap(({ name }) => (isRefused(name) ? name : []));
  expect(refused).toEqual(table.filter(({ who }) => who === 'person').map(({ name }) => name));
  expect(table.filter(({ name }) => isRefused(name, {}, {}))).toEqual([]);
  expect(isRefused('init', {}, { CLAUDE_CODE_SESSION_ID: 's1' })).toBe(true);
  expect(isRefused('install', {}, { CLAUDE_CODE_SESSION_ID: 's1' })).toBe(false);
  expect(isRefused('trust', { list: true })).toBe(false);
  expect(isRefused('trust', { revoke: true })).toBe(true);
  expect(isRefused('toy start')).toBe(false);
});

it('a driven client’s rules name each command by itself, and none that is a person’s', () => {
  expect(forAgents).toEqual(expect.arrayContaining(['ask', 'idle loop', 'why', 'trust --list', 'help']));
  const people = table.filter(({ who }) => who === 'person').map(({ name }) => name);
  expect(forAgents.filter((name) => people.includes(name))).toEqual([]);
  expect(forAgents.filter((name) => name.trim() === '')).toEqual([]);
});
