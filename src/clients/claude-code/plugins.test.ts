import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Wishes } from '../installer.ts';
import {
  type ClaudeState,
  claudeLoadProblems,
  loadProblem,
  parseMarketplaces,
  parsePlugins,
  planClaudeInstall,
  planClaudeUninstall,
} from './plugins.ts';

const recorded = (name: string): string =>
  fs.readFileSync(
    path.resolve(import.meta.dirname, '../../../test/fixtures/recorded/plugins/claude-code', `${name}.json`),
    'utf8',
  );

const dist = '/home/dev/holdfast/dist';
const wishes: Wishes = {
  source: { folder: dist, version: '0.1.0', workflows: ['idle'] },
  plugins: ['holdfast', 'idle'],
  scope: 'user',
  cwd: '/home/dev/project',
};
const state = (plugins: string, source: string | null = dist): ClaudeState => ({
  version: '2.1.197',
  source,
  plugins: parsePlugins(recorded(plugins)),
});
const commands = (steps: ReturnType<typeof planClaudeInstall>): string[] =>
  steps.map(({ args }) => args.slice(1).join(' '));

describe('what Claude Code says is installed', () => {
  it('is read as recorded, from both versions', () => {
    for (const name of ['plugins-installed', 'plugins-installed-2.1.325']) {
      const plugins = parsePlugins(recorded(name));
      expect(plugins.map(({ id, scope, enabled }) => [id, scope, enabled])).toEqual([
        ['holdfast@holdfast', 'user', true],
        ['idle@holdfast', 'user', true],
      ]);
      expect(plugins.map(loadProblem)).toEqual([null, null]);
    }
  });

  it('tells an unmet dependency, which its install command does not', () => {
    expect(claudeLoadProblems(parsePlugins(recorded('plugins-unmet-dependency')), wishes)).toEqual([
      'holdfast is not there after its installation',
      expect.stringContaining('idle did not load: Dependency "holdfast@holdfast" is not installed'),
    ]);
  });

  it('tells a marketplace folder that is gone, and a plugin that is disabled', () => {
    expect(parsePlugins(recorded('plugins-marketplace-gone')).map(loadProblem)).toEqual([
      'holdfast did not load: Marketplace holdfast failed to load: cache-miss',
      'idle did not load: Marketplace holdfast failed to load: cache-miss',
    ]);
    expect(parsePlugins(recorded('plugins-disabled')).map(loadProblem)).toEqual([null, 'idle is disabled']);
  });

  it('names the folder the marketplace was added from', () => {
    expect(parseMarketplaces(recorded('marketplaces-added'))).toBe(dist);
    expect(parseMarketplaces(recorded('marketplaces-none'))).toBeNull();
  });

  it('leaves the plugins of other marketplaces out', () => {
    expect(parsePlugins('[{"id":"holdfast@elsewhere","scope":"user","enabled":true}]')).toEqual([]);
  });

  it('is refused in a shape that is not known', () => {
    expect(() => parsePlugins('{"plugins":[]}')).toThrow('cannot read');
  });
});

describe('the plan to install in Claude Code', () => {
  it('adds the marketplace, the core and the workflows where nothing is', () => {
    expect(commands(planClaudeInstall(state('plugins-none', null), wishes))).toEqual([
      `marketplace add ${dist} --scope user`,
      'install holdfast@holdfast --scope user',
      'install idle@holdfast --scope user',
    ]);
  });

  it('is empty where all is there', () => {
    expect(planClaudeInstall(state('plugins-installed'), wishes)).toEqual([]);
  });

  it('fixes what is missing, disabled or older, and only that', () => {
    expect(commands(planClaudeInstall(state('plugins-unmet-dependency'), wishes))).toEqual([
      'install holdfast@holdfast --scope user',
    ]);
    expect(commands(planClaudeInstall(state('plugins-disabled'), wishes))).toEqual([
      'install idle@holdfast --scope user',
    ]);
    const newer = { ...wishes, source: { ...wishes.source, version: '0.2.0' } };
    expect(commands(planClaudeInstall(state('plugins-installed'), newer))).toEqual([
      'update holdfast@holdfast --scope user',
      'update idle@holdfast --scope user',
    ]);
  });

  it('does not take the user scope for the project scope', () => {
    const project: Wishes = { ...wishes, scope: 'project' };
    expect(planClaudeInstall(state('plugins-installed'), project)).toHaveLength(3);
    expect(planClaudeInstall(state('plugins-both-scopes'), project)).toEqual([]);
    const elsewhere: Wishes = { ...project, cwd: '/home/dev/elsewhere' };
    expect(planClaudeInstall(state('plugins-both-scopes'), elsewhere)).toHaveLength(3);
  });
});

describe('the plan to take it out of Claude Code', () => {
  it('ends with the core and then the marketplace', () => {
    expect(commands(planClaudeUninstall(state('plugins-installed'), null, wishes.cwd))).toEqual([
      'uninstall idle@holdfast --scope user',
      'uninstall holdfast@holdfast --scope user',
      'marketplace remove holdfast',
    ]);
  });

  it('keeps the marketplace while the other scope needs it', () => {
    expect(commands(planClaudeUninstall(state('plugins-both-scopes'), 'project', wishes.cwd))).toEqual([
      'uninstall idle@holdfast --scope project',
      'uninstall holdfast@holdfast --scope project',
    ]);
  });

  it('is empty where nothing is', () => {
    expect(planClaudeUninstall(state('plugins-none', null), null, wishes.cwd)).toEqual([]);
  });
});
