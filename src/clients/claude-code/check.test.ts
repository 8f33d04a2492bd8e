import { expect, it } from 'vitest';
import { judgeClaude } from './check.ts';
import type { ClaudePlugin } from './plugins.ts';

const plugin = (name: string, more: Partial<ClaudePlugin> = {}): ClaudePlugin => ({
  ...{ id: `${name}@holdfast`, scope: 'user', enabled: true },
  ...more,
});
const judged = (plugins: readonly ClaudePlugin[], silenced: string | null = null) =>
  judgeClaude({ version: '2', source: null, plugins }, silenced, 'hf');
const fix = 'hf install --client claude';
const absent = [
  { result: 'bad', what: 'Claude Code 2: the Holdfast plugin is not installed in it', fix, absent: true },
];

it('says that the plugin is there and loaded', () => {
  expect(judged([plugin('idle'), plugin('holdfast')])).toEqual([
    { result: 'good', what: 'Claude Code 2: the plugin is installed and loaded', fix: null },
  ]);
});

it.each([
  ['nothing', []],
  ['another project’s', [plugin('holdfast', { enabled: false })]],
  ['a workflow alone', [plugin('idle')]],
])('says that it is not there where there is %s', (_, plugins) => {
  expect(judged(plugins)).toEqual(absent);
  expect(judged(plugins, '/s.json')).toEqual(absent);
});

it('says each thing once that kept a plugin from loading, before all else', () => {
  const idle = plugin('idle', { errors: ['it needs holdfast\nmore', 'x'] });
  expect(judged([idle, idle, plugin('taskie', { errors: ['no'] })], '/s.json')).toEqual([
    { result: 'bad', what: 'Claude Code 2: idle did not load: it needs holdfast', fix },
    { result: 'bad', what: 'Claude Code 2: taskie did not load: no', fix },
  ]);
  expect(judged([plugin('holdfast', { errors: [] })])[0]?.result).toBe('good');
});

it('names the file that switches all hooks off', () => {
  expect(judged([plugin('holdfast')], '/s.json')).toEqual([
    {
      result: 'bad',
      what: 'Claude Code 2 runs no hooks at all: /s.json has disableAllHooks',
      fix: 'remove disableAllHooks from /s.json',
    },
  ]);
});
