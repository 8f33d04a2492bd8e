import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { how, look, wishes } from '../../test/support/installing.ts';
import { type Programs, programs, says } from '../../test/support/programs.ts';
import { installer } from '../clients/opencode/install.ts';
import { type Call, WrongUsage } from '../engine/workflow-cli.ts';
import { uninstall } from './uninstall.ts';

const NODE = '.config/holdfast/node';
const STATE = '.local/state/holdfast';
const FILE = '.config/opencode/plugins/holdfast.js';
const OPENCODE = { opencode: { '--version': says('1.18.33') } };
const STAY = 'The runs in your projects stay. Sessions that are open now should be started again.';
const OTHERS =
  'Claude Code, Codex, Copilot CLI, Qwen Code, Droid and Gemini CLI: not found; there is no `claude`, `codex`, `copilot`, `qwen`, `droid` or `gemini` on PATH.';

async function typed(here: Programs, flags: Call['flags'] = {}): Promise<[number, ...string[]]> {
  const { call, printed } = callIn(here.project, { flags, env: here.env });
  return [await uninstall.run(call), ...printed];
}

/** With Holdfast in opencode, and what it keeps of its own. */
async function installed(doings: Parameters<typeof programs>[0] = OPENCODE): Promise<Programs> {
  const here = programs(doings);
  const dist = path.join(here.folder, 'dist');
  fs.mkdirSync(path.join(dist, 'opencode'), { recursive: true });
  const loader = path.resolve(import.meta.dirname, '../../extensions/opencode/loader.js');
  fs.copyFileSync(loader, path.join(dist, 'opencode/loader.js'));
  fs.writeFileSync(path.join(dist, 'opencode/plugin.mjs'), '');
  await (await look(installer, here)).install(wishes(here, dist), how(here));
  here.write(NODE, '/usr/bin/node\n');
  here.write(`${STATE}/next-session/a.json`, '{}');
  return here;
}

const inHome = (here: Programs, file: string): string => path.join(here.home, file);
const isThere = (here: Programs, ...files: string[]): boolean[] =>
  files.map((file) => fs.existsSync(inHome(here, file)));

describe('uninstall', () => {
  it('takes it out of the clients that are there, and removes what is our own', async () => {
    const here = await installed();
    expect(await typed(here)).toEqual([
      0,
      `opencode 1.18.33: removed holdfast, idle (${inHome(here, FILE)}).`,
      OTHERS,
      `Removed ${inHome(here, NODE)}.`,
      `Removed ${inHome(here, `${STATE}/next-session`)}.`,
      STAY,
    ]);
    expect(isThere(here, FILE, NODE, STATE)).toEqual([false, false, false]);
    expect(await typed(here)).toEqual([
      0,
      'opencode 1.18.33: nothing of Holdfast is installed there.',
      OTHERS,
    ]);
  });

  it('keeps the user’s own config, and says so', async () => {
    const here = await installed();
    const config = here.write('.config/holdfast/holdfast.config.json', '{}');
    expect((await typed(here)).slice(-2)).toEqual([`Kept your own ${config}.`, STAY]);
    expect(fs.existsSync(config)).toBe(true);
    expect(isThere(here, NODE)).toEqual([false]);
  });

  it('of one client alone removes what is our own where none has it any more', async () => {
    const here = await installed();
    expect(await typed(here, { client: 'opencode' })).toEqual([
      0,
      `opencode 1.18.33: removed holdfast, idle (${inHome(here, FILE)}).`,
      `Removed ${inHome(here, NODE)}.`,
      `Removed ${inHome(here, `${STATE}/next-session`)}.`,
      STAY,
    ]);
  });

  it('keeps what the hooks need while a client still has the plugin', async () => {
    const here = await installed();
    // Only for all projects of a user: not there to be taken out of one.
    expect(await typed(here, { client: 'opencode', scope: 'project' })).toEqual([
      0,
      'Still installed in opencode, so what the hooks need stays.',
    ]);
    expect(isThere(here, FILE, NODE, STATE)).toEqual([true, true, true]);
  });

  it('changes nothing in a dry run', async () => {
    const here = await installed();
    const opencode = `opencode 1.18.33: ${inHome(here, FILE)} would be removed.`;
    expect(await typed(here, { 'dry-run': true })).toEqual([
      0,
      opencode,
      OTHERS,
      `${inHome(here, NODE)} would be removed.`,
      `${inHome(here, `${STATE}/next-session`)} would be removed.`,
    ]);
    expect(await typed(here, { 'dry-run': true, client: 'opencode' })).toEqual([0, opencode]);
    expect(await typed(here, { 'dry-run': true, scope: 'user' })).toEqual([0, opencode, OTHERS]);
    expect(await typed(here, { 'dry-run': true, client: 'all' })).toHaveLength(5);
    expect(isThere(here, FILE, NODE, STATE)).toEqual([true, true, true]);
  });

  it('fails where the client that was named is not there', async () => {
    const here = await installed();
    expect(await typed(here, { client: 'codex' })).toEqual([
      1,
      'Codex: not found; there is no `codex` on PATH.',
    ]);
    expect(isThere(here, NODE)).toEqual([true]);
  });

  it('fails where a client will not say, and serves the others', async () => {
    const here = await installed({
      ...OPENCODE,
      codex: { '*': 'echo "out of order" >&2; exit 1' },
    });
    const [code, ...lines] = await typed(here);
    expect(code).toBe(1);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^Codex: `codex .*` failed: out of order$/);
    expect(lines[1]).toBe(`opencode 1.18.33: removed holdfast, idle (${inHome(here, FILE)}).`);
    expect(isThere(here, FILE, NODE)).toEqual([false, true]);
    // One that will not say needs nothing of ours.
    expect((await typed(here, { client: 'opencode' })).slice(0, 3)).toEqual([
      0,
      'opencode 1.18.33: nothing of Holdfast is installed there.',
      `Removed ${inHome(here, NODE)}.`,
    ]);
  });

  it.each([
    [
      { client: 'emacs' },
      '--client is claude, codex, copilot, qwen, droid, gemini, opencode or all, not "emacs".',
    ],
    [{ scope: 'all' }, '--scope is user or project, not "all".'],
  ])('takes no such flag: %j', async (flags, text) => {
    await expect(typed(programs({}), flags)).rejects.toThrow(new WrongUsage(text));
  });

  it('says in its help what is left out', () => {
    expect(uninstall.help).toBe(
      'Without --client: all of them. --scope takes it out of that scope only, in clients that have several.\n--dry-run changes nothing and shows the commands.',
    );
  });
});
