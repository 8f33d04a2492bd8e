// What is planned for Qwen Code, in real folders: its commands are played in test/clients.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asCommand } from '../install/program.ts';
import { judgeQwen } from './check.ts';
import {
  planQwenInstall,
  planQwenUninstall,
  qwenExtensions,
  qwenLoadProblems,
  sourceOf,
} from './extensions.ts';

let folder: string;
const at = (...parts: string[]): string => path.join(folder, ...parts);
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-qwen-'));
  for (const name of ['holdfast', 'alpha']) plugin(at('dist', name), name);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function write(file: string, value: object | string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

function plugin(place: string, name: string): void {
  const dependencies = name === 'holdfast' ? {} : { dependencies: ['holdfast'] };
  write(path.join(place, '.claude-plugin', 'plugin.json'), { name, ...dependencies });
  if (name === 'holdfast') write(path.join(place, 'hooks', 'stop'), '#!/bin/sh\n');
}

/** As the client copies it. */
function installed(name: string): void {
  const copy = at('.qwen', 'extensions', name);
  fs.cpSync(at('dist', name), copy, { recursive: true });
  write(path.join(copy, '.qwen-extension-install.json'), { source: at('dist', name), type: 'local' });
}

const env = () => ({ HOME: folder });
const state = () => ({ version: '0.24.4', extensions: qwenExtensions(env()) });
const wishes = () => ({
  source: { folder: at('dist'), version: '1.0.0', workflows: ['alpha'] },
  plugins: ['holdfast', 'alpha'],
  scope: 'user' as const,
  cwd: folder,
});
const install = () => planQwenInstall(state(), wishes()).map(asCommand);

describe('an installation', () => {
  it('installs what is missing, and nothing twice', () => {
    installed('holdfast');
    expect(install()).toEqual([`qwen extensions install ${at('dist', 'alpha')} --consent`]);
    installed('alpha');
    expect(install()).toEqual([]);
    expect(qwenLoadProblems(env(), wishes())).toEqual([]);
    expect(sourceOf(state())).toBe(at('dist'));
  });

  it('replaces a copy that differs, since the client installs over none', () => {
    for (const name of ['holdfast', 'alpha']) installed(name);
    write(at('dist', 'holdfast', 'hooks', 'stop'), '#!/bin/sh\n# newer\n');
    expect(install()).toEqual([
      'qwen extensions uninstall holdfast',
      `qwen extensions install ${at('dist', 'holdfast')} --consent`,
    ]);
    expect(qwenLoadProblems(env(), wishes())).toEqual([
      'holdfast is another version than what was installed',
    ]);
    fs.rmSync(at('.qwen', 'extensions', 'alpha'), { recursive: true });
    expect(qwenLoadProblems(env(), wishes())).toContain('alpha is not there after its installation');
  });

  it("leaves an extension of somebody else's alone that has a workflow's name", () => {
    write(at('.qwen', 'extensions', 'alpha', 'qwen-extension.json'), { name: 'alpha' });
    write(at('.qwen', 'extensions', 'other', '.claude-plugin', 'plugin.json'), { name: 'alpha' });
    write(at('.qwen', 'extensions', 'broken', '.claude-plugin', 'plugin.json'), '{');
    installed('holdfast');
    expect(state().extensions.map(({ name }) => name)).toEqual(['holdfast']);
    expect(planQwenUninstall(state(), folder).map(asCommand)).toEqual(['qwen extensions uninstall holdfast']);
  });

  it('is taken out workflows first', () => {
    for (const name of ['holdfast', 'alpha']) installed(name);
    expect(planQwenUninstall(state(), folder).map(asCommand)).toEqual([
      'qwen extensions uninstall alpha',
      'qwen extensions uninstall holdfast',
    ]);
  });
});

describe('doctor', () => {
  const judged = () => judgeQwen(state(), { cwd: at('project'), env: env(), cli: 'holdfast' })[0];
  const switches = (core: object) =>
    write(at('.qwen', 'extension-store', 'state.json'), {
      extensions: { id: { name: 'holdfast', ...core } },
    });

  it('says what is missing, and what is good', () => {
    expect(judged()).toMatchObject({ result: 'bad', absent: true, fix: 'holdfast install --client qwen' });
    installed('holdfast');
    expect(judged()).toMatchObject({ result: 'good', fix: null });
    fs.rmSync(at('.qwen', 'extensions', 'holdfast', 'hooks'), { recursive: true });
    expect(judged()).toMatchObject({ result: 'bad', what: expect.stringContaining('without its files') });
  });

  it.each([
    [{ defaultActivation: 'enabled' }, 'good'],
    [{ defaultActivation: 'disabled' }, 'bad'],
    [{ defaultActivation: 'enabled', legacyPathRules: ['!HERE/*'] }, 'bad'],
    [{ defaultActivation: 'enabled', legacyPathRules: ['!HERE/*', 'HERE/project/'] }, 'good'],
    [{ defaultActivation: 'enabled', legacyPathRules: ['!HERE/elsewhere/'] }, 'good'],
    [{ defaultActivation: 'enabled', workspaceOverrides: { 'HERE/project': 'disabled' } }, 'bad'],
    [{ legacyPathRules: ['!HERE/*'], workspaceOverrides: { 'HERE/project': 'enabled' } }, 'good'],
    [{ defaultActivation: 7 }, 'good'],
  ])('knows whether it is switched off here: %j', (core, result) => {
    installed('holdfast');
    switches(JSON.parse(JSON.stringify(core).replaceAll('HERE', folder)));
    expect(judged()?.result).toBe(result);
  });

  it('sees that all hooks are off', () => {
    installed('holdfast');
    write(at('project', '.qwen', 'settings.json'), { disableAllHooks: true });
    expect(judged()).toMatchObject({ result: 'bad', what: expect.stringContaining('disableAllHooks') });
  });
});
