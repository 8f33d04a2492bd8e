import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Wishes } from '../installer.ts';
import { judgeDroid } from './install.ts';
import {
  type DroidState,
  droidLoadProblems,
  parseMarketplaces,
  parsePlugins,
  planDroidInstall,
  planDroidUninstall,
} from './plugins.ts';
import { giveBackSettings, keepSettings, withoutComments } from './settings.ts';

const recorded = (name: string): string =>
  fs.readFileSync(
    path.resolve(import.meta.dirname, '../../../test/fixtures/recorded/plugins/droid', `${name}.txt`),
    'utf8',
  );

const dist = '/home/dev/holdfast/dist';
const wishes: Wishes = {
  source: { folder: dist, version: '0.6.0', workflows: ['idle'] },
  plugins: ['holdfast', 'idle'],
  scope: 'user',
  cwd: '/home/dev/project',
};
const installed: DroidState = {
  version: '0.225.2',
  marketplace: parseMarketplaces(recorded('marketplaces-added')),
  plugins: parsePlugins(recorded('plugins-installed')),
};
const none: DroidState = { version: '0.225.2', marketplace: null, plugins: [] };
const commands = (steps: ReturnType<typeof planDroidInstall>): string[] =>
  steps.map(({ args }) => args.slice(1).join(' '));

describe('what Droid says is installed', () => {
  it('is read as recorded', () => {
    expect(installed.marketplace).toEqual({ name: 'dist', folder: dist });
    expect(installed.plugins).toEqual([
      { name: 'holdfast', marketplace: 'dist', isActive: true },
      { name: 'idle', marketplace: 'dist', isActive: true },
    ]);
    expect(parseMarketplaces(recorded('marketplaces-none'))).toBe(null);
    expect(parsePlugins(recorded('plugins-none'))).toEqual([]);
  });

  it('is not another marketplace of the same folder’s name', () => {
    expect(parseMarketplaces(recorded('marketplaces-added').replace('"holdfast"', '"other"'))).toBe(null);
  });
});

describe('the plan to install in Droid', () => {
  it('adds the marketplace, which is named after its folder, and each plugin', () => {
    expect(commands(planDroidInstall(none, wishes))).toEqual([
      `marketplace add ${dist}`,
      'install holdfast@dist --scope user',
      'install idle@dist --scope user',
    ]);
  });

  it('renews the copies where they are there', () => {
    expect(commands(planDroidInstall(installed, wishes))).toEqual([
      'uninstall holdfast@dist --scope user',
      'uninstall idle@dist --scope user',
      'install holdfast@dist --scope user',
      'install idle@dist --scope user',
    ]);
  });

  it('takes all of it out first where it came from another folder', () => {
    const elsewhere = { ...installed, marketplace: { name: 'dist', folder: '/old/dist' } };
    expect(commands(planDroidInstall(elsewhere, wishes))).toEqual([
      'uninstall holdfast@dist --scope user',
      'uninstall idle@dist --scope user',
      'marketplace remove dist',
      `marketplace add ${dist}`,
      'install holdfast@dist --scope user',
      'install idle@dist --scope user',
    ]);
  });

  it('sees afterwards what is missing or switched off', () => {
    expect(droidLoadProblems(installed.plugins, wishes)).toEqual([]);
    expect(droidLoadProblems([], wishes)).toHaveLength(2);
    const off = installed.plugins.map((plugin) => ({ ...plugin, isActive: plugin.name === 'holdfast' }));
    expect(droidLoadProblems(off, wishes)).toEqual(['idle is switched off']);
  });
});

describe('the plan to take it out of Droid', () => {
  it('removes the plugins and the marketplace, or nothing', () => {
    expect(commands(planDroidUninstall(installed, '/'))).toEqual([
      'uninstall holdfast@dist --scope user',
      'uninstall idle@dist --scope user',
      'marketplace remove dist',
    ]);
    expect(planDroidUninstall(none, '/')).toEqual([]);
  });
});

describe('what doctor says of Droid', () => {
  it('is that it is installed, absent or switched off', () => {
    expect(judgeDroid(installed, 'holdfast').result).toBe('good');
    expect(judgeDroid(none, 'holdfast')).toMatchObject({ result: 'bad', absent: true });
    const off = installed.plugins.map((plugin) => ({ ...plugin, isActive: false }));
    expect(judgeDroid({ ...installed, plugins: off }, 'holdfast').what).toContain(
      'holdfast, idle is switched off',
    );
  });
});

describe("the user's settings of Droid", () => {
  const mine =
    '// Mine.\n{ "url": "http://x", /* so */ "list": [1, 2,],\n  "deep": { "a": "// no comment" } }\n';
  const rewritten = {
    url: 'http://x',
    list: [1, 2],
    deep: { a: '// no comment' },
    extraKnownMarketplaces: {},
    enabledPlugins: {},
  };
  let home: string;
  let file: string;
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-droid-'));
    file = path.join(home, '.factory', 'settings.json');
    fs.mkdirSync(path.dirname(file));
  });
  afterEach(() => fs.rmSync(home, { recursive: true }));
  const env = () => ({ HOME: home });
  const kept = (): boolean => fs.existsSync(path.join(home, '.local/state/holdfast/droid-settings.json'));

  it('come back to the byte when nothing else has changed', () => {
    fs.writeFileSync(file, mine);
    keepSettings(env());
    fs.writeFileSync(file, JSON.stringify(rewritten));
    giveBackSettings(env());
    expect(fs.readFileSync(file, 'utf8')).toBe(mine);
    expect(kept()).toBe(false);
  });

  it.each([
    ['changed meanwhile', JSON.stringify({ ...rewritten, url: 'http://y' })],
    ['with a plugin of somebody else', JSON.stringify({ ...rewritten, enabledPlugins: { 'x@y': true } })],
    ['that cannot be read', '{'],
  ])('are left as they are, %s', (_, now) => {
    fs.writeFileSync(file, mine);
    keepSettings(env());
    fs.writeFileSync(file, now);
    giveBackSettings(env());
    expect(fs.readFileSync(file, 'utf8')).toBe(now);
    expect(kept()).toBe(false);
  });

  it('need not be there', () => {
    keepSettings(env());
    giveBackSettings(env());
    expect(fs.existsSync(file)).toBe(false);
  });

  it('are read without comments and trailing commas, which may stand in strings', () => {
    expect(JSON.parse(withoutComments(mine))).toEqual({
      url: 'http://x',
      list: [1, 2],
      deep: { a: '// no comment' },
    });
    expect(JSON.parse(withoutComments('{"a":"x,}","b":"\\"/*"}'))).toEqual({ a: 'x,}', b: '"/*' });
  });
});
