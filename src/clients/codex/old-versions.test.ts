import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { codexCache, OldVersions } from './old-versions.ts';

let home: string;
let cache: string;

beforeEach(() => {
  home = emptyFolder();
  cache = codexCache({ CODEX_HOME: home });
});
afterEach(() => void vi.restoreAllMocks());

/** Each with one file, which says its name. */
function install(plugin: string, ...versions: string[]): void {
  for (const version of versions) {
    fs.mkdirSync(path.join(cache, plugin, version), { recursive: true });
    fs.writeFileSync(path.join(cache, plugin, version, 'x'), version);
  }
}
/** As the client does it. */
function upgrade(plugin: string, to: string): void {
  fs.rmSync(path.join(cache, plugin), { recursive: true });
  install(plugin, to);
}
const versionsOf = (plugin: string): string[] => fs.readdirSync(path.join(cache, plugin)).sort();
const copies = (): string[] =>
  fs
    .readdirSync(path.join(home, 'plugins'))
    .filter((name) => name !== 'cache')
    .sort();
const ours = `.holdfast-old-${process.pid}`;

it.each([
  [{ HOME: '/h' }, '/h/.codex/plugins/cache/holdfast'],
  [{ HOME: '/h', CODEX_HOME: '/codex' }, '/codex/plugins/cache/holdfast'],
  [{ HOME: '/h', CODEX_HOME: 'codex' }, '/h/.codex/plugins/cache/holdfast'],
])('the cache of Codex for %j is %s', (env, folder) => {
  expect(codexCache(env)).toBe(folder);
});

describe('versions that an upgrade deletes', () => {
  it('come back as they were, once the new one is there by its name', () => {
    install('holdfast', '0.9.0', '0.10.0');
    install('idle', '0.9.0');
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast', 'idle', 'never-installed']);
    expect(copies()).toEqual([ours]);
    upgrade('holdfast', '1.0.0');
    upgrade('idle', 'local');
    old.putBack();
    expect([versionsOf('holdfast'), versionsOf('idle')]).toEqual([['0.10.0', '0.9.0', '1.0.0'], ['local']]);
    expect(fs.readFileSync(path.join(cache, 'holdfast/0.9.0/x'), 'utf8')).toBe('0.9.0');
    old.forgetCopies();
    expect(copies()).toEqual([]);
  });

  it('are the three newest, by their numbers, of the plugins that are named', () => {
    install(
      'holdfast',
      '0.2.0',
      '0.10.0',
      '0.9.0',
      '0.9.10',
      '0.1.0',
      '1.0.0',
      '1.0.1',
      'local',
      '0.9.0-beta',
    );
    install('idle', '0.1.0');
    fs.writeFileSync(path.join(cache, 'holdfast', '0.3.0'), 'no folder');
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast']);
    expect(fs.readdirSync(path.join(home, 'plugins', ours))).toEqual(['holdfast']);
    expect(fs.readdirSync(path.join(home, 'plugins', ours, 'holdfast')).sort()).toEqual([
      '0.10.0',
      '0.9.0',
      '0.9.10',
    ]);
    expect(['holdfast', 'idle', 'never-installed'].map((plugin) => old.higher(plugin))).toEqual([
      ['1.0.1'],
      [],
      [],
    ]);
  });

  it('are not put over one that was not deleted', () => {
    install('holdfast', '0.8.0', '0.9.0');
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast']);
    fs.rmSync(path.join(cache, 'holdfast/0.8.0'), { recursive: true });
    install('holdfast', '1.0.0');
    fs.writeFileSync(path.join(cache, 'holdfast/0.9.0/x'), 'changed meanwhile');
    old.putBack();
    expect(versionsOf('holdfast')).toEqual(['0.8.0', '0.9.0', '1.0.0']);
    expect(fs.readFileSync(path.join(cache, 'holdfast/0.9.0/x'), 'utf8')).toBe('changed meanwhile');
  });

  it('are none where nothing was installed', () => {
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast']);
    old.putBack();
    old.forgetCopies();
    expect(fs.existsSync(path.join(home, 'plugins'))).toBe(false);
  });
});

describe('copies that an installation left', () => {
  const leave = (...names: string[]): void => {
    for (const name of names) fs.mkdirSync(path.join(home, 'plugins', name, 'holdfast'), { recursive: true });
    new OldVersions(cache, '1.0.0').save([]);
  };

  it('go with the next one, unless their process is alive', () => {
    const gone = spawnSync('true').pid;
    leave(ours, `.holdfast-old-${gone}`, '.holdfast-old-x', 'mine', `other-plugins-${gone}`);
    expect(copies()).toEqual([ours, 'mine', `other-plugins-${gone}`].sort());
  });

  it.each([
    ['EPERM', ['.holdfast-old-7']],
    ['ESRCH', []],
  ])('of a process that may not be asked (%s)', (code, left) => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    leave('.holdfast-old-7');
    expect(copies()).toEqual(left);
  });
});
