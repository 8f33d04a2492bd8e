import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dist, how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Doings, type Programs, programs, says } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { readHookList } from './hooks.ts';
import { describeHooks, installer } from './install.ts';
import { codexPlugins, parseCodexPlugins, parseSource } from './plugins.ts';
import { talkToCodex } from './server.ts';
import { howToTrust, PRESS } from './words.ts';

const LIST = 'plugin list --json';
const MARKETPLACES = 'plugin marketplace list --json';
const text = (name: string): string => recordedLines(`plugins/codex/${name}.json`).join('\n');
const recorded = (name: string): string => says(text(name));

const plugin = (name: string, enabled = true) => ({
  pluginId: `${name}@holdfast`,
  version: '0.6.0',
  enabled,
});
const listed = (...installed: object[]): string => says(JSON.stringify({ installed }));

/** Answers the requests in their order with these results, then waits for its input to end. */
const serving = (...results: readonly unknown[]): string => {
  const answers = results.map((result, at) => JSON.stringify({ id: at + 1, ...(result as object) }));
  const cases = answers.map((answer, at) => `*'"id":${at + 1},'*) ${says(answer)}\n;;`);
  return `while read -r line; do printf '%s\\n' "$line" >>"$HOME/asked"; case $line in ${cases.join('\n')}\nesac; done`;
};
const STARTED = { result: {} };

const codex = (more: Doings = {}): Record<string, Doings> => ({
  codex: {
    '--version': says('codex-cli 0.166.0'),
    [MARKETPLACES]: recorded('marketplaces-none'),
    [LIST]: recorded('plugins-none'),
    'app-server': serving(STARTED, { result: JSON.parse(text('hooks-trusted')) }),
    ...more,
  },
});
const asked = (here: Programs): { method: string; params?: unknown }[] =>
  here
    .read('asked')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a look at Codex', () => {
  it('finds nothing where it is not on PATH', async () => {
    expect(await installer.look(programs({}).project)).toBeNull();
  });

  it('finds what is there', async () => {
    const here = programs(
      codex({ [MARKETPLACES]: recorded('marketplaces-added'), [LIST]: listed(plugin('idle')) }),
    );
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
  });

  it('finds none of ours', async () => {
    expect(await look(installer, programs(codex()))).toMatchObject({ source: null, hasPlugins: false });
  });

  it.each(['exit 1', says('{}')])(
    'does not ask for plugins where the marketplaces cannot be read',
    async (does) => {
      const here = programs(codex({ [MARKETPLACES]: does }));
      const client = await look(installer, here);
      expect(client).toMatchObject({ source: null, hasPlugins: false });
      expect(here.calls()).not.toContain(`codex ${LIST}`);
      expect(await client.check(how(here))).toEqual([
        {
          result: 'bad',
          what: 'Codex 0.166.0: the folder its plugins were installed from is gone',
          fix: 'holdfast install --client codex',
        },
      ]);
    },
  );

  it('says what it said when it refuses', async () => {
    await expect(
      installer.look(programs(codex({ '--version': 'echo no >&2; exit 1' })).project),
    ).rejects.toThrow('`codex --version` failed: no');
    await expect(
      installer.look(programs(codex({ [LIST]: 'echo no >&2; exit 1' })).project),
    ).rejects.toMatchObject({
      name: 'ClientFailed',
      message: `\`codex ${LIST}\` failed: no`,
    });
    await expect(codexPlugins(programs({}).project)).rejects.toThrow(`\`codex ${LIST}\` failed: not found`);
  });

  it('refuses what it cannot read', () => {
    expect(() => parseCodexPlugins('[]')).toThrow(
      '`codex plugin list --json` answered what Holdfast cannot read.',
    );
    expect(parseSource('[]')).toEqual({ kind: 'unreadable' });
    expect(parseCodexPlugins('{"installed":[{"pluginId":"a@b","version":"1","enabled":true}]}')).toEqual([]);
  });
});

describe('an installation in Codex', () => {
  const installed = {
    [MARKETPLACES]: recorded('marketplaces-added'),
    [LIST]: listed(plugin('holdfast'), plugin('idle')),
  };

  it('says what is not as it should be afterwards, and nothing of trust', async () => {
    const here = programs(codex({ ...installed, [LIST]: listed(plugin('holdfast', false)) }));
    expect(await (await look(installer, here)).install(wishes(here), how(here))).toEqual({
      good: false,
      changed: true,
      lines: [
        'Codex 0.166.0: holdfast is disabled',
        'Codex 0.166.0: idle is not there after its installation',
      ],
    });
    expect(here.calls()).not.toContain('codex app-server');
  });

  it('brings up to date, and says what Codex trusts', async () => {
    const here = programs(codex(installed));
    const { good, changed, lines } = await (await look(installer, here)).install(wishes(here), how(here));
    expect([good, changed]).toEqual([true, true]);
    expect(lines.slice(0, 2)).toEqual([
      'Codex 0.166.0: brought up to date holdfast, idle for all your projects.',
      '  Codex trusts its hooks:',
    ]);
    expect(lines).toHaveLength(5);
  });

  it('installs where one of them was missing', async () => {
    const here = programs(
      codex({
        [MARKETPLACES]: recorded('marketplaces-added'),
        [LIST]: `if [ -e "$HOME/done" ]; then ${listed(plugin('holdfast'), plugin('idle'))}\nelse ${listed(plugin('idle'))}\nfi`,
        'plugin add holdfast@holdfast': 'touch "$HOME/done"',
      }),
    );
    const { lines } = await (await look(installer, here)).install(wishes(here), how(here));
    expect(lines[0]).toBe('Codex 0.166.0: installed holdfast, idle for all your projects.');
  });

  it.each([
    [false, true],
    [true, false],
  ])('says why the trust cannot be read; with --trust %s that is good: %s', async (trust, good) => {
    const here = programs(codex({ ...installed, 'app-server': 'exit 1' }));
    const outcome = await (await look(installer, here)).install(wishes(here), { ...how(here), trust });
    expect(outcome.good).toBe(good);
    expect(outcome.lines.slice(1)).toEqual([
      '  Whether Codex trusts its hooks could not be read: Codex did not answer initialize: `codex app-server` ended.',
      `  To trust them: ${PRESS}.`,
    ]);
  });

  it('shows in a dry run what it would trust, where that is asked for', async () => {
    const here = programs(codex());
    const client = await look(installer, here);
    const planned = [
      'Codex 0.166.0 would be changed by:',
      `  codex plugin marketplace add ${dist}`,
      '  codex plugin add holdfast@holdfast',
      '  codex plugin add idle@holdfast',
    ];
    expect((await client.install(wishes(here), how(here, true))).lines).toEqual(planned);
    expect((await client.install(wishes(here), { ...how(here, true), trust: true })).lines).toEqual([
      ...planned,
      '  then the hooks it lists for holdfast@holdfast would be trusted',
    ]);
    expect(here.calls()).toHaveLength(3);
  });

  it('trusts those hooks alone that are not, each as Codex shows it', async () => {
    const untrusted = JSON.parse(text('hooks-untrusted'));
    const trusted = { result: JSON.parse(text('hooks-trusted')) };
    untrusted.data[0].hooks[0].trustStatus = 'managed';
    untrusted.data[0].hooks[1].trustStatus = 'modified';
    const server = serving(STARTED, { result: untrusted }, { result: {} }, trusted);
    const here = programs(codex({ ...installed, 'app-server': server }));
    const outcome = await (await look(installer, here)).install(wishes(here), { ...how(here), trust: true });
    expect(outcome.good).toBe(true);
    const { hooks } = readHookList(untrusted);
    const requests = asked(here);
    expect(requests.map(({ method }) => method)).toEqual([
      ...['initialize', 'initialized', 'hooks/list', 'config/batchWrite', 'hooks/list'],
    ]);
    expect(requests[2]?.params).toEqual({ cwds: [here.project] });
    expect(requests[3]?.params).toEqual({
      edits: [
        {
          keyPath: 'hooks.state',
          value: Object.fromEntries(hooks.slice(1).map(({ key, hash }) => [key, { trusted_hash: hash }])),
          mergeStrategy: 'upsert',
        },
      ],
      reloadUserConfig: true,
    });
  });

  it('writes nothing where all is trusted', async () => {
    const trusted = { result: JSON.parse(text('hooks-trusted')) };
    const here = programs(codex({ ...installed, 'app-server': serving(STARTED, trusted, trusted) }));
    await (await look(installer, here)).install(wishes(here), { ...how(here), trust: true });
    expect(asked(here).map(({ method }) => method)).not.toContain('config/batchWrite');
  });
});

describe('what is said of the hooks of Codex', () => {
  const { hooks } = readHookList(JSON.parse(text('hooks-trusted')));
  const said = (trust: boolean, ...list: typeof hooks) =>
    describeHooks({ hooks: list, problems: [] }, { trust, cli: 'holdfast' });
  const [first, second] = hooks;
  if (first === undefined || second === undefined) throw new Error('the recording has three');
  const shown = (hook: typeof first, label: string): string => `    ${label.padEnd(12)}  ${hook.command}`;

  it('is which are switched off, and that it is not good then', () => {
    expect(said(false, { ...first, enabled: false }, second)).toEqual({
      good: false,
      lines: [
        '  Codex trusts its hooks:',
        shown(first, 'PreCompact'),
        shown(second, 'SessionStart'),
        '  Switched off in Codex: PreCompact. /hooks turns them on.',
      ],
    });
  });

  it.each(['untrusted', 'modified'] as const)('is how to trust what is %s', (trust) => {
    const { good, lines } = said(false, { ...first, trust, enabled: false });
    expect(good).toBe(true);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(
      '  Codex does not run these hooks until you trust them; they run outside its sandbox:',
    );
    expect(lines[1]).toBe(shown(first, 'PreCompact'));
    expect(lines[2]).toBe(`  To trust them: ${howToTrust('holdfast')}`);
    expect(lines[3]).toBe('  Switched off in Codex: PreCompact. /hooks turns them on.');
    expect(said(true, { ...first, trust })).toEqual({
      good: false,
      lines: ['  Codex did not take the trust in its hooks:', shown(first, 'PreCompact')],
    });
  });
});

describe('what Codex answers of its hooks', () => {
  it('is refused where it cannot be read', () => {
    expect(() => readHookList({ data: [{}] })).toThrow(
      'Codex answered hooks/list with what Holdfast cannot read.',
    );
  });

  it('has the warnings and errors about our own files alone', () => {
    const file = '/home/dev/.codex/plugins/cache/holdfast/holdfast/0.1.0/hooks/hooks.json';
    const errors = [
      { path: file, message: 'no hooks' },
      { path: '/x/other.json', message: 'broken' },
    ];
    const answer = { data: [{ hooks: [], warnings: [`${file} is odd`, 'odd'], errors }, { hooks: [] }] };
    expect(readHookList(answer)).toEqual({ hooks: [], problems: [`${file} is odd`, `${file}: no hooks`] });
  });
});

describe('taking it out of Codex', () => {
  const there = {
    [MARKETPLACES]: recorded('marketplaces-added'),
    [LIST]: listed(plugin('idle'), plugin('holdfast')),
  };
  const config = (state: object) => ({
    result: {
      layers: [
        { name: { type: 'system' }, config: { hooks: { state: { 'holdfast@holdfast:x': {} } } } },
        { name: { type: 'user' }, config: { hooks: { state } } },
      ],
    },
  });
  const edits = (here: Programs): unknown =>
    asked(here).find(({ method }) => method === 'config/batchWrite')?.params ?? null;

  it('withdraws the trust with it, removes the empty folder of its copies, and says so', async () => {
    const server = serving(STARTED, config({ 'holdfast@holdfast:hooks/hooks.json:stop:0:0': {} }), {
      result: {},
    });
    const here = programs(codex({ ...there, 'app-server': server }));
    const cache = path.join(here.home, '.codex/plugins/cache/holdfast');
    fs.mkdirSync(cache, { recursive: true });
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Codex 0.166.0: removed idle, holdfast, and the trust in its hooks.'],
    });
    expect(fs.existsSync(cache)).toBe(false);
    expect(edits(here)).toEqual({
      edits: [{ keyPath: 'hooks.state', value: null, mergeStrategy: 'replace' }],
      reloadUserConfig: true,
    });
  });

  it('leaves the trust in hooks of others', async () => {
    const state = { 'holdfast@holdfast:a': {}, 'other@x:a': {}, 'holdfast@holdfastly:b': {} };
    const here = programs(codex({ ...there, 'app-server': serving(STARTED, config(state), { result: {} }) }));
    await (await look(installer, here)).uninstall(removal(here));
    expect(edits(here)).toMatchObject({
      edits: [{ keyPath: 'hooks.state."holdfast@holdfast:a"', value: null }],
    });
  });

  it.each([{ layers: 'none' }, { layers: [7, { name: 'user' }, { name: { type: 'user' } }] }, null, {}])(
    'needs no trust to withdraw: %j',
    async (result) => {
      const here = programs(codex({ ...there, 'app-server': serving(STARTED, { result }) }));
      expect((await (await look(installer, here)).uninstall(removal(here))).good).toBe(true);
      expect(edits(here)).toBeNull();
    },
  );

  it('says where the trust is left when Codex refuses', async () => {
    const refusal = { error: { code: -1, message: 'read-only file' } };
    const here = programs(codex({ ...there, 'app-server': serving(STARTED, refusal) }));
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: false,
      changed: true,
      lines: [
        'Codex 0.166.0: removed idle, holdfast.',
        "  The trust in its hooks is still in Codex's config.toml, under [hooks.state]: Codex refused config/read: read-only file",
      ],
    });
  });

  it('names the marketplace where only that was there, and nothing where nothing was', async () => {
    const only = programs(
      codex({ ...there, [LIST]: listed(), 'app-server': serving(STARTED, { result: {} }) }),
    );
    expect((await (await look(installer, only)).uninstall(removal(only))).lines).toEqual([
      'Codex 0.166.0: removed the marketplace, and the trust in its hooks.',
    ]);
    const none = programs(codex());
    expect(await (await look(installer, none)).uninstall(removal(none))).toEqual({
      good: true,
      changed: false,
      lines: ['Codex 0.166.0: nothing of Holdfast is installed there.'],
    });
  });

  it('only shows its commands in a dry run', async () => {
    const here = programs(codex(there));
    const { lines, changed } = await (await look(installer, here)).uninstall(removal(here, true));
    expect(lines).toHaveLength(4);
    expect(changed).toBe(false);
    expect(here.calls()).toHaveLength(3);
  });
});

describe('what doctor says of Codex', () => {
  const check = async (more: Doings) => {
    const here = programs(codex({ [MARKETPLACES]: recorded('marketplaces-added'), ...more }));
    return (await look(installer, here)).check(how(here));
  };
  const fix = 'holdfast install --client codex';

  it('is that it is absent, or switched off, or trusted', async () => {
    const what = 'Codex 0.166.0: the Holdfast plugin is not installed in it';
    expect(await check({ [LIST]: listed(plugin('idle')) })).toEqual([
      { result: 'bad', what, fix, absent: true },
    ]);
    expect(await check({ [LIST]: listed(plugin('holdfast', false)) })).toEqual([
      { result: 'bad', what: 'Codex 0.166.0: the plugin is switched off', fix },
    ]);
    expect(await check({ [LIST]: listed(plugin('holdfast')) })).toEqual([
      { result: 'good', what: 'Codex 0.166.0: the plugin is installed and its hooks are trusted', fix: null },
    ]);
  });
});

describe('a talk with Codex’s app-server', () => {
  const talk = (server: string | null) => {
    const here = programs(server === null ? {} : { codex: { 'app-server': server } });
    return talkToCodex(here.project, (ask) => ask('some/thing', { a: 1 }));
  };

  it('gives the answer, whatever else it says in between', async () => {
    const noise = says(
      'no JSON\n[]\n{"id":"1","result":0}\n{"id":1,"method":"ask/you"}\n{"id":77,"result":0}',
    );
    expect(await talk(`${noise}\n${serving(STARTED, { result: { b: 2 } })}`)).toEqual({ b: 2 });
  });

  it.each([
    [{ error: { message: 'not you' } }, 'Codex refused some/thing: not you'],
    [{ error: { code: 7 } }, 'Codex refused some/thing: {"code":7}'],
    [{ error: 'no' }, 'Codex refused some/thing: "no"'],
  ])('fails with what it was refused for: %j', async (answer, message) => {
    await expect(talk(serving(STARTED, answer))).rejects.toMatchObject({ name: 'ClientFailed', message });
  });

  it('fails where it ends before it answers', async () => {
    await expect(talk('read -r line; exit 0')).rejects.toMatchObject({
      name: 'ClientFailed',
      message: 'Codex did not answer initialize: `codex app-server` ended.',
    });
  });

  it('fails where there is no such program', async () => {
    await expect(talk(null)).rejects.toMatchObject({
      name: 'ClientFailed',
      message: 'Codex did not answer initialize: `codex app-server` is not running.',
    });
  });

  it('takes an answer in parts', async () => {
    const parts = `read -r line; printf '{"id":1,"res'; sleep 0.05; printf 'ult":{}}\\n'; ${serving({}, { result: 'x' })}`;
    expect(await talk(parts)).toBe('x');
  });
});
