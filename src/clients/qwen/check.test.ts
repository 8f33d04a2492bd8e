import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { judgeQwen } from './check.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
  writeIn(project, 'extension/hooks/stop', '');
});

const cwd = (): string => project.root;
const judged = (...names: string[]) => {
  const folder = path.join(project.root, 'extension');
  const extensions = names.map((name) => ({ name, folder, source: null, dependencies: [] }));
  return judgeQwen({ version: '1', extensions } as never, {
    cwd: cwd(),
    env: { HOME: project.root },
    cli: 'hf',
  });
};
const GOOD = { result: 'good', what: 'Qwen Code 1: the extension is installed', fix: null };
const OFF = {
  result: 'bad',
  what: 'Qwen Code 1 has Holdfast switched off here',
  fix: 'qwen extensions enable holdfast',
};
const activations = (core: object | ((cwd: string) => object)): void => {
  const extensions = {
    a: { name: 'other', defaultActivation: 'disabled' },
    b: { name: 'holdfast', ...(typeof core === 'function' ? core(cwd()) : core) },
  };
  writeIn(project, '.qwen/extension-store/state.json', JSON.stringify({ extensions }));
};

it('says that the extension is there, is not, or has lost its files', () => {
  const fix = 'hf install --client qwen';
  expect(judged('idle', 'holdfast')).toEqual([GOOD]);
  expect(judged('idle')).toEqual([
    { result: 'bad', what: 'Qwen Code 1: the Holdfast plugin is not installed in it', fix, absent: true },
  ]);
  fs.rmSync(path.join(project.root, 'extension/hooks/stop'));
  expect(judged('holdfast')).toEqual([
    { result: 'bad', what: 'Qwen Code 1 has an extension of Holdfast without its files', fix },
  ]);
});

describe('an extension that is switched off', () => {
  it.each<[string, object | ((cwd: string) => object)]>([
    ['for all projects', { defaultActivation: 'disabled' }],
    ['for this one', (at) => ({ workspaceOverrides: { [at]: 'disabled' } })],
    ['by a rule for this folder', (at) => ({ legacyPathRules: [`!${at}/`] })],
    ['by a rule for all below a folder', (at) => ({ legacyPathRules: [`!${path.dirname(at)}/*`] })],
    ['by the last rule that fits', (at) => ({ legacyPathRules: [`${at}/`, `!${at}/*`, '/elsewhere/*'] })],
  ])('%s', (_, core) => {
    activations(core);
    expect(judged('holdfast')).toEqual([OFF]);
  });

  it.each<[string, object | ((cwd: string) => object)]>([
    ['nothing is said', {}],
    ['it is on by default', { defaultActivation: 'enabled' }],
    ['it is on here', (at) => ({ defaultActivation: 'disabled', workspaceOverrides: { [at]: 'enabled' } })],
    ['a rule has it on', (at) => ({ defaultActivation: 'disabled', legacyPathRules: [`${at}/*`] })],
    ['a later rule has it on', (at) => ({ legacyPathRules: [`!${at}/*`, `${at}/`] })],
    ['a rule is for another folder', (at) => ({ legacyPathRules: [`!${at}`, `!${at}/below/*`, '!/x/'] })],
    ['it is off elsewhere', { workspaceOverrides: { '/x': 'disabled' } }],
  ])('is not one where %s', (_, core) => {
    activations(core);
    expect(judged('holdfast')).toEqual([GOOD]);
  });

  it('is not one where the file cannot be read', () => {
    writeIn(project, '.qwen/extension-store/state.json', '{');
    expect(judged('holdfast')).toEqual([GOOD]);
  });
});

describe('settings without hooks', () => {
  it('are the user’s or the project’s, with their name', () => {
    const file = writeIn(project, '.qwen/settings.json', '{"disableAllHooks":true}');
    expect(judged('holdfast')).toEqual([
      {
        result: 'bad',
        what: `Qwen Code 1 runs no hooks at all: ${file} has disableAllHooks`,
        fix: `remove disableAllHooks from ${file}`,
      },
    ]);
    expect(
      judgeQwen(
        { version: '1', extensions: [{ name: 'holdfast', folder: path.join(cwd(), 'extension') }] } as never,
        { cwd: cwd(), env: { HOME: '/nowhere' }, cli: 'hf' },
      )[0]?.result,
    ).toBe('bad');
  });

  it.each(['{"disableAllHooks":false}', '{"disableAllHooks":1}', '{}', '[]', '{'])('are not %s', (text) => {
    writeIn(project, '.qwen/settings.json', text);
    expect(judged('holdfast')).toEqual([GOOD]);
  });
});
