import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Wishes } from '../installer.ts';
import { judgeTrust } from './check.ts';
import { readHookList } from './hooks.ts';
import { describeHooks } from './install.ts';
import {
  type CodexState,
  parseCodexPlugins,
  parseSource,
  planCodexInstall,
  planCodexUninstall,
} from './plugins.ts';

const recorded = (name: string): string =>
  fs.readFileSync(
    path.resolve(import.meta.dirname, '../../../test/fixtures/recorded/plugins/codex', `${name}.json`),
    'utf8',
  );
const hooks = (name: string) => readHookList(JSON.parse(recorded(name)));

const dist = '/home/dev/holdfast/dist';
const wishes: Wishes = {
  source: { folder: dist, version: '0.1.0', workflows: ['idle'] },
  plugins: ['holdfast', 'idle'],
  scope: 'user',
  cwd: '/home/dev/project',
};
const state = (source: CodexState['source'], plugins = 'plugins-installed'): CodexState => ({
  version: '0.166.0',
  source,
  plugins: parseCodexPlugins(recorded(plugins)),
});
const commands = (steps: ReturnType<typeof planCodexInstall>): string[] =>
  steps.map(({ args }) => args.slice(1).join(' '));

describe('what Codex says is installed', () => {
  it('is read as recorded', () => {
    expect(parseCodexPlugins(recorded('plugins-installed'))).toEqual([
      { pluginId: 'holdfast@holdfast', version: '0.1.0', enabled: true },
      { pluginId: 'idle@holdfast', version: '0.1.0', enabled: true },
    ]);
    expect(parseCodexPlugins(recorded('plugins-none'))).toEqual([]);
    expect(parseSource(recorded('marketplaces-added'))).toEqual({ kind: 'folder', folder: dist });
    expect(parseSource(recorded('marketplaces-none'))).toEqual({ kind: 'none' });
  });
});

describe('the plan to install in Codex', () => {
  it('adds each plugin by name: Codex resolves no dependencies', () => {
    expect(commands(planCodexInstall(state({ kind: 'none' }, 'plugins-none'), wishes))).toEqual([
      `marketplace add ${dist}`,
      'add holdfast@holdfast',
      'add idle@holdfast',
    ]);
  });

  it('adds the plugins again where they are there, to renew the copies', () => {
    expect(commands(planCodexInstall(state({ kind: 'folder', folder: dist }), wishes))).toEqual([
      'add holdfast@holdfast',
      'add idle@holdfast',
    ]);
  });

  it('replaces a marketplace from another folder, or one that is gone', () => {
    for (const source of [{ kind: 'folder', folder: '/elsewhere' }, { kind: 'unreadable' }] as const)
      expect(commands(planCodexInstall(state(source), wishes)).slice(0, 2)).toEqual([
        'marketplace remove holdfast',
        `marketplace add ${dist}`,
      ]);
  });
});

describe('the plan to take it out of Codex', () => {
  it('removes what is listed, or all that is known where nothing can be listed', () => {
    expect(commands(planCodexUninstall(state({ kind: 'folder', folder: dist }), [], '/'))).toEqual([
      'remove holdfast@holdfast',
      'remove idle@holdfast',
      'marketplace remove holdfast',
    ]);
    const gone = state({ kind: 'unreadable' }, 'plugins-none');
    expect(commands(planCodexUninstall(gone, ['idle', 'holdfast'], '/'))).toEqual([
      'remove idle@holdfast',
      'remove holdfast@holdfast',
      'marketplace remove holdfast',
    ]);
    expect(planCodexUninstall(state({ kind: 'none' }, 'plugins-none'), ['idle'], '/')).toEqual([]);
  });
});

describe("Codex's trust in the hooks", () => {
  it('is read as recorded: the three events, their commands, their state', () => {
    const { hooks: untrusted } = hooks('hooks-untrusted');
    expect(untrusted.map(({ event, trust }) => [event, trust])).toEqual([
      ['preCompact', 'untrusted'],
      ['sessionStart', 'untrusted'],
      ['stop', 'untrusted'],
    ]);
    expect(untrusted[2]?.command).toBe('"/home/dev/.codex/plugins/cache/holdfast/holdfast/0.1.0/hooks/stop"');
    expect(hooks('hooks-trusted').hooks.every(({ trust }) => trust === 'trusted')).toBe(true);
    expect(hooks('hooks-modified').hooks.every(({ trust }) => trust === 'modified')).toBe(true);
  });

  it('is good, missing, lost or impossible to doctor', () => {
    const judged = (name: string): string[] =>
      judgeTrust(hooks(name), 'Codex', 'holdfast').map(({ what }) => what);
    expect(judged('hooks-trusted')).toEqual(['Codex: the plugin is installed and its hooks are trusted']);
    expect(judged('hooks-untrusted')[0]).toContain('does not trust the hooks yet');
    expect(judged('hooks-modified')[0]).toContain('no longer trusts the hooks');
    expect(judged('hooks-switched-off')[0]).toContain('are hooks switched off there?');
    expect(judged('hooks-rejected-file')[0]).toContain(
      'unknown field `about`, expected `description` or `hooks`',
    );
  });

  it('is not asked for again once given', () => {
    const how = { trust: false, cli: 'holdfast' };
    expect(describeHooks(hooks('hooks-trusted'), how).lines[0]).toContain('Codex trusts its hooks');
    expect(describeHooks(hooks('hooks-trusted'), how).lines.join()).not.toContain('--trust');
    expect(describeHooks(hooks('hooks-rejected-file'), how).good).toBe(false);
  });

  it("is about our plugin's hooks only", () => {
    const answer = JSON.parse(
      recorded('hooks-untrusted').replaceAll('"pluginId": "holdfast@holdfast"', '"pluginId": "other@x"'),
    );
    expect(readHookList(answer).hooks).toEqual([]);
  });
});
