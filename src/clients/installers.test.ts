// What becomes of a user's machine where Holdfast is put into a client, checked and taken out again: what is said, which of
// the client's commands are called, which files are there afterwards. A file for each client: golden/install-CLIENT.txt.
// A small program stands for the client; it lists what `.fake` holds, and what `.fake/after` holds once it was changed.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dist, how, removal, wishes } from '../../test/support/installing.ts';
import { type Doings, type Programs, programs, says } from '../../test/support/programs.ts';
import { recordedLines } from '../../test/support/recorded.ts';
import { clientNamed } from './index.ts';
import type { FoundClient, Outcome, Scope } from './installer.ts';

type Lists = { list?: string; marketplaces?: string; hooks?: string; trusted?: string; config?: string };
type Scene = {
  /** In their order: `dry install`, `uninstall of project`, … Each begins with a look. */
  acts: string;
  before?: Lists;
  after?: Lists;
  files?: Readonly<Record<string, string>>;
  does?: Doings;
  plugins?: readonly string[];
  version?: string;
  from?: string;
};
type Fake = {
  version: string;
  list?: string;
  marketplaces?: string;
  none?: Lists;
  /** Its marketplace is a folder that is there. */
  isReal?: true;
  does?: Doings;
  scenes: Readonly<Record<string, Scene>>;
};

const j = (value: unknown): string => JSON.stringify(value);
const recorded = (name: string): string => recordedLines(`plugins/${name}`).join('\n');
const FAILS = 'echo out; echo "✘ out of order" >&2; exit 1';
const OFF = '{"disableAllHooks":true}';
const NO_SETTINGS = ['{"disableAllHooks":false}', '{"disableAllHooks":"true"}', '[]', 'no JSON'];

const claudePlugin = (name: string, more: object = {}): object => ({
  ...{ id: `${name}@holdfast`, version: '0.6.0', scope: 'user', enabled: true, ...more },
});
const claudeList = (...plugins: object[]): Lists => ({
  list: j(plugins),
  marketplaces: j([{ name: 'holdfast', path: dist }]),
});
const both = (more: object = {}): object[] => [claudePlugin('holdfast', more), claudePlugin('idle', more)];
const OUR_LINE = '{"statusLine":{"type":"command","command":"holdfast status --line"}}';
const inProject = { scope: 'project', projectPath: 'PROJECT' };
const claudeCopies = { installPath: 'HOME/.claude/plugins/cache/holdfast/holdfast/0.6.0' };
const CLAUDE: Fake = {
  ...{
    version: '2.1.325 (Claude Code)',
    list: 'plugin list --json',
    marketplaces: 'plugin marketplace list --json',
  },
  none: { list: '[]', marketplaces: '[]' },
  scenes: {
    'nothing is there': {
      acts: 'dry install, install, dry uninstall, uninstall, check, line, line',
      after: claudeList(...both()),
    },
    'nothing loads': {
      acts: 'install, project install',
      after: claudeList(claudePlugin('idle', { errors: ['no core\nsecond'] })),
    },
    'all is there': { acts: 'install, check, uninstall', before: claudeList(...both()), after: claudeList() },
    'all but the marketplace is as recorded': {
      acts: 'install',
      before: { list: recorded('claude-code/plugins-installed-2.1.325.json') },
    },
    'one is disabled, one is older': {
      acts: 'dry install, check',
      before: claudeList(
        claudePlugin('holdfast', { version: '0.5.0' }),
        claudePlugin('idle', { enabled: false }),
      ),
    },
    'the marketplace lies elsewhere': {
      acts: 'dry install',
      before: claudeList(...both()),
      from: '/new/place',
    },
    'it is there for the user, and wanted for the project': {
      acts: 'project install',
      before: claudeList(...both()),
      after: claudeList(...both(inProject)),
    },
    'it is there for the project': {
      acts: 'project install, uninstall of user, uninstall of project',
      before: claudeList(...both(inProject)),
      after: claudeList(),
    },
    'it is there for another project': {
      acts: 'dry install, dry uninstall',
      before: claudeList(...both({ scope: 'project', projectPath: '/tmp' })),
    },
    'it is there twice': {
      acts: 'dry uninstall of project, dry uninstall',
      before: claudeList(...both(), ...both(inProject)),
    },
    'it is there for a project that is gone': {
      acts: 'check, dry uninstall',
      before: claudeList(claudePlugin('idle', { scope: 'project', projectPath: '/nonexistent' })),
    },
    'one is left in the end': {
      acts: 'uninstall',
      before: claudeList(...both(claudeCopies)),
      after: claudeList(claudePlugin('idle')),
      files: { '.claude/plugins/cache/holdfast/holdfast/0.6.0/x': '' },
    },
    'its copies are there': {
      acts: 'uninstall',
      before: claudeList(...both(claudeCopies)),
      after: { list: '[]' },
      files: { '.claude/plugins/cache/holdfast/holdfast/0.6.0/x': '', '.claude/plugins/cache/other/x': '' },
    },
    'copies are not where it keeps them': {
      acts: 'uninstall',
      before: claudeList(claudePlugin('holdfast', { installPath: 'HOME/mine/holdfast/0.6.0' })),
      after: { list: '[]' },
      files: { 'mine/holdfast/0.6.0/x': '' },
    },
    'our status line is there': {
      acts: 'dry uninstall, uninstall of project, uninstall of user',
      files: { '.claude/settings.json': OUR_LINE },
    },
    'plugins did not load': {
      acts: 'check',
      before: claudeList(...both({ errors: ['it is broken\nsecond'] }), ...both({ errors: [] })),
    },
    'plugins did not load, as recorded': {
      acts: 'check',
      before: { list: recorded('claude-code/plugins-marketplace-gone.json') },
    },
    'a dependency is missing, as recorded': {
      acts: 'check, dry install',
      before: { list: recorded('claude-code/plugins-unmet-dependency.json') },
    },
    'only a workflow is there': {
      acts: 'check',
      before: claudeList(claudePlugin('idle')),
      files: { '.claude/settings.json': OFF },
    },
    'hooks are switched off by the user': {
      acts: 'check',
      before: claudeList(...both()),
      files: { '.claude/settings.json': OFF },
    },
    'hooks are switched off in the project': {
      acts: 'check',
      before: claudeList(...both()),
      files: { '../project/.claude/settings.local.json': OFF },
    },
    'another marketplace has such a plugin': {
      acts: 'check',
      before: { list: j([claudePlugin('holdfast', { id: 'holdfast@elsewhere' })]) },
    },
    'its lists cannot be read': { acts: 'check', before: { marketplaces: '{"a":1}' } },
    'its plugins cannot be read': { acts: 'check', before: { list: '{"plugins":[]}' } },
    'it refuses': { acts: 'check', does: { 'plugin list --json': FAILS } },
    'it refuses a step': {
      acts: 'install',
      does: { 'plugin install holdfast@holdfast --scope user': FAILS },
    },
    ...Object.fromEntries(
      NO_SETTINGS.map((text) => [
        `its settings are ${text}`,
        { acts: 'check', before: claudeList(...both()), files: { '.claude/settings.json': text } },
      ]),
    ),
  },
};

const copilotPlugin = (name: string, more: object = {}): object => ({
  ...{ name, marketplace: 'holdfast', version: '0.6.0', enabled: true, ...more },
});
const copilotList = (plugins: readonly object[], source = dist): Lists => ({
  list: j(plugins),
  marketplaces: j([
    { name: 'awesome', source: 'GitHub: x/y' },
    { name: 'holdfast', source: `Local: ${source}` },
  ]),
});
const copilotBoth = [copilotPlugin('holdfast'), copilotPlugin('idle')];
const LEFT = '{"theme":"dark","enabledPlugins":{"idle@holdfast":false}}';
const COPILOT: Fake = {
  ...{
    version: 'GitHub Copilot CLI 1.0.102.\nRun it.',
    list: 'plugin list --json',
    marketplaces: 'plugin marketplace list --json',
  },
  none: { list: '[]', marketplaces: '[]' },
  scenes: {
    'nothing is there': {
      acts: 'dry install, install, dry uninstall, uninstall, check',
      after: copilotList(copilotBoth),
    },
    'all is there': {
      acts: 'install, check, dry uninstall, uninstall',
      before: copilotList(copilotBoth),
      after: { list: '[]' },
      files: { '.copilot/settings.json': LEFT },
    },
    'one is missing': { acts: 'dry install', before: copilotList([copilotPlugin('holdfast')]) },
    'the marketplace lies elsewhere': { acts: 'dry install', before: copilotList(copilotBoth, '/old') },
    'another version comes': {
      acts: 'install',
      after: copilotList([copilotPlugin('holdfast', { version: undefined })]),
    },
    'one is left in the end': {
      acts: 'uninstall',
      before: copilotList(copilotBoth),
      after: copilotList([copilotPlugin('idle')]),
    },
    'only the marketplace is there': { acts: 'uninstall', before: copilotList([]) },
    'only a workflow is there': { acts: 'check', before: copilotList([copilotPlugin('idle')]) },
    'the core is switched off': {
      acts: 'check',
      before: copilotList([copilotPlugin('holdfast', { enabled: false })]),
    },
    'it is of another marketplace': {
      acts: 'check',
      before: copilotList([copilotPlugin('holdfast', { marketplace: 'other' })]),
    },
    'its lists cannot be read': { acts: 'check', before: { marketplaces: 'no JSON' } },
    'its plugins cannot be read': { acts: 'check', before: { list: '{}' } },
    'it refuses': { acts: 'check', does: { 'plugin marketplace list --json': FAILS } },
    'it names no version': {
      acts: 'check',
      before: copilotList(copilotBoth),
      does: { '--version': says('a nightly build') },
    },
  },
};

const codexHooks = (name: string): string => j(JSON.parse(recorded(`codex/hooks-${name}.json`)));
const codexPlugin = (name: string, enabled = true): object => ({
  pluginId: `${name}@holdfast`,
  version: '0.6.0',
  enabled,
});
const codexList = (...installed: object[]): Lists => ({
  list: j({ installed }),
  marketplaces: recorded('codex/marketplaces-added.json'),
});
const codexBoth = codexList(codexPlugin('holdfast'), codexPlugin('idle'));
const codexConfig = (state: object): Lists => ({
  config: j({ layers: [{ name: { type: 'user' }, config: { hooks: { state } } }] }),
});
const CACHE = '.codex/plugins/cache/holdfast/holdfast';
const CODEX: Fake = {
  ...{
    version: 'codex-cli 0.166.0',
    list: 'plugin list --json',
    marketplaces: 'plugin marketplace list --json',
  },
  none: {
    ...{ list: recorded('codex/plugins-none.json'), marketplaces: recorded('codex/marketplaces-none.json') },
    ...{ hooks: codexHooks('trusted'), config: '{}' },
  },
  does: {
    'app-server': `while read -r line; do
      id=\${line#*\\"id\\":}; id=\${id%%,*}; said='{}'
      case $line in
        *initialize*) ;;
        *hooks/list*) said=$(cat "$HOME/.fake/hooks") ;;
        *config/read*) said=$(cat "$HOME/.fake/config") ;;
        *) printf '%s\\n' "$line" >>"$HOME/written"; [ ! -e "$HOME/.fake/trusted" ] || cp "$HOME/.fake/trusted" "$HOME/.fake/hooks" ;;
      esac
      case $line in *'"id"'*) printf '{"id":%s,"result":%s}\\n' "$id" "$said" ;; esac
    done`,
  },
  scenes: {
    'nothing is there': { acts: 'dry install, trusting dry install, check, install', after: codexBoth },
    'nothing comes': { acts: 'install, dry uninstall, uninstall' },
    'all is there': { acts: 'dry install, install, dry uninstall, check', before: codexBoth },
    'one was missing': { acts: 'install', before: codexList(codexPlugin('idle')), after: codexBoth },
    'one is disabled': { acts: 'install', before: codexList(codexPlugin('holdfast', false)) },
    'the core is disabled': { acts: 'check', before: codexList(codexPlugin('holdfast', false)) },
    'only a workflow is there': { acts: 'check', before: codexList(codexPlugin('idle')) },
    'the marketplace lies elsewhere': { acts: 'dry install', before: codexBoth, from: '/elsewhere' },
    'the folder of the marketplace is gone': {
      acts: 'dry install, dry uninstall of known, check',
      does: { 'plugin marketplace list --json': 'exit 1' },
    },
    'its marketplaces cannot be read': { acts: 'dry install, check', before: { marketplaces: '{}' } },
    'its plugins cannot be read': { acts: 'check', before: { list: '[]' } },
    'it refuses to list': { acts: 'check', does: { 'plugin list --json': FAILS } },
    'it refuses to tell its version': { acts: 'check', does: { '--version': FAILS } },
    'its hooks are not trusted': {
      acts: 'install, check',
      before: { ...codexBoth, hooks: codexHooks('untrusted') },
    },
    'its hooks are trusted by us': {
      acts: 'trusting install, trusting install',
      before: { ...codexBoth, hooks: codexHooks('modified'), trusted: codexHooks('trusted') },
    },
    'it does not take the trust': {
      acts: 'trusting install',
      before: { ...codexBoth, hooks: codexHooks('untrusted') },
    },
    'it does not answer': {
      acts: 'install, trusting install, uninstall',
      before: codexBoth,
      does: { 'app-server': 'exit 1' },
    },
    'the trust is withdrawn': {
      acts: 'uninstall',
      before: { ...codexBoth, ...codexConfig({ 'holdfast@holdfast:hooks/hooks.json:stop:0:0': {} }) },
      does: { 'plugin remove idle@holdfast': 'mkdir -p "$HOME/.codex/plugins/cache/holdfast"' },
    },
    'the trust in hooks of others stays': {
      acts: 'uninstall',
      before: {
        ...codexBoth,
        ...codexConfig({ 'holdfast@holdfast:a': {}, 'other@x:a': {}, 'holdfast@holdfastly:b': {} }),
      },
    },
    'only the marketplace is there': { acts: 'uninstall', before: codexList() },
    'older versions of it are open in sessions': {
      acts: 'install',
      before: codexBoth,
      files: Object.fromEntries(
        ['0.1.0', '0.2.0', '0.3.0', '0.5.9', '0.7.0'].map((version) => [`${CACHE}/${version}/x`, version]),
      ),
      does: {
        'plugin add holdfast@holdfast': `rm -r "$HOME/${CACHE}"; mkdir -p "$HOME/${CACHE}/0.6.0"; echo new >"$HOME/${CACHE}/0.6.0/x"`,
      },
    },
  },
};

const droidList = (text: string, from = 'dist', folder = dist): Lists => ({
  list: text,
  marketplaces: `  other  (1 plugin)  local:/o  "other"\n  ${from}  (5 plugins)  local:${folder}  "holdfast"`,
});
const droidBoth = {
  list: recorded('droid/plugins-installed.txt'),
  marketplaces: recorded('droid/marketplaces-added.txt'),
};
const DROID: Fake = {
  ...{ version: ' 0.225.2 ', list: 'plugin list --scope user', marketplaces: 'plugin marketplace list' },
  none: { list: recorded('droid/plugins-none.txt'), marketplaces: recorded('droid/marketplaces-none.txt') },
  does: {
    '*': 'if [ -d "$HOME/.fake/after" ]; then cp "$HOME/.fake/after/"* "$HOME/.fake/"; echo "{}" >"$HOME/.factory/settings.json"; fi',
  },
  scenes: {
    'nothing is there': {
      acts: 'dry install, check, install',
      after: droidBoth,
      files: { '.factory/settings.json': '{ /* mine */ }' },
    },
    'nothing comes': { acts: 'install, dry uninstall, uninstall, check' },
    'all is there': {
      acts: 'install, check, dry uninstall',
      before: droidBoth,
      files: { '.factory/settings.json': '{}' },
    },
    'it goes, and the settings come back': {
      acts: 'uninstall',
      before: droidBoth,
      files: {
        '.factory/settings.json': '{"a":1,"enabledPlugins":{}}',
        '.local/state/holdfast/droid-settings.json': '{ "a": 1, /* mine */ }',
      },
    },
    'more is there than is wanted': {
      acts: 'dry install',
      before: droidList('Active:\n  holdfast@dist  [user]  1\n  other@dist  [user]  1'),
    },
    'the marketplace has another name': { acts: 'dry install', before: droidList('', 'mine') },
    'it came from another folder': {
      acts: 'install',
      before: droidList('Active:\n  idle@alt  [user]  1\n  x@alt  [user]  1', 'alt', '/old/alt'),
      after: droidBoth,
      files: { '.factory/settings.json': '{}' },
    },
    'only the marketplace is there': { acts: 'uninstall', before: droidList('') },
    'a plugin is of another marketplace': {
      acts: 'check, dry uninstall',
      before: droidList('Active:\n  holdfast@other  [user]  11db445'),
    },
    'some are switched off': {
      acts: 'check, install',
      before: droidList(
        'Active:\n  holdfast@dist  [user]  1\nDisabled:\n  idle@dist  [user]  1\n  b-c@dist  [user]  1',
      ),
    },
    'it refuses': { acts: 'check', does: { 'plugin marketplace list': FAILS } },
    'it refuses to list': { acts: 'check', does: { 'plugin list --scope user': 'exit 1' } },
  },
};

const GEMINI_TWO = recorded('gemini/extensions-installed.txt');
const geminiList = (edit: (text: string) => string): Lists => ({
  list: edit(GEMINI_TWO).replaceAll(dist, 'FOLDER'),
});
const geminiBoth = geminiList((text) => text);
const GEMINI: Fake = {
  ...{ version: '0.61.0', list: 'extensions list --output-format json', none: { list: '[]' }, isReal: true },
  does: {
    'extensions list --output-format json': '{ echo "[Routing] a word"; cat "$HOME/.fake/list"; } >&2',
    '*': 'echo "$GEMINI_CLI_TRUST_WORKSPACE" >>"$HOME/trusted"; if [ -d "$HOME/.fake/after" ]; then cp "$HOME/.fake/after/"* "$HOME/.fake/"; fi',
  },
  scenes: {
    'nothing is there': { acts: 'dry install, install', after: geminiBoth },
    'nothing comes': { acts: 'install, dry uninstall, uninstall, check' },
    'all is there': { acts: 'install, check, dry uninstall, uninstall', before: geminiBoth },
    'it is older': { acts: 'dry install', before: geminiBoth, version: '0.7.0' },
    'one is switched off': {
      acts: 'dry install, check, install',
      before: geminiList((text) =>
        text.replace(/("name": "holdfast-idle",[\s\S]*?"isActive": )true/, '$1false'),
      ),
    },
    'one came from another folder': {
      acts: 'dry install, uninstall',
      before: geminiList((text) =>
        text.replaceAll(`${dist}/gemini/holdfast-idle`, '/old/dist/gemini/holdfast-idle'),
      ),
    },
    'its hooks did not load': {
      acts: 'check, install',
      before: geminiList((text) => text.replaceAll('AfterAgent', 'BeforeAgent')),
    },
    'another’s have our names': {
      acts: 'check, dry uninstall',
      before: geminiList((text) => text.replaceAll(`${dist}/gemini`, '/home/dev/else')),
    },
    'another’s have other names': {
      acts: 'check, dry uninstall',
      before: geminiList((text) =>
        text.replaceAll('holdfast-idle', 'holdfastness').replaceAll(/holdfast(?=[",])/g, 'my-holdfast'),
      ),
    },
    'hooks are switched off': {
      acts: 'check',
      before: geminiBoth,
      files: { '.gemini/settings.json': '{"hooksConfig":{"enabled":false}}' },
    },
    ...Object.fromEntries(
      ['{"hooksConfig":{"enabled":0}}', '{"hooksConfig":{}}', '{"hooksConfig":false}', '[]', '{'].map(
        (text) => [
          `its settings are ${text}`,
          { acts: 'check', before: geminiBoth, files: { '.gemini/settings.json': text } },
        ],
      ),
    ),
    'its list cannot be read': { acts: 'check', before: { list: '[\n  {"name": 1}\n]' } },
    'its list is none': { acts: 'check', before: { list: '{}' } },
    'it refuses': { acts: 'check', does: { 'extensions list --output-format json': FAILS } },
  },
};

const COPY = `name=$(basename "$3"); to="$HOME/.qwen/extensions/$name"; mkdir -p "$to" && cp -r "$3/." "$to"
echo "{\\"source\\":\\"$3\\"}" >"$to/.qwen-extension-install.json"`;
const qwenState = (core: object): Scene => ({
  acts: 'install, check',
  files: {
    '.qwen/extension-store/state.json': j({
      extensions: { a: { name: 'other', defaultActivation: 'disabled' }, b: { name: 'holdfast', ...core } },
    }),
  },
});
const QWEN: Fake = {
  ...{ version: 'a first line\n0.24.4', isReal: true },
  does: { '*': `case $2 in install) ${COPY} ;; uninstall) rm -r "$HOME/.qwen/extensions/$3" ;; esac` },
  scenes: {
    'nothing is there': {
      acts: 'dry install, install, install, check, dry uninstall, uninstall, uninstall, check',
    },
    'nothing comes': { acts: 'install', does: { '*': '' } },
    'one does not go': { acts: 'install, uninstall', does: { 'extensions uninstall idle': 'true' } },
    'a copy differs': {
      acts: 'install, spoil, install',
      files: { spoiled: '.qwen/extensions/holdfast/hooks/stop' },
    },
    'a copy differs, and stays so': {
      acts: 'install, spoil, install',
      files: { spoiled: '.qwen/extensions/holdfast/hooks/stop' },
      does: {
        'extensions uninstall holdfast': 'touch "$HOME/stays"',
        '*': `[ -e "$HOME/stays" ] || { ${COPY}\n}`,
      },
    },
    'its files are gone': {
      acts: 'install, remove, check',
      files: { removed: '.qwen/extensions/holdfast/hooks/stop' },
    },
    'its copy does not say where it is from': {
      acts: 'uninstall',
      files: { '.qwen/extensions/holdfast/.claude-plugin/plugin.json': '{"name":"holdfast"}' },
    },
    'somebody else’s have names of ours': {
      acts: 'dry uninstall',
      files: {
        '.qwen/extensions/idle/qwen-extension.json': '{"name":"idle"}',
        '.qwen/extensions/other/.claude-plugin/plugin.json': '{"name":"idle"}',
        '.qwen/extensions/broken/.claude-plugin/plugin.json': '{',
      },
    },
    'hooks are switched off by the user': { acts: 'install, check', files: { '.qwen/settings.json': OFF } },
    'hooks are switched off in the project': {
      acts: 'install, check',
      files: { '../project/.qwen/settings.json': OFF },
    },
    ...Object.fromEntries(
      NO_SETTINGS.map((text) => [
        `its settings are ${text}`,
        { acts: 'install, check', files: { '.qwen/settings.json': text } },
      ]),
    ),
    'what is switched on cannot be read': {
      acts: 'install, check',
      files: { '.qwen/extension-store/state.json': '{' },
    },
    ...Object.fromEntries(
      [
        ...[
          {},
          { defaultActivation: 'disabled' },
          { defaultActivation: 'enabled' },
          { workspaceOverrides: { PROJECT: 'disabled' } },
        ],
        ...[
          { defaultActivation: 'disabled', workspaceOverrides: { PROJECT: 'enabled' } },
          { workspaceOverrides: { '/x': 'disabled' } },
        ],
        ...[
          ['!PROJECT/'],
          ['!MACHINE/*'],
          ['PROJECT/', '!PROJECT/*', '/elsewhere/*'],
          ['!PROJECT/*', 'PROJECT/'],
        ].map((legacyPathRules) => ({ legacyPathRules })),
        ...[['!PROJECT', '!PROJECT/below/*', '!/x/'], ['PROJECT/*']].map((legacyPathRules) => ({
          defaultActivation: legacyPathRules.length > 1 ? 'enabled' : 'disabled',
          legacyPathRules,
        })),
      ].map((core) => [`it is switched by ${j(core)}`, qwenState(core)]),
    ),
  },
};

const MINE = 'export const Mine = 1;\n';
const OPENCODE_FILE = '.config/opencode/plugins/holdfast.js';
const OPENCODE: Fake = {
  ...{ version: '1.18.33', isReal: true },
  scenes: {
    'nothing is there': {
      acts: 'dry install, install, install, check, dry uninstall, uninstall, uninstall, check',
      files: { '.local/state/holdfast/opencode/ses_1.jsonl': '{}', '.local/state/holdfast/other': '' },
    },
    'other plugins are wanted': {
      acts: 'install, core install',
      files: { '.config/opencode/plugins/mine.js': MINE },
    },
    'a user’s own are beside it': {
      acts: 'install, uninstall',
      files: { '.config/opencode/plugins/mine.js': MINE },
    },
    'somebody else’s file is there': { acts: 'install, uninstall, check', files: { [OPENCODE_FILE]: MINE } },
    'an empty file is there': { acts: 'install', files: { [OPENCODE_FILE]: '' } },
    'a folder is there': { acts: 'install, uninstall', files: { [`${OPENCODE_FILE}/x`]: '' } },
    'the folder that it names is gone': {
      acts: 'install, remove, check',
      files: { removed: '../dist/opencode/plugin.mjs' },
    },
    'its plugins are kept elsewhere': { acts: 'link, install', files: { 'dotfiles/x': '' } },
    'it fails': { acts: 'check', does: { '--version': FAILS } },
  },
};

it.each<[string, string, Fake]>([
  ['claude-code', 'claude', CLAUDE],
  ['codex', 'codex', CODEX],
  ['copilot', 'copilot', COPILOT],
  ['droid', 'droid', DROID],
  ['gemini', 'gemini', GEMINI],
  ['opencode', 'opencode', OPENCODE],
  ['qwen', 'qwen', QWEN],
])('a machine with %s after Holdfast came and went', async (name, program, fake) => {
  const said = ['# Holdfast is put in, checked and taken out'];
  for (const [title, scene] of Object.entries(fake.scenes))
    said.push(`## ${title}`, ...(await play(name, program, fake, scene)));
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(`./golden/install-${name}.txt`);
});

it.each(['claude-code', 'codex', 'copilot', 'droid', 'gemini', 'opencode', 'qwen'])(
  '%s is not found where it is not on PATH',
  async (name) => {
    const { project } = programs({});
    expect(await (await clientNamed(name).install?.load())?.look(project)).toBeNull();
  },
);

async function play(name: string, program: string, fake: Fake, scene: Scene): Promise<string[]> {
  const lists: Doings = {
    ...(fake.list === undefined ? {} : { [fake.list]: 'cat "$HOME/.fake/list"' }),
    ...(fake.marketplaces === undefined ? {} : { [fake.marketplaces]: 'cat "$HOME/.fake/marketplaces"' }),
    '*': 'if [ -d "$HOME/.fake/after" ]; then cp "$HOME/.fake/after/"* "$HOME/.fake/"; fi',
  };
  const here = programs({
    [program]: { '--version': says(fake.version), ...lists, ...fake.does, ...scene.does },
  });
  const folder = fake.isReal ? path.join(here.folder, 'dist') : (scene.from ?? dist);
  if (fake.isReal) makeMarketplace(folder);
  const filled = (text: string): string =>
    text
      .replaceAll('MACHINE', here.folder)
      .replaceAll('PROJECT', here.project)
      .replaceAll('HOME', here.home)
      .replaceAll('FOLDER', fake.isReal ? folder : here.folder);
  for (const [file, text] of Object.entries({ ...fake.none, ...scene.before }))
    here.write(`.fake/${file}`, filled(text));
  for (const [file, text] of Object.entries(scene.after ?? {}))
    here.write(`.fake/after/${file}`, filled(text));
  for (const [file, text] of Object.entries(scene.files ?? {})) here.write(file, filled(text));
  const said: string[] = [];
  for (const act of scene.acts.split(', ')) {
    const calls = here.calls().length;
    said.push(...(await carryOut(name, here, act, folder, scene)));
    const looks = [fake.list, fake.marketplaces, '--version'].map((command) => `${program} ${command}`);
    said.push(
      ...here
        .calls()
        .slice(calls)
        .filter((call) => !looks.includes(call))
        .map((call) => `    $ ${call}`),
    );
  }
  const isLooked = scene.acts.endsWith('check');
  const files = isLooked ? [] : filesIn(here.home).filter(([file]) => !file.startsWith('.fake'));
  said.push(...files.map(([file, text]) => `    ${file}: ${j(text)}`));
  return said.map((line) => line.replaceAll(here.folder, '/machine'));
}

async function carryOut(
  name: string,
  here: Programs,
  act: string,
  folder: string,
  scene: Scene,
): Promise<string[]> {
  if (act === 'spoil') fs.appendFileSync(path.join(here.folder, 'dist/holdfast/hooks/stop'), '# newer\n');
  if (act === 'remove') fs.rmSync(path.join(here.home, here.read('removed')));
  if (act === 'link') {
    fs.mkdirSync(path.join(here.home, '.config/opencode'), { recursive: true });
    fs.symlinkSync('../../dotfiles', path.join(here.home, '.config/opencode/plugins'));
  }
  if (['spoil', 'remove', 'link'].includes(act)) return [`${act}`];
  try {
    const client = await (await clientNamed(name).install?.load())?.look(here.project);
    if (!client) throw new Error('it was not found');
    const from = client.source === null ? '' : ` from ${client.source}`;
    return [
      `${act}, with ${client.hasPlugins ? 'plugins' : 'none'}${from}`,
      ...(await outcomeOf(client, here, act, folder, scene)),
    ];
  } catch (error) {
    return [`${act}`, `  ${error instanceof Error ? `${error.name}: ${error.message}` : error}`];
  }
}

async function outcomeOf(
  client: FoundClient,
  here: Programs,
  act: string,
  folder: string,
  scene: Scene,
): Promise<string[]> {
  const isDry = act.includes('dry ');
  const trust = act.startsWith('trusting ');
  if (act === 'check') return (await client.check(how(here))).map((finding) => `  ${j(finding)}`);
  if (act === 'line') return linesOf(client.statusLine?.(how(here)));
  const scope: Scope | null = (act.split(' of ')[1] as Scope | undefined) ?? null;
  if (act.endsWith('uninstall of known'))
    return linesOf(await client.uninstall({ ...removal(here, isDry), known: ['idle', 'holdfast'] }));
  if (act.includes('uninstall')) return linesOf(await client.uninstall({ ...removal(here, isDry), scope }));
  const wish = wishes(here, folder);
  const source = { ...wish.source, version: scene.version ?? wish.source.version };
  const plugins = act.startsWith('core ') ? ['holdfast'] : wish.plugins;
  const wanted = {
    ...wish,
    source,
    plugins,
    scope: act.startsWith('project ') ? ('project' as const) : wish.scope,
  };
  return linesOf(await client.install(wanted, { ...how(here, isDry), trust }));
}

const linesOf = (outcome: Outcome | undefined): string[] => [
  `  good: ${outcome?.good}, changed: ${outcome?.changed}`,
  ...(outcome?.lines ?? []).map((line) => `  ${line}`),
];

/** Of a folder that is empty its name. */
function filesIn(folder: string): [string, string][] {
  const all = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = all.flatMap((entry): [string, string][] => {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, place);
    if (entry.isFile()) return [[name, fs.readFileSync(place, 'utf8')]];
    return entry.isDirectory() && fs.readdirSync(place).length === 0 ? [[name, '(empty)']] : [];
  });
  return files.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** As it was built: two plugins for Qwen Code, and the loader for opencode. */
function makeMarketplace(folder: string): void {
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  write('holdfast/.claude-plugin/plugin.json', j({ name: 'holdfast' }));
  write('holdfast/hooks/stop', '#!/bin/sh\n');
  write('idle/.claude-plugin/plugin.json', j({ name: 'idle', dependencies: ['holdfast'] }));
  const loader = path.resolve(import.meta.dirname, '../../extensions/opencode/loader.js');
  write('opencode/loader.js', fs.readFileSync(loader, 'utf8').split('\n').slice(0, 5).join('\n'));
  write('opencode/plugin.mjs', '');
}
