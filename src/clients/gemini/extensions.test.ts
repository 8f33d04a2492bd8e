import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Wishes } from '../installer.ts';
import { judgeGemini } from './check.ts';
import {
  type GeminiState,
  geminiLoadProblems,
  parseExtensions,
  planGeminiInstall,
  planGeminiUninstall,
} from './extensions.ts';

const recorded = (name: string): string =>
  fs.readFileSync(
    path.resolve(import.meta.dirname, '../../../test/fixtures/recorded/plugins/gemini', name),
    'utf8',
  );

const dist = '/home/dev/holdfast/dist';
const wishes: Wishes = {
  source: { folder: dist, version: '0.6.0', workflows: ['idle'] },
  plugins: ['holdfast', 'idle'],
  scope: 'user',
  cwd: '/home/dev/project',
};
const state = (name = 'extensions-installed.txt'): GeminiState => ({
  version: '0.61.0',
  source: dist,
  extensions: parseExtensions(recorded(name)),
});
const commands = (steps: ReturnType<typeof planGeminiInstall>): string[] =>
  steps.map(({ program, args }) => [program, ...args].join(' '));
const install = (name: string): string =>
  `env GEMINI_CLI_TRUST_WORKSPACE=true gemini extensions install ${dist}/gemini/${name} --consent`;
const home = { HOME: '/nonexistent' };

describe('what Gemini CLI says is installed', () => {
  it('is read as recorded, from among what else it says', () => {
    expect(state().extensions.map(({ name, version, isActive }) => [name, version, isActive])).toEqual([
      ['holdfast', '0.6.0', true],
      ['holdfast-idle', '0.6.0', true],
    ]);
    expect(parseExtensions(`[Routing] something else\n${recorded('extensions-none.txt')}`)).toEqual([]);
  });

  it("is not another's that has the name of ours", () => {
    const others = recorded('extensions-installed.txt').replaceAll(`${dist}/gemini`, '/home/dev/else');
    expect(parseExtensions(others)).toEqual([]);
  });

  it.each(['', 'gemini: no such command', '[\n  {"name": 1}\n]', '[\n  {'])('is refused as %j', (text) => {
    expect(() => parseExtensions(text)).toThrow('answered what Holdfast cannot read');
  });
});

describe('the plan to install in Gemini CLI', () => {
  it('installs an extension for each plugin', () => {
    expect(commands(planGeminiInstall(state('extensions-none.txt'), wishes))).toEqual([
      install('holdfast'),
      install('holdfast-idle'),
    ]);
  });

  it('is empty where all is there', () => {
    expect(planGeminiInstall(state(), wishes)).toEqual([]);
  });

  it('renews what is of another version, from another folder or switched off, and nothing else', () => {
    const newer = { ...wishes, source: { ...wishes.source, version: '0.7.0' } };
    expect(commands(planGeminiInstall(state(), newer))).toEqual([
      'gemini extensions uninstall holdfast holdfast-idle',
      install('holdfast'),
      install('holdfast-idle'),
    ]);
    const { extensions, ...rest } = state();
    const [core, idle] = extensions;
    if (core === undefined || idle === undefined) throw new Error('the recording has two');
    const renewed = ['gemini extensions uninstall holdfast-idle', install('holdfast-idle')];
    const off = { ...rest, extensions: [core, { ...idle, isActive: false }] };
    expect(commands(planGeminiInstall(off, wishes))).toEqual(renewed);
    const elsewhere = { ...idle, installMetadata: { source: '/old/dist/gemini/holdfast-idle' } };
    expect(commands(planGeminiInstall({ ...rest, extensions: [core, elsewhere] }, wishes))).toEqual(renewed);
  });
});

describe('after an installation in Gemini CLI', () => {
  it('what is missing, switched off or without hooks is named', () => {
    const { extensions } = state();
    expect(geminiLoadProblems(extensions, wishes)).toEqual([]);
    expect(geminiLoadProblems([], wishes)).toEqual([
      'holdfast is not there after its installation',
      'idle is not there after its installation',
    ]);
    const broken = extensions.map((each) => ({ ...each, hooks: {}, isActive: each.name === 'holdfast' }));
    expect(geminiLoadProblems(broken, wishes)).toEqual([
      'it loaded no hooks of holdfast',
      'idle is disabled',
    ]);
  });
});

describe('the plan to take it out of Gemini CLI', () => {
  it('removes what is listed', () => {
    expect(commands(planGeminiUninstall(state(), '/'))).toEqual([
      'gemini extensions uninstall holdfast holdfast-idle',
    ]);
    expect(planGeminiUninstall(state('extensions-none.txt'), '/')).toEqual([]);
  });
});

describe('what doctor says of Gemini CLI', () => {
  const said = (found: GeminiState): string[] =>
    judgeGemini(found, home, 'holdfast').map(({ result, what }) => `${result}: ${what}`);

  it('is that it is installed, absent, switched off or without hooks', () => {
    expect(said(state())).toContain('good: Gemini CLI 0.61.0: the extension is installed and loaded');
    expect(said(state('extensions-none.txt'))).toEqual([
      'bad: Gemini CLI 0.61.0: the Holdfast plugin is not installed in it',
    ]);
    const { extensions, ...rest } = state();
    const off = extensions.map((each) => ({ ...each, isActive: each.name !== 'holdfast-idle' }));
    expect(said({ ...rest, extensions: off })).toEqual([
      'bad: Gemini CLI 0.61.0: holdfast-idle is switched off',
    ]);
    const bare = extensions.map(({ hooks: _, ...each }) => each);
    expect(said({ ...rest, extensions: bare })).toEqual([
      'bad: Gemini CLI 0.61.0: the hooks of the extension did not load',
    ]);
  });
});
