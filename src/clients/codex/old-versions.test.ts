import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { codexCache, compareVersions, OldVersions } from './old-versions.ts';

let home: string;
let cache: string;

beforeEach(() => {
  home = emptyFolder();
  cache = codexCache({ CODEX_HOME: home });
});

/** Each with one file, which says its name. */
function install(plugin: string, ...versions: string[]): void {
  for (const version of versions) {
    const folder = path.join(cache, plugin, version);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'plugin.json'), `${plugin} ${version}`);
  }
}

const versionsOf = (plugin: string): string[] => fs.readdirSync(path.join(cache, plugin)).sort();
const remove = (...names: string[]): void =>
  fs.rmSync(path.join(cache, ...names), { recursive: true, force: true });
const copies = (): string[] => fs.readdirSync(path.join(home, 'plugins')).filter((name) => name !== 'cache');
const ours = `.holdfast-old-${process.pid}`;

describe('the cache of Codex', () => {
  it.each([
    [{ HOME: '/home/dev' }, '/home/dev/.codex/plugins/cache/holdfast'],
    [{ HOME: '/home/dev', CODEX_HOME: '/codex' }, '/codex/plugins/cache/holdfast'],
    [{ HOME: '/home/dev', CODEX_HOME: 'codex' }, '/home/dev/.codex/plugins/cache/holdfast'],
  ])('of %j is %s', (env, folder) => {
    expect(codexCache(env)).toBe(folder);
  });
});

describe('versions that an upgrade deletes', () => {
  it('come back as they were, once the new one is there', () => {
    install('holdfast', '0.9.0', '0.10.0');
    install('idle', '0.9.0');
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast', 'idle', 'never-installed']);
    expect(copies()).toEqual([ours]);

    remove('holdfast');
    remove('idle');
    install('holdfast', '1.0.0');
    install('idle', '1.0.0');
    old.putBack();

    expect(versionsOf('holdfast')).toEqual(['0.10.0', '0.9.0', '1.0.0']);
    expect(versionsOf('idle')).toEqual(['0.9.0', '1.0.0']);
    const back = path.join(cache, 'holdfast', '0.9.0', 'plugin.json');
    expect(fs.readFileSync(back, 'utf8')).toBe('holdfast 0.9.0');

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

    const saved = path.join(home, 'plugins', ours);
    expect(fs.readdirSync(saved)).toEqual(['holdfast']);
    expect(fs.readdirSync(path.join(saved, 'holdfast')).sort(compareVersions)).toEqual([
      ...['0.9.0', '0.9.10', '0.10.0'],
    ]);
    expect(old.higher('holdfast')).toEqual(['1.0.1']);
    expect(old.higher('idle')).toEqual([]);
    expect(old.higher('never-installed')).toEqual([]);
  });

  it('stay away where the client did not install the new one by its name', () => {
    install('holdfast', '0.9.0');
    install('idle', '0.9.0');
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast', 'idle']);
    remove('holdfast');
    remove('idle');
    install('holdfast', 'local');
    install('idle', '1.0.0');
    old.putBack();
    expect(versionsOf('holdfast')).toEqual(['local']);
    expect(versionsOf('idle')).toEqual(['0.9.0', '1.0.0']);
  });

  it('are not put over one that was not deleted', () => {
    install('holdfast', '0.8.0', '0.9.0');
    const old = new OldVersions(cache, '1.0.0');
    old.save(['holdfast']);
    remove('holdfast', '0.8.0');
    install('holdfast', '1.0.0');
    const there = path.join(cache, 'holdfast', '0.9.0', 'plugin.json');
    fs.writeFileSync(there, 'changed meanwhile');
    old.putBack();
    expect(versionsOf('holdfast')).toEqual(['0.8.0', '0.9.0', '1.0.0']);
    expect(fs.readFileSync(there, 'utf8')).toBe('changed meanwhile');
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
  afterEach(() => void vi.restoreAllMocks());

  const leave = (...names: string[]): void => {
    for (const name of names) fs.mkdirSync(path.join(home, 'plugins', name, 'holdfast'), { recursive: true });
  };
  const save = (): void => new OldVersions(cache, '1.0.0').save([]);

  it('go with the next one, unless their process is alive', () => {
    const gone = spawnSync('true').pid;
    leave(ours, `.holdfast-old-${gone}`, '.holdfast-old-x', 'mine', `other-plugins-${gone}`);
    save();
    expect(copies().sort()).toEqual([ours, 'mine', `other-plugins-${gone}`].sort());
  });

  it.each([
    ['EPERM', ['.holdfast-old-7']],
    ['ESRCH', []],
  ])('of a process that may not be asked (%s)', (code, left) => {
    leave('.holdfast-old-7');
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    save();
    expect(copies()).toEqual(left);
    expect(kill.mock.calls).toEqual([[7, 0]]);
  });
});

describe('versions', () => {
  it.each([
    ['1.2.3', '1.2.3', 0],
    ['1.2.3', '1.2.4', -1],
    ['1.10.0', '1.9.9', 1],
    ['2.0.0', '1.99.99', 1],
    ['0.0.10', '0.0.7', 3],
  ])('%s beside %s', (a, b, by) => {
    expect(compareVersions(a, b)).toBe(by);
  });

  it.each(['local', '1.2', '1.2.3.4', '1.2.3-beta', 'v1.2.3', '1.2.x', '1..3', ''])(
    '%j is older and newer than nothing',
    (text) => {
      expect([compareVersions(text, '1.2.3'), compareVersions('1.2.3', text)]).toEqual([
        Number.NaN,
        Number.NaN,
      ]);
    },
  );

  it.each([
    ['10.0.0', '9.0.0'],
    ['0.10.0', '0.9.0'],
    ['0.0.10', '0.0.9'],
  ])('%s, with numbers of two digits, is above %s', (a, b) => {
    expect(compareVersions(a, b)).toBe(1);
  });
});
