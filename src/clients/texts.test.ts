// Single rules about what clients list, write down and are told, each by rows of golden/texts.txt; and where their files lie.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { matchTable } from '../../test/support/golden.ts';
import { type Programs, programs } from '../../test/support/programs.ts';
import { compareVersions } from './codex/old-versions.ts';
import { copilotFolder } from './copilot/folder.ts';
import { tidySettings } from './copilot/settings.ts';
import { parseMarketplaces, parsePlugins } from './droid/plugins.ts';
import { giveBackSettings, keepSettings, withoutComments } from './droid/settings.ts';
import { geminiFolder } from './gemini/folder.ts';
import { asCommand, saidBy } from './install/program.ts';
import { pluginPath, pluginText, readPluginFile } from './opencode/plugin-file.ts';
import { CAP_VARIABLE, holdsHonoured } from './qwen/cap.ts';
import { qwenFolder } from './qwen/folder.ts';

const DROID = '.factory/settings.json';
const KEPT = '.local/state/holdfast/droid-settings.json';
const COPILOT = '.copilot/settings.json';
const OPENCODE = '.config/opencode/plugins/holdfast.js';
const has = ({ home }: Programs, file: string): boolean => fs.existsSync(path.join(home, file));

function machineWith(file: string, text: string): Programs {
  const here = programs({});
  here.write(file, text);
  return here;
}

/** Null: it is not there. */
function afterDroid(before: string | null, after: string | null): unknown {
  const here = programs({});
  if (before !== null) here.write(DROID, before);
  keepSettings(here.env);
  if (after !== null) here.write(DROID, after);
  else if (before !== null) fs.rmSync(path.join(here.home, DROID));
  giveBackSettings(here.env);
  expect(has(here, KEPT)).toBe(false);
  return has(here, DROID) ? here.read(DROID) : null;
}

function tidied(text: string): string {
  const here = machineWith(COPILOT, text);
  tidySettings(here.env);
  return here.read(COPILOT);
}

it('what clients list and write down is read by its rules', () =>
  matchTable(import.meta.dirname, 'texts', {
    'the marketplaces that Droid lists': parseMarketplaces,
    'the plugins that Droid lists': parsePlugins,
    'Droid’s settings without comments': withoutComments,
    'Droid’s settings, before and after our plugins: the user’s text comes back, or not': (texts) => {
      const [before, after] = JSON.parse(texts);
      return afterDroid(before, after);
    },
    'what is left of Copilot’s settings': tidied,
    'whose the file in opencode’s folder of plugins is': (text) =>
      readPluginFile(machineWith(OPENCODE, text).env),
    'the holds that Qwen Code honours, by its variable': (cap) =>
      holdsHonoured({ HOME: '/h', [CAP_VARIABLE]: cap }),
    'and by its settings': (text) => holdsHonoured(machineWith('.qwen/settings.json', text).env),
    'versions of Codex’s plugins beside 1.2.3': (version) => compareVersions(version, '1.2.3'),
    'an argument of a shown command': (argument) => asCommand({ program: 'p', args: [argument] }),
    'what a failed program said, of its output and its complaint': (said) => {
      const [stdout, stderr] = JSON.parse(said);
      return saidBy({ ok: false, stdout, stderr });
    },
  }));

describe('a file of a user’s', () => {
  it('of Droid’s is kept for its owner alone, the newest each time', () => {
    const here = machineWith(DROID, '// old');
    keepSettings(here.env);
    here.write(DROID, '// new\n{}');
    keepSettings(here.env);
    expect([here.read(KEPT), here.read(DROID)]).toEqual(['// new\n{}', '// new\n{}']);
    expect(fs.statSync(path.join(here.home, KEPT)).mode & 0o777).toBe(0o600);
  });

  it('of Copilot’s stays a link where it is one, and need not be there', () => {
    const here = machineWith('real.json', '{"enabledPlugins":{}}');
    tidySettings(here.env);
    expect(has(here, COPILOT)).toBe(false);
    here.write('.copilot/x', '');
    fs.symlinkSync('../real.json', path.join(here.home, COPILOT));
    tidySettings(here.env);
    expect(here.read('real.json')).toBe('{}\n');
    expect(fs.lstatSync(path.join(here.home, COPILOT)).isSymbolicLink()).toBe(true);
  });

  it('of opencode’s is somebody else’s where it leads nowhere', () => {
    const here = machineWith('.config/opencode/plugins/x', '');
    expect(readPluginFile(here.env)).toEqual({ kind: 'none' });
    fs.symlinkSync('/nonexistent', path.join(here.home, OPENCODE));
    expect(readPluginFile(here.env)).toEqual({ kind: 'foreign' });
  });

  it('of opencode’s is JavaScript, whatever the names in it hold', () => {
    const loader = "const marketplace = '@MARKETPLACE@';\nconst plugins = '@PLUGINS@';\n";
    expect(pluginText(loader, '/m "$&"', ["'@PLUGINS@'", '$1'])).toBe(
      'const marketplace = "/m \\"$&\\"";\nconst plugins = ["\'@PLUGINS@\'","$1"];\n',
    );
  });

  it.each<[(env: Record<string, string>) => string, string, string, string]>([
    [copilotFolder, 'COPILOT_HOME', '/h/.copilot', '/c'],
    [qwenFolder, 'QWEN_HOME', '/h/.qwen', '/c'],
    [geminiFolder, 'GEMINI_CLI_HOME', '/h/.gemini', '/c/.gemini'],
    [pluginPath, 'XDG_CONFIG_HOME', `/h/${OPENCODE}`, '/c/opencode/plugins/holdfast.js'],
  ])('lies in the home, or where a variable says as a whole path', (folder, name, usual, own) => {
    expect([{}, { [name]: '/c' }, { [name]: 'c' }].map((env) => folder({ HOME: '/h', ...env }))).toEqual([
      ...[usual, own, usual],
    ]);
  });

  it('of Qwen Code’s counts less than its variable', () => {
    const here = machineWith('q/settings.json', '{"stopHookBlockingCap":20}');
    const QWEN_HOME = path.join(here.home, 'q');
    expect(holdsHonoured({ QWEN_HOME })).toBe(19);
    expect(holdsHonoured({ QWEN_HOME, [CAP_VARIABLE]: '3' })).toBe(2);
  });
});
