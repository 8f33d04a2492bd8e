import { expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { judgeGemini } from './check.ts';
import type { GeminiExtension } from './extensions.ts';

const extension = (name: string, more: Partial<GeminiExtension> = {}): GeminiExtension => ({
  ...{ name, version: '1.0.0', isActive: true, hooks: { AfterAgent: [] } },
  ...more,
});
const judged = (extensions: readonly GeminiExtension[], home = '/nowhere') =>
  judgeGemini({ version: '1', source: null, extensions }, { HOME: home }, 'hf');
const fix = 'hf install --client gemini';
const GOOD = { result: 'good', what: 'Gemini CLI 1: the extension is installed and loaded', fix: null };

it('says that the extension is there, or is not', () => {
  expect(judged([extension('other', { hooks: {} }), extension('holdfast')])).toEqual([GOOD]);
  expect(judged([extension('other')])).toEqual([
    { result: 'bad', what: 'Gemini CLI 1: the Holdfast plugin is not installed in it', fix, absent: true },
  ]);
});

it('names each one that is switched off', () => {
  const off = { isActive: false };
  expect(judged([extension('holdfast', off), extension('b'), extension('c', off)])).toEqual([
    { result: 'bad', what: 'Gemini CLI 1: holdfast is switched off', fix },
    { result: 'bad', what: 'Gemini CLI 1: c is switched off', fix },
  ]);
});

it.each([{}, { hooks: {} }, { hooks: { BeforeAgent: [] } }])(
  'says that its hooks did not load: %j',
  (more) => {
    const { hooks: _, ...bare } = extension('holdfast');
    expect(judged([{ ...bare, ...more }])).toEqual([
      { result: 'bad', what: 'Gemini CLI 1: the hooks of the extension did not load', fix },
    ]);
  },
);

it.each<[string, boolean]>([
  ['{"hooksConfig":{"enabled":false}}', true],
  ['{"hooksConfig":{"enabled":true}}', false],
  ['{"hooksConfig":{"enabled":0}}', false],
  ['{"hooksConfig":{}}', false],
  ['{"hooksConfig":[]}', false],
  ['{}', false],
  ['[]', false],
  ['{', false],
])('the settings %s switch all hooks off: %s', (text, off) => {
  const project = bareProject();
  const file = writeIn(project, '.gemini/settings.json', text);
  const silenced = {
    result: 'bad',
    what: `Gemini CLI 1 runs no hooks at all: ${file} switches them off`,
    fix: `remove "enabled": false from "hooksConfig" in ${file}`,
  };
  expect(judged([extension('holdfast')], project.root)).toEqual([off ? silenced : GOOD]);
});
