import { describe, expect, it } from 'vitest';
import { asCommand } from '../install/program.ts';
import type { Wishes } from '../installer.ts';
import {
  type CopilotState,
  copilotLoadProblems,
  parseMarketplaces,
  parsePlugins,
  planCopilotInstall,
  planCopilotUninstall,
} from './plugins.ts';
import { withoutUs } from './settings.ts';

const dist = '/home/dev/holdfast/dist';
const wishes: Wishes = {
  source: { folder: dist, version: '0.6.0', workflows: ['idle'] },
  plugins: ['holdfast', 'idle'],
  scope: 'user',
  cwd: '/home/dev/project',
};

/** As 1.0.102 prints it. */
const listed = (...enabled: string[]): string => {
  const live = { marketplace: 'holdfast', version: '0.6.0', source: 'live', installedFrom: dist };
  const own = ['idle', 'holdfast'].map((name) => ({ name, ...live, enabled: enabled.includes(name) }));
  const other = { name: 'browser-use', marketplace: '', version: '0.0.4', enabled: true, source: 'builtin' };
  return JSON.stringify([...own, other]);
};
const marketplaces = JSON.stringify([
  { name: 'awesome-copilot', source: 'GitHub: github/awesome-copilot', isDefault: true },
  { name: 'holdfast', source: `Local: ${dist}`, isDefault: false },
]);
const state = (source: string | null, ...enabled: string[]): CopilotState => ({
  version: '1.0.102',
  source,
  plugins: parsePlugins(listed(...enabled)),
});
const install = (found: CopilotState): string[] => planCopilotInstall(found, wishes).map(asCommand);

describe('what Copilot CLI says is installed', () => {
  it('is what of ours is switched on, and where it comes from', () => {
    expect(parsePlugins(listed('holdfast'))).toEqual([{ name: 'holdfast', version: '0.6.0' }]);
    expect(parseMarketplaces(marketplaces)).toBe(dist);
    expect(parseMarketplaces('[]')).toBeNull();
    expect(parseMarketplaces('no JSON')).toBeNull();
    expect(() => parsePlugins('{}')).toThrow('answered what Holdfast cannot read');
  });

  it('shows what did not load', () => {
    expect(copilotLoadProblems(parsePlugins(listed('holdfast', 'idle')), wishes)).toEqual([]);
    expect(copilotLoadProblems([{ name: 'holdfast', version: '0.5.0' }], wishes)).toEqual([
      'holdfast is version 0.5.0, not 0.6.0',
      'idle is not there after its installation',
    ]);
  });
});

describe('an installation', () => {
  it('adds what is missing, and nothing twice', () => {
    expect(install(state(null))).toEqual([
      `copilot plugin marketplace add ${dist}`,
      'copilot plugin install holdfast@holdfast',
      'copilot plugin install idle@holdfast',
    ]);
    expect(install(state(dist, 'holdfast'))).toEqual(['copilot plugin install idle@holdfast']);
    expect(install(state(dist, 'holdfast', 'idle'))).toEqual([]);
  });

  it('takes a marketplace that lies elsewhere away first', () => {
    expect(install(state('/old', 'holdfast', 'idle'))).toEqual([
      'copilot plugin marketplace remove holdfast --force',
      `copilot plugin marketplace add ${dist}`,
    ]);
  });

  it('is taken out workflows first and the marketplace last', () => {
    expect(planCopilotUninstall(state(dist, 'holdfast', 'idle'), '/').map(asCommand)).toEqual([
      'copilot plugin uninstall idle@holdfast',
      'copilot plugin uninstall holdfast@holdfast',
      'copilot plugin marketplace remove holdfast --force',
    ]);
    expect(planCopilotUninstall(state(null), '/')).toEqual([]);
  });
});

describe('what is left in the settings', () => {
  it('goes, and nothing of the user', () => {
    const left = { enabledPlugins: { 'holdfast@holdfast': false }, extraKnownMarketplaces: {} };
    expect(withoutUs({ theme: 'dark', ...left })).toEqual({ theme: 'dark' });
    const own = { 'own@x': false, 'idle@other': true };
    const both = { ...left, enabledPlugins: { ...own, ...left.enabledPlugins } };
    expect(withoutUs(both)).toEqual({ enabledPlugins: own });
    const others = { extraKnownMarketplaces: { x: {} }, enabledPlugins: { 'idle@holdfast': true } };
    expect(withoutUs(others)).toEqual(others);
    expect(withoutUs({ enabledPlugins: 'garbage' })).toEqual({ enabledPlugins: 'garbage' });
  });
});
