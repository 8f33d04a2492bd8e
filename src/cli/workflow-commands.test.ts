import { expect, it } from 'vitest';
import type { Command } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';
import { commandsOf } from './workflow-commands.ts';

it('a workflow has its own commands, and those that all have where it has none of that name', async () => {
  const entry = registry.find(({ name }) => name === 'idle');
  if (entry === undefined) throw new Error('there is no idle');
  const cli = await entry.cli();
  const own = (name: string): Command => ({
    ...{ name, summary: '', usage: '', options: {}, writes: false, words: { least: 0, most: 0 } },
    run: () => 0,
  });
  const [start, status] = [own('start'), own('status')];
  const names = (commands: readonly Command[]): string[] =>
    commandsOf(entry, { ...cli, commands }).map(({ name }) => name);
  expect(names([start])).toEqual(['start', 'status', 'cancel']);
  expect(names([])).toEqual(['status', 'cancel']);
  expect(names([status, own('cancel')])).toEqual(['status', 'cancel']);
  expect(commandsOf(entry, { ...cli, commands: [start, status] }).slice(0, 2)).toEqual([start, status]);
  expect(commandsOf(entry, { ...cli, commands: [] }).map(({ summary }) => summary)).toEqual([
    'the runs of idle in this project, where each stands and whose it is',
    'end a run; the agent is let go at its next stop',
  ]);
});
