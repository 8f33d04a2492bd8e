import { describe, expect, it } from 'vitest';
import { dist, wishes } from '../../../test/support/installing.ts';
import { type Doings, programs, says } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { isClientFailed } from '../install/program.ts';
import {
  type DroidPlugin,
  type DroidState,
  droidLoadProblems,
  droidPlugins,
  lookAtDroid,
  parseMarketplaces,
  parsePlugins,
  planDroidInstall,
  planDroidUninstall,
} from './plugins.ts';

const text = (name: string): string => recordedLines(`plugins/droid/${name}.txt`).join('\n');
const MARKETPLACES = 'plugin marketplace list';
const LIST = 'plugin list --scope user';
const plugin = (name: string, more: Partial<DroidPlugin> = {}): DroidPlugin => ({
  ...{ name, marketplace: 'dist', isActive: true, ...more },
});
const none: DroidState = { version: '1', marketplace: null, plugins: [] };
const ours: DroidState = {
  version: '1',
  marketplace: { name: 'dist', folder: dist },
  plugins: [plugin('holdfast'), plugin('other')],
};

describe('the list of Droid’s marketplaces', () => {
  const line = '  dist  (5 plugins)  local:/home/dev/dist  "holdfast"';
  it.each<[string, DroidState['marketplace']]>([
    [text('marketplaces-added'), { name: 'dist', folder: dist }],
    [text('marketplaces-none'), null],
    ['', null],
    [line, { name: 'dist', folder: '/home/dev/dist' }],
    [`Marketplaces:\n${line}  \n\nmore`, { name: 'dist', folder: '/home/dev/dist' }],
    [` d (1 plugin) local:/a b "holdfast"`, { name: 'd', folder: '/a b' }],
    ['\td\t(12 plugins)\tlocal:/a\t"holdfast"', { name: 'd', folder: '/a' }],
    [line.trim(), null],
    [line.replace('5', ''), null],
    [line.replace('local:', 'git:'), null],
    [`${line} x`, null],
    [line.replace('"holdfast"', '"holdfast2"'), null],
    [line.replace('dist', 'a b'), null],
    [`  other  (1 plugin)  local:/o  "other"\n${line}`, { name: 'dist', folder: '/home/dev/dist' }],
  ])('%j', (listed, marketplace) => {
    expect(parseMarketplaces(listed)).toEqual(marketplace);
  });
});

describe('the list of Droid’s plugins', () => {
  it.each<[string, DroidPlugin[]]>([
    [text('plugins-installed'), [plugin('holdfast'), plugin('idle')]],
    [text('plugins-none'), []],
    ['', []],
    ['  idle@dist  [user]  11db445', [plugin('idle')]],
    ['\ta-b_1@x/y\t[user]', [plugin('a-b_1', { marketplace: 'x/y' })]],
    ['idle@dist  [user]', []],
    ['  idle@dist  [project]', []],
    ['  idle@  [user]', []],
    ['  @dist  [user]', []],
    ['  x idle@dist  [user]', []],
    [
      'Installed plugins:\n  a@dist [user]\nDisabled:\n  b@dist [user]\nNot active now:\n  c@dist [user]\nActive:\n  d@dist [user]',
      [plugin('a'), plugin('b', { isActive: false }), plugin('c', { isActive: false }), plugin('d')],
    ],
    ['Off: so\nx Off: \n  a@dist [user]', [plugin('a')]],
    [' Off:\n  a@dist [user]', [plugin('a')]],
    ['Inactive:\n  a@dist [user]', [plugin('a', { isActive: false })]],
  ])('%j', (listed, plugins) => {
    expect(parsePlugins(listed)).toEqual(plugins);
  });
});

describe('a look at Droid', () => {
  const droid = (more: Doings = {}): Record<string, Doings> => ({
    droid: {
      '--version': says(' 0.225.2 '),
      [MARKETPLACES]: says(text('marketplaces-added')),
      [LIST]: says(`${text('plugins-installed')}\n  idle@elsewhere  [user]  1`),
      ...more,
    },
  });
  const failure = async (asking: Promise<unknown>): Promise<string> => {
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    return isClientFailed(error) ? error.message : 'no failure';
  };

  it('finds nothing where it is not on PATH', async () => {
    expect(await lookAtDroid(programs({}).project)).toBeNull();
  });

  it('finds its version, our marketplace, and the plugins of that', async () => {
    const here = programs(droid());
    expect(await lookAtDroid(here.project)).toEqual({
      version: '0.225.2',
      marketplace: { name: 'dist', folder: dist },
      plugins: [plugin('holdfast'), plugin('idle')],
    });
    expect(here.calls()).toEqual(['droid --version', `droid ${MARKETPLACES}`, `droid ${LIST}`]);
  });

  it('finds no plugins where our marketplace is not there', async () => {
    const here = programs(droid({ [MARKETPLACES]: says('') }));
    expect(await lookAtDroid(here.project)).toEqual({ version: '0.225.2', marketplace: null, plugins: [] });
  });

  it('fails in its own words', async () => {
    const here = programs(droid({ [LIST]: 'echo a; echo no network >&2; exit 1' }));
    expect(await failure(lookAtDroid(here.project))).toBe(
      '`droid plugin list --scope user` failed: no network',
    );
  });

  it('sees afterwards what is there, of the marketplace that is known or has been added since', async () => {
    const here = programs(droid());
    const there = [plugin('holdfast'), plugin('idle')];
    expect(await droidPlugins(ours, here.project)).toEqual(there);
    expect(here.calls()).toEqual([`droid ${LIST}`]);
    expect(await droidPlugins(none, here.project)).toEqual(there);
    expect(here.calls().slice(1)).toEqual([`droid ${MARKETPLACES}`, `droid ${LIST}`]);
    const elsewhere = { ...ours, marketplace: { name: 'elsewhere', folder: '/e' } };
    expect(await droidPlugins(elsewhere, here.project)).toEqual([
      plugin('idle', { marketplace: 'elsewhere' }),
    ]);
  });

  it('fails where it has gone meanwhile', async () => {
    expect(await failure(droidPlugins(ours, programs({}).project))).toBe(
      '`droid plugin list --scope user` failed: not found',
    );
  });
});

describe('the steps', () => {
  const here = { project: '/home/dev/project' } as Parameters<typeof wishes>[0];
  const step = (...args: string[]) => ({
    program: 'droid',
    args: ['plugin', ...args],
    cwd: '/home/dev/project',
  });
  const user = ['--scope', 'user'];
  const install = (name: string, marketplace = 'dist') => step('install', `${name}@${marketplace}`, ...user);
  const uninstall = (name: string) => step('uninstall', `${name}@dist`, ...user);

  it('to install where nothing is there', () => {
    expect(planDroidInstall(none, wishes(here))).toEqual([
      step('marketplace', 'add', dist),
      install('holdfast'),
      install('idle'),
    ]);
  });

  it('to install again take out what is wanted alone, under the marketplace’s own name', () => {
    expect(planDroidInstall(ours, wishes(here))).toEqual([
      uninstall('holdfast'),
      install('holdfast'),
      install('idle'),
    ]);
    const named = { ...ours, marketplace: { name: 'mine', folder: dist }, plugins: [] };
    expect(planDroidInstall(named, wishes(here))).toEqual([
      install('holdfast', 'mine'),
      install('idle', 'mine'),
    ]);
  });

  it('to install from another folder take out all first', () => {
    expect(planDroidInstall(ours, wishes(here, '/new/place'))).toEqual([
      uninstall('holdfast'),
      uninstall('other'),
      step('marketplace', 'remove', 'dist'),
      step('marketplace', 'add', '/new/place'),
      install('holdfast', 'place'),
      install('idle', 'place'),
    ]);
  });

  it('to take it out', () => {
    expect(planDroidUninstall(ours, '/home/dev/project')).toEqual([
      uninstall('holdfast'),
      uninstall('other'),
      step('marketplace', 'remove', 'dist'),
    ]);
    expect(planDroidUninstall({ ...none, plugins: [plugin('holdfast')] }, '/')).toEqual([]);
  });

  it.each<[DroidPlugin[], string[]]>([
    [[plugin('idle'), plugin('holdfast')], []],
    [
      [plugin('idle', { isActive: false })],
      ['holdfast is not there after its installation', 'idle is switched off'],
    ],
    [[], ['holdfast is not there after its installation', 'idle is not there after its installation']],
  ])('left %j, and this is wrong with it: %j', (installed, problems) => {
    expect(droidLoadProblems(installed, wishes(here))).toEqual(problems);
  });
});
