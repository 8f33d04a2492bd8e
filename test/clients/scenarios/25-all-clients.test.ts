// Group 25: a machine that has all the clients, and a user with files of their own for each.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { enterCopilot } from '../clients/copilot.ts';
import { enterDroid } from '../clients/droid.ts';
import { enterGemini } from '../clients/gemini.ts';
import { enterOpencode } from '../clients/opencode.ts';
import { pluginFolder } from '../clients/place.ts';
import { enterQwen } from '../clients/qwen.ts';
import { asTheyAre, giveOwnFiles, tracesIn } from '../own-files.ts';
import { type Stage, saw, stageFor } from '../scenario.ts';

const CLIENTS = ['Claude Code', 'Codex', 'Copilot CLI', 'Qwen Code', 'Droid', 'Gemini CLI', 'opencode'];

/** Claude Code writes it at every start, in its own layout and with what it counts. */
const MEMORY = '.claude.json';

/** Both write their settings as a whole, in their own layout, when a plugin comes or goes. */
const LAID_OUT = ['.claude/settings.json', '.copilot/settings.json'];

/** What the clients remember of what is gone, each for itself; nothing of it is loaded. */
const MEMORIES = [
  /^\.factory\/logs\//,
  /^\.codex\/[a-z_\d]+\.sqlite/,
  // The hashes of all that it ever installed.
  /^\.gemini\/extension_integrity\.json$/,
  // The folders that its commands were run in.
  /^\.gemini\/(?:projects\.json|(?:history|tmp)\/[^/]+\/\.project_root)$/,
  // Its own state before the last change.
  /^\.qwen\/extension-store\/state\.previous\.json$/,
];

async function everyClient(): Promise<Stage> {
  const stage = await stageFor();
  await enterGemini(stage, null);
  await enterOpencode(stage, false);
  await enterDroid(stage, false);
  await enterCopilot(stage, false);
  // Last: the Node that it needs must come before that of the others.
  await enterQwen(stage, false);
  return stage;
}

/** Seven clients take their time. */
function holdfast(stage: Stage, ...args: string[]): string {
  const command = path.join(pluginFolder('holdfast'), 'bin', 'holdfast');
  const { root: cwd, env } = stage;
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', timeout: 200_000 });
}

/** The clients that a line of the output begins with. */
function namedIn(output: string): string[] {
  return CLIENTS.filter((client) => output.split('\n').some((line) => line.startsWith(`${client} `)));
}

describe('25. all clients on one machine', () => {
  it('a dry run names all of them and changes nothing', { timeout: 300_000 }, async (context) => {
    const stage = await everyClient();
    const { [MEMORY]: memory, ...before } = giveOwnFiles(stage);
    const said = holdfast(stage, 'install', '--dry-run');
    expect(namedIn(said)).toEqual(CLIENTS);
    expect(said.match(/ would be changed by:| would be written/g)).toHaveLength(CLIENTS.length);
    expect(asTheyAre(stage, before)).toEqual(before);
    expect(asTheyAre(stage, { [MEMORY]: '' })[MEMORY]).toContain('"mine"');
    expect(tracesIn(stage, { ...before, [MEMORY]: memory ?? '' }).filter(isNoMemory)).toEqual([]);
    saw(
      context,
      'all seven',
      '`holdfast install --dry-run` says for each what it would do; all files of the user stay byte for byte, but for `.claude.json`, which Claude Code writes at every start',
    );
  });

  it('installed in all of them at once, and taken out again', { timeout: 400_000 }, async (context) => {
    const stage = await everyClient();
    const before = giveOwnFiles(stage);
    const installed = holdfast(stage, 'install', '--trust');
    expect(namedIn(installed)).toEqual(CLIENTS);
    expect(installed.match(/: installed holdfast, /g)).toHaveLength(CLIENTS.length);
    const doctor = holdfast(stage, 'doctor');
    for (const client of CLIENTS)
      expect(doctor).toMatch(new RegExp(`^ok +${client} \\S+: the (?:plugin|extension) is installed`, 'm'));
    const removed = holdfast(stage, 'uninstall');
    expect(namedIn(removed)).toEqual(CLIENTS);
    expect(removed.match(/: removed /g)).toHaveLength(CLIENTS.length);

    const after = asTheyAre(stage, before);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [name, text] of Object.entries(before)) {
      if (name === MEMORY) expect(JSON.parse(after[name] ?? '')).toMatchObject(JSON.parse(text));
      else if (LAID_OUT.includes(name)) expect(withoutEmpty(after[name] ?? '')).toEqual(JSON.parse(text));
      else expect([name, after[name]]).toEqual([name, text]);
    }
    expect(tracesIn(stage, before).filter(isNoMemory)).toEqual([]);
    saw(
      context,
      'all seven',
      '`holdfast install` finds and installs all, `doctor` says of each that it is in order, `uninstall` takes all out; the files of the user are as they were byte for byte, but for three that their client writes again in its own layout: they say the same (`.claude.json`, and `settings.json` of Claude Code and of Copilot CLI; Claude Code leaves two empty lists in it)',
    );
  });
});

const isNoMemory = (name: string): boolean => !MEMORIES.some((memory) => memory.test(name));

/** Claude Code leaves the lists that our plugins and our marketplace stood in (2.1.325). */
function withoutEmpty(text: string): unknown {
  const settings: Record<string, unknown> = JSON.parse(text);
  const lists = ['enabledPlugins', 'extraKnownMarketplaces'];
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => !(lists.includes(name) && JSON.stringify(value) === '{}'),
    ),
  );
}
