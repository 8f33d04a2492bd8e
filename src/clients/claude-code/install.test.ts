import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dist, how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Doings, type Programs, programs, says } from '../../../test/support/programs.ts';
import { installer } from './install.ts';

const LIST = 'plugin list --json';
const MARKETPLACES = 'plugin marketplace list --json';

const plugin = (name: string, more: object = {}) => ({
  ...{ id: `${name}@holdfast`, version: '0.6.0', scope: 'user', enabled: true },
  ...more,
});
const listed = (...plugins: object[]): string => says(JSON.stringify(plugins));
const added = says(JSON.stringify([{ name: 'holdfast', path: dist }]));
const claude = (more: Doings = {}): Record<string, Doings> => ({
  claude: {
    '--version': says('2.1.325 (Claude Code)'),
    [MARKETPLACES]: says('[]'),
    [LIST]: says('[]'),
    ...more,
  },
});
/** What the list says before and after the first call of `command`. */
const turning = (command: string, before: string, after: string): Doings => ({
  [LIST]: `if [ -e "$HOME/done" ]; then ${after}\nelse ${before}\nfi`,
  [command]: 'touch "$HOME/done"',
});

describe('a look at Claude Code', () => {
  it('finds nothing where it is not on PATH', async () => {
    expect(await installer.look(programs({}).project)).toBeNull();
  });

  it('finds what is there', async () => {
    const here = programs(claude({ [MARKETPLACES]: added, [LIST]: listed(plugin('idle')) }));
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
  });

  it('leaves out a plugin of a project that is gone', async () => {
    const gone = plugin('idle', { scope: 'project', projectPath: '/nonexistent' });
    expect(await look(installer, programs(claude({ [LIST]: listed(gone) })))).toMatchObject({
      hasPlugins: false,
    });
  });

  it('knows no folder where the marketplaces cannot be read', async () => {
    const here = programs(claude({ [MARKETPLACES]: says('{"a":1}') }));
    expect(await look(installer, here)).toMatchObject({ source: null });
  });

  it('says what it said when it refuses', async () => {
    const here = programs(claude({ [LIST]: 'echo "✘ out of order" >&2; exit 1' }));
    await expect(installer.look(here.project)).rejects.toMatchObject({
      name: 'ClientFailed',
      message: `\`claude ${LIST}\` failed: out of order`,
    });
  });
});

describe('an installation in Claude Code', () => {
  const install = `plugin install holdfast@holdfast --scope user`;

  it('says that all of it loaded', async () => {
    const here = programs(claude(turning(install, listed(), listed(plugin('holdfast'), plugin('idle')))));
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Claude Code 2.1.325: installed holdfast, idle for all your projects; all of it loaded.'],
    });
  });

  it('of one project says so, and what its shared settings name now', async () => {
    const here = programs({});
    const inProject = { scope: 'project', projectPath: here.project };
    const all = listed(plugin('holdfast', inProject), plugin('idle', inProject));
    const made = programs(claude(turning('plugin install holdfast@holdfast --scope project', listed(), all)));
    const wish = { ...wishes(here), scope: 'project' as const };
    expect(await (await look(installer, made)).install(wish, how(here))).toEqual({
      good: true,
      changed: true,
      lines: [
        `Claude Code 2.1.325: installed holdfast, idle for the project in ${here.project}; all of it loaded.`,
        `  .claude/settings.json now names ${dist}; others who share it need Holdfast at the same place.`,
      ],
    });
  });

  it('says nothing of shared settings where nothing changed', async () => {
    const here = programs({});
    const inProject = { scope: 'project', projectPath: here.project };
    const all = listed(plugin('holdfast', inProject), plugin('idle', inProject));
    const made = programs(claude({ [MARKETPLACES]: added, [LIST]: all }));
    const wish = { ...wishes(here), scope: 'project' as const };
    expect(await (await look(installer, made)).install(wish, how(here))).toEqual({
      good: true,
      changed: false,
      lines: [
        `Claude Code 2.1.325: holdfast, idle for the project in ${here.project}: installed already, and loaded.`,
      ],
    });
  });

  it('says nothing of shared settings where it did not load', async () => {
    const here = programs(claude());
    const wish = { ...wishes(here), scope: 'project' as const };
    const { lines, good } = await (await look(installer, here)).install(wish, how(here));
    expect(good).toBe(false);
    expect(lines).toEqual([
      'Claude Code 2.1.325: holdfast is not there after its installation',
      'Claude Code 2.1.325: idle is not there after its installation',
    ]);
  });

  it('can be shown in its status line', async () => {
    const here = programs(claude());
    const client = await look(installer, here);
    const file = path.join(here.home, '.claude/settings.json');
    expect(client.statusLine?.(how(here, true)).changed).toBe(false);
    expect(fs.existsSync(file)).toBe(false);
    expect(client.statusLine?.(how(here))).toMatchObject({ good: true, changed: true });
    expect(JSON.parse(here.read('.claude/settings.json'))).toEqual({
      statusLine: { type: 'command', command: 'holdfast status --line', refreshInterval: 5 },
    });
  });
});

describe('taking it out of Claude Code', () => {
  const last = 'plugin marketplace remove holdfast';
  const copies = '.claude/plugins/cache/holdfast';
  const there = (here: Programs) => [
    plugin('holdfast', { installPath: path.join(here.home, copies, 'holdfast/0.6.0') }),
    plugin('idle'),
  ];
  /** With a copy of the core, and whatever the list says in the end. */
  const machine = (...left: object[]): Programs => {
    const probe = programs({});
    const here = programs(
      claude({ [MARKETPLACES]: added, ...turning(last, listed(...there(probe)), listed(...left)) }),
    );
    here.write('.claude/plugins/cache/other/x', '');
    fs.mkdirSync(path.join(probe.home, copies, 'holdfast/0.6.0'), { recursive: true });
    fs.mkdirSync(path.join(probe.home, '.claude/plugins/cache/other'), { recursive: true });
    return { ...here, home: probe.home };
  };

  it('says what went, and removes the client’s own copies', async () => {
    const here = machine();
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Claude Code 2.1.325: removed holdfast, idle.'],
    });
    expect(fs.readdirSync(path.join(here.home, '.claude/plugins/cache'))).toEqual(['other']);
  });

  it('leaves the copies, and does not name it, where something is still there', async () => {
    const here = machine(plugin('idle'));
    const { lines } = await (await look(installer, here)).uninstall(removal(here));
    expect(lines).toEqual(['Claude Code 2.1.325: removed holdfast.']);
    expect(fs.existsSync(path.join(here.home, copies))).toBe(true);
  });

  it('is about that plugin in that scope and that project alone', async () => {
    const project = programs({}).project;
    const own = plugin('idle', { scope: 'project', projectPath: project });
    const here = programs(
      claude({ [MARKETPLACES]: added, ...turning(last, listed(own, plugin('idle')), listed(own)) }),
    );
    const { lines } = await (await look(installer, here)).uninstall(removal(here));
    expect(lines).toEqual(['Claude Code 2.1.325: removed idle.']);
  });

  it('removes no folder that is not the client’s own of copies', async () => {
    const probe = programs({});
    const elsewhere = plugin('holdfast', { installPath: path.join(probe.home, 'mine/holdfast/0.6.0') });
    const here = programs(claude({ [MARKETPLACES]: added, ...turning(last, listed(elsewhere), listed()) }));
    probe.write('mine/holdfast/0.6.0/x', '');
    expect((await (await look(installer, here)).uninstall(removal(here))).good).toBe(true);
    expect(probe.read('mine/holdfast/0.6.0/x')).toBe('');
  });

  const OURS = '{"statusLine":{"type":"command","command":"holdfast status --line"}}';

  it.each([
    ['all of it', null, true],
    ['the user’s', 'user', true],
    ['a project’s', 'project', false],
  ] as const)('takes our status line away with %s, if that is the user’s', async (_, scope, isTaken) => {
    const here = programs(claude());
    const file = here.write('.claude/settings.json', OURS);
    const { lines } = await (await look(installer, here)).uninstall({ ...removal(here), scope });
    const said = `Claude Code: took Holdfast's status line out of ${file}.`;
    expect(lines.slice(1)).toEqual(isTaken ? [said] : []);
    expect(here.read('.claude/settings.json')).toBe(isTaken ? '{}\n' : OURS);
  });

  it('only says that it would, in a dry run', async () => {
    const here = programs(claude());
    const file = here.write('.claude/settings.json', OURS);
    const { lines } = await (await look(installer, here)).uninstall(removal(here, true));
    expect(lines.at(-1)).toBe(`Claude Code: its status line in ${file} would be taken away.`);
    expect(here.read('.claude/settings.json')).toBe(OURS);
  });
});

describe('what doctor says of Claude Code', () => {
  const check = async (plugins: readonly object[], settings: string | null = null) => {
    const here = programs(claude({ [LIST]: listed(...plugins) }));
    const file = settings === null ? '' : here.write('.claude/settings.json', settings);
    return { file, findings: await (await look(installer, here)).check(how(here)) };
  };
  const fix = 'holdfast install --client claude';
  const absent = {
    ...{ result: 'bad', what: 'Claude Code 2.1.325: the Holdfast plugin is not installed in it' },
    ...{ fix, absent: true },
  };

  it('is that the plugin is installed and loaded', async () => {
    expect((await check([plugin('holdfast')])).findings).toEqual([
      { result: 'good', what: 'Claude Code 2.1.325: the plugin is installed and loaded', fix: null },
    ]);
  });

  it.each([
    ['nothing is there', []],
    ['all is disabled', [plugin('holdfast', { enabled: false }), plugin('idle', { enabled: false })]],
    ['only a workflow is there, and says nothing', [plugin('idle')]],
  ])('is that it is absent where %s', async (_, plugins) => {
    expect((await check(plugins)).findings).toEqual([absent]);
  });

  it('is each problem once', async () => {
    const broken = { errors: ['it is broken\nsecond line'] };
    const plugins = [
      plugin('holdfast', broken),
      plugin('holdfast', broken),
      plugin('idle', { errors: ['no core'] }),
    ];
    expect((await check(plugins)).findings).toEqual([
      { result: 'bad', what: 'Claude Code 2.1.325: holdfast did not load: it is broken', fix },
      { result: 'bad', what: 'Claude Code 2.1.325: idle did not load: no core', fix },
    ]);
  });

  it('is which settings switch all hooks off', async () => {
    const { file, findings } = await check([plugin('holdfast')], '{"disableAllHooks":true}');
    const what = `Claude Code 2.1.325 runs no hooks at all: ${file} has disableAllHooks`;
    expect(findings).toEqual([{ result: 'bad', what, fix: `remove disableAllHooks from ${file}` }]);
  });

  it.each(['{"disableAllHooks":false}', '[]', 'no JSON'])(
    'is good with the settings %s',
    async (settings) => {
      expect((await check([plugin('holdfast')], settings)).findings).toMatchObject([{ result: 'good' }]);
    },
  );
});
