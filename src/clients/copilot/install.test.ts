import { describe, expect, it } from 'vitest';
import { dist, how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Doings, programs, says } from '../../../test/support/programs.ts';
import { installer } from './install.ts';
import { tidySettings } from './settings.ts';

const LIST = 'plugin list --json';
const MARKETPLACES = 'plugin marketplace list --json';

const plugin = (name: string, enabled = true) => ({
  ...{ name, marketplace: 'holdfast', version: '0.6.0', enabled, source: 'live' },
});
const listed = (...plugins: object[]): string => says(JSON.stringify(plugins));
const added = says(JSON.stringify([{ name: 'holdfast', source: `Local: ${dist}` }]));

/** As 1.0.102 answers: with nothing of ours, unless more is said. */
const copilot = (more: Doings = {}): Record<string, Doings> => ({
  copilot: {
    '--version': says('GitHub Copilot CLI 1.0.102.\nRun it.'),
    [MARKETPLACES]: says('[]'),
    [LIST]: says('[]'),
    ...more,
  },
});
/** What was installed shows in its list from then on. */
const withMemory = (...after: object[]): Doings => ({
  [LIST]: `if [ -e "$HOME/done" ]; then ${listed(...after)}\nelse echo '[]'; fi`,
  'plugin install holdfast@holdfast': 'touch "$HOME/done"',
});

describe('a look at Copilot CLI', () => {
  it('finds nothing where it is not on PATH', async () => {
    const here = programs({});
    expect(await installer.look(here.project)).toBeNull();
  });

  it('finds what is there and asks it once for each', async () => {
    const here = programs(copilot({ [MARKETPLACES]: added, [LIST]: listed(plugin('holdfast')) }));
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
    expect(here.calls().toSorted()).toEqual([
      'copilot --version',
      `copilot ${LIST}`,
      `copilot ${MARKETPLACES}`,
    ]);
  });

  it('finds none of ours', async () => {
    expect(await look(installer, programs(copilot()))).toMatchObject({ source: null, hasPlugins: false });
  });

  it.each([
    [MARKETPLACES, 'echo "not now" >&2; exit 1', 'not now'],
    [LIST, 'exit 3', 'copilot plugin list --json'],
  ])('says what it said when it refuses %s', async (command, does, said) => {
    const here = programs(copilot({ [command]: does }));
    const failed = installer.look(here.project);
    await expect(failed).rejects.toThrow(`\`copilot ${command}\` failed: `);
    await expect(failed).rejects.toThrow(said);
    await expect(failed).rejects.toMatchObject({ name: 'ClientFailed' });
  });
});

describe('what doctor says of Copilot CLI', () => {
  const check = async (more: Doings) => {
    const here = programs(copilot(more));
    return (await look(installer, here)).check(how(here));
  };

  it('is that the plugin is installed, with its version', async () => {
    expect(await check({ [LIST]: listed(plugin('idle'), plugin('holdfast')) })).toEqual([
      { result: 'good', what: 'Copilot CLI 1.0.102: the plugin is installed', fix: null },
    ]);
  });

  it.each([
    ['nothing is there', []],
    ['only a workflow is there', [plugin('idle')]],
    ['the core is switched off', [plugin('holdfast', false)]],
    ['it is of another marketplace', [{ ...plugin('holdfast'), marketplace: 'other' }]],
  ])('is that it is absent, where %s', async (_, plugins) => {
    expect(await check({ [LIST]: listed(...plugins) })).toEqual([
      {
        result: 'bad',
        what: 'Copilot CLI 1.0.102: the Holdfast plugin is not installed in it',
        fix: 'holdfast install --client copilot',
        absent: true,
      },
    ]);
  });

  it('has no version where it says none', async () => {
    const [finding] = await check({
      '--version': says('a nightly build'),
      [LIST]: listed(plugin('holdfast')),
    });
    expect(finding?.what).toBe('Copilot CLI : the plugin is installed');
  });
});

describe('an installation in Copilot CLI', () => {
  it('adds the marketplace and each plugin and says so', async () => {
    const here = programs(copilot(withMemory(plugin('holdfast'), plugin('idle'))));
    const client = await look(installer, here);
    expect(await client.install(wishes(here), how(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Copilot CLI 1.0.102: installed holdfast, idle for all your projects.'],
    });
    expect(here.calls().slice(3)).toEqual([
      `copilot plugin marketplace add ${dist}`,
      'copilot plugin install holdfast@holdfast',
      'copilot plugin install idle@holdfast',
      `copilot ${LIST}`,
    ]);
  });

  it('says what is not as it should be afterwards', async () => {
    const here = programs(copilot(withMemory({ ...plugin('holdfast'), version: undefined })));
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: false,
      changed: true,
      lines: [
        'Copilot CLI 1.0.102: holdfast is version , not 0.6.0',
        'Copilot CLI 1.0.102: idle is not there after its installation',
      ],
    });
  });

  it('changes nothing where all is there', async () => {
    const all = listed(plugin('holdfast'), plugin('idle'));
    const here = programs(copilot({ [MARKETPLACES]: added, [LIST]: all }));
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: true,
      changed: false,
      lines: ['Copilot CLI 1.0.102: holdfast, idle for all your projects: installed already.'],
    });
  });

  it('only shows its commands in a dry run', async () => {
    const here = programs(copilot());
    const { lines, changed } = await (await look(installer, here)).install(wishes(here), how(here, true));
    expect(lines).toEqual([
      'Copilot CLI 1.0.102 would be changed by:',
      `  copilot plugin marketplace add ${dist}`,
      '  copilot plugin install holdfast@holdfast',
      '  copilot plugin install idle@holdfast',
    ]);
    expect(changed).toBe(false);
    expect(here.calls()).toHaveLength(3);
  });
});

describe('taking it out of Copilot CLI', () => {
  const there = (left: string): Doings => ({
    [MARKETPLACES]: added,
    [LIST]: `if [ -e "$HOME/gone" ]; then ${left}\nelse ${listed(plugin('holdfast'), plugin('idle'))}\nfi`,
    'plugin marketplace remove holdfast --force': 'touch "$HOME/gone"',
  });

  it('takes the core last of the plugins, tidies the settings and says what went', async () => {
    const here = programs(copilot(there('echo "[]"')));
    here.write('.copilot/settings.json', '{"theme":"dark","enabledPlugins":{"idle@holdfast":false}}');
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Copilot CLI 1.0.102: removed holdfast, idle.'],
    });
    expect(here.calls().slice(3)).toEqual([
      'copilot plugin uninstall idle@holdfast',
      'copilot plugin uninstall holdfast@holdfast',
      'copilot plugin marketplace remove holdfast --force',
      `copilot ${LIST}`,
    ]);
    expect(here.read('.copilot/settings.json')).toBe('{\n  "theme": "dark"\n}\n');
  });

  it('is not good where something is left', async () => {
    const here = programs(copilot(there(listed(plugin('idle')))));
    expect(await (await look(installer, here)).uninstall(removal(here))).toMatchObject({
      good: false,
      changed: true,
    });
  });

  it('names the marketplace where only that was there', async () => {
    const here = programs(copilot({ [MARKETPLACES]: added }));
    const { lines } = await (await look(installer, here)).uninstall(removal(here));
    expect(lines).toEqual(['Copilot CLI 1.0.102: removed the marketplace.']);
  });

  it('only shows its commands in a dry run, and leaves the settings', async () => {
    const here = programs(copilot(there('echo "[]"')));
    const settings = '{"enabledPlugins":{"idle@holdfast":false}}';
    here.write('.copilot/settings.json', settings);
    expect((await (await look(installer, here)).uninstall(removal(here, true))).changed).toBe(false);
    expect(here.calls()).toHaveLength(3);
    expect(here.read('.copilot/settings.json')).toBe(settings);
  });
});

describe('the settings that Copilot CLI leaves', () => {
  it.each([
    ['it cannot read', 'no JSON'],
    ['that are no object', '[1]'],
    ['with nothing of ours, in the user’s own layout', '{ "theme":"dark",\n"enabledPlugins":{"a@b":false} }'],
  ])('are left as they are where they are such %s', (_, text) => {
    const here = programs({});
    here.write('.copilot/settings.json', text);
    tidySettings(here.env);
    expect(here.read('.copilot/settings.json')).toBe(text);
  });

  it('need not be there', () => {
    const here = programs({});
    tidySettings(here.env);
    expect(() => here.read('.copilot/settings.json')).toThrow('ENOENT');
  });
});
