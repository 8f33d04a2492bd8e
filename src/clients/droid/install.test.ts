import { describe, expect, it } from 'vitest';
import { dist, how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Doings, programs, says } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { installer } from './install.ts';

const LIST = 'plugin list --scope user';
const MARKETPLACES = 'plugin marketplace list';
const recorded = (name: string): string => says(recordedLines(`plugins/droid/${name}.txt`).join('\n'));

const droid = (more: Doings = {}): Record<string, Doings> => ({
  droid: {
    '--version': says('0.225.2'),
    [MARKETPLACES]: recorded('marketplaces-none'),
    [LIST]: recorded('plugins-none'),
    ...more,
  },
});
const there: Doings = {
  [MARKETPLACES]: recorded('marketplaces-added'),
  [LIST]: recorded('plugins-installed'),
};
const either = (isDone: string, notYet: string): string =>
  `if [ -e "$HOME/done" ]; then ${isDone}\nelse ${notYet}\nfi`;

describe('a look at Droid', () => {
  it('finds nothing where it is not on PATH', async () => {
    expect(await installer.look(programs({}).project)).toBeNull();
  });

  it('finds what is there', async () => {
    const here = programs(droid(there));
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
    expect(here.calls()).toEqual(['droid --version', `droid ${MARKETPLACES}`, `droid ${LIST}`]);
  });

  it('finds none of ours', async () => {
    expect(await look(installer, programs(droid()))).toMatchObject({ source: null, hasPlugins: false });
  });

  it('counts no plugin of another marketplace', async () => {
    const here = programs(droid({ ...there, [LIST]: says('Active:\n  idle@other  [user]  11db445') }));
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: false });
  });

  it.each([MARKETPLACES, LIST])('says what it said when it refuses %s', async (command) => {
    const here = programs(droid({ [command]: 'echo "log in first" >&2; exit 1' }));
    await expect(installer.look(here.project)).rejects.toMatchObject({
      name: 'ClientFailed',
      message: `\`droid ${command}\` failed: log in first`,
    });
  });
});

describe('an installation in Droid', () => {
  it('keeps the user’s settings first, then adds the marketplace and each plugin', async () => {
    const here = programs(
      droid({
        [MARKETPLACES]: either(recorded('marketplaces-added'), recorded('marketplaces-none')),
        [LIST]: either(recorded('plugins-installed'), recorded('plugins-none')),
        [`plugin marketplace add ${dist}`]: 'echo "{}" >"$HOME/.factory/settings.json"; touch "$HOME/done"',
      }),
    );
    here.write('.factory/settings.json', '{ /* mine */ }');
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Droid 0.225.2: installed holdfast, idle for all your projects.'],
    });
    expect(here.calls().slice(3)).toEqual([
      `droid plugin marketplace add ${dist}`,
      'droid plugin install holdfast@dist --scope user',
      'droid plugin install idle@dist --scope user',
      `droid ${MARKETPLACES}`,
      `droid ${LIST}`,
    ]);
    expect(here.read('.local/state/holdfast/droid-settings.json')).toBe('{ /* mine */ }');
  });

  it('brings up to date what is there, and keeps no settings again', async () => {
    const here = programs(droid(there));
    here.write('.factory/settings.json', '{}');
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Droid 0.225.2: brought up to date holdfast, idle for all your projects.'],
    });
    // The marketplace is known, so it is not asked for again.
    expect(here.calls().filter((call) => call === `droid ${MARKETPLACES}`)).toHaveLength(1);
    expect(() => here.read('.local/state/holdfast/droid-settings.json')).toThrow('ENOENT');
  });

  it('looks for the new marketplace where the old one lay elsewhere', async () => {
    const old = says('  alt  (5 plugins)  local:/old/alt  "holdfast"');
    const here = programs(
      droid({
        [MARKETPLACES]: either(recorded('marketplaces-added'), old),
        [LIST]: either(recorded('plugins-installed'), says('Active:\n  idle@alt  [user]  11db445')),
        [`plugin marketplace add ${dist}`]: 'touch "$HOME/done"',
      }),
    );
    const { good, lines } = await (await look(installer, here)).install(wishes(here), how(here));
    expect(lines).toEqual(['Droid 0.225.2: brought up to date holdfast, idle for all your projects.']);
    expect(good).toBe(true);
    expect(here.calls().slice(3, 6)).toEqual([
      'droid plugin uninstall idle@alt --scope user',
      'droid plugin marketplace remove alt',
      `droid plugin marketplace add ${dist}`,
    ]);
  });

  it('says what is not there afterwards', async () => {
    const here = programs(droid());
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: false,
      changed: true,
      lines: [
        'Droid 0.225.2: holdfast is not there after its installation',
        'Droid 0.225.2: idle is not there after its installation',
      ],
    });
  });

  it('only shows its commands in a dry run, and keeps no settings', async () => {
    const here = programs(droid());
    here.write('.factory/settings.json', '{}');
    const { lines, changed } = await (await look(installer, here)).install(wishes(here), how(here, true));
    expect(lines).toEqual([
      'Droid 0.225.2 would be changed by:',
      `  droid plugin marketplace add ${dist}`,
      '  droid plugin install holdfast@dist --scope user',
      '  droid plugin install idle@dist --scope user',
    ]);
    expect(changed).toBe(false);
    expect(() => here.read('.local/state/holdfast/droid-settings.json')).toThrow('ENOENT');
  });
});

describe('taking it out of Droid', () => {
  it('says what went, and gives the settings back', async () => {
    const here = programs(droid(there));
    here.write('.local/state/holdfast/droid-settings.json', '{ "a": 1, /* mine */ }');
    here.write('.factory/settings.json', '{"a":1,"enabledPlugins":{}}');
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Droid 0.225.2: removed holdfast, idle.'],
    });
    expect(here.calls().slice(3)).toEqual([
      'droid plugin uninstall holdfast@dist --scope user',
      'droid plugin uninstall idle@dist --scope user',
      'droid plugin marketplace remove dist',
    ]);
    expect(here.read('.factory/settings.json')).toBe('{ "a": 1, /* mine */ }');
  });

  it('names the marketplace where only that was there', async () => {
    const here = programs(droid({ [MARKETPLACES]: recorded('marketplaces-added') }));
    const { lines } = await (await look(installer, here)).uninstall(removal(here));
    expect(lines).toEqual(['Droid 0.225.2: removed the marketplace.']);
  });

  it('only shows its commands in a dry run', async () => {
    const here = programs(droid(there));
    const { lines, changed } = await (await look(installer, here)).uninstall(removal(here, true));
    expect(lines).toHaveLength(4);
    expect(changed).toBe(false);
    expect(here.calls()).toHaveLength(3);
  });
});

describe('what doctor says of Droid', () => {
  const check = async (more: Doings) => {
    const here = programs(droid(more));
    return (await look(installer, here)).check(how(here));
  };
  const fix = 'holdfast install --client droid';

  it('is that the plugin is installed', async () => {
    expect(await check(there)).toEqual([
      { result: 'good', what: 'Droid 0.225.2: the plugin is installed', fix: null },
    ]);
  });

  it('is that it is absent', async () => {
    expect(await check({})).toEqual([
      {
        result: 'bad',
        what: 'Droid 0.225.2: the Holdfast plugin is not installed in it',
        fix,
        absent: true,
      },
    ]);
  });

  it('is what is switched off', async () => {
    const list =
      'Active:\n  holdfast@dist  [user]  1\nDisabled:\n  idle@dist  [user]  1\n  b-c@dist  [user]  1';
    expect(await check({ ...there, [LIST]: says(list) })).toEqual([
      { result: 'bad', what: 'Droid 0.225.2: idle, b-c is switched off', fix },
    ]);
  });
});
