// `holdfast install` of another version into Codex, which deletes the folder of the version before: open sessions call
// it at every stop. The real client is in the client suite (group 11); here are the folders.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/clients/codex/old-versions.ts';
import { type Machine, machine } from '../fixtures/install/machine.ts';

const TIMEOUT = { timeout: 600_000 };

let here: Machine;
beforeEach(() => {
  here = machine(['codex']);
});
afterEach(() => here.project.remove());

const cache = (...parts: string[]): string =>
  here.inHome(path.join('.codex/plugins/cache/holdfast', ...parts));
const versions = (plugin = 'holdfast'): string[] => fs.readdirSync(cache(plugin)).sort(compareVersions);
const leftovers = (): string[] =>
  fs.readdirSync(here.inHome('.codex/plugins')).filter((name) => name.startsWith('.holdfast-old'));

async function installVersion(version: string, exitCode = 0): Promise<string> {
  here.upgradeTo(version);
  const ran = await here.cli(['install', '--trust']);
  expect(ran.exitCode).toBe(exitCode);
  return ran.stdout;
}

/** Names, modes and contents: Codex runs a hook only while its plugin is what was trusted. */
function contentOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = path.join(folder, name);
      const { mode } = fs.lstatSync(file);
      return `${name} ${mode} ${fs.statSync(file).isFile() ? fs.readFileSync(file, 'base64') : ''}`;
    });
}

describe('an upgrade in Codex', TIMEOUT, () => {
  it('leaves the folder of the version before as it was, of every plugin', async () => {
    await installVersion('0.9.0');
    const before = contentOf(cache('holdfast/0.9.0'));
    const said = await installVersion('0.10.0');
    for (const plugin of ['holdfast', 'alpha', 'beta']) expect(versions(plugin)).toEqual(['0.9.0', '0.10.0']);
    expect(contentOf(cache('holdfast/0.9.0'))).toEqual(before);
    expect(said).not.toContain('no longer held');
    expect(leftovers()).toEqual([]);
  });

  it('keeps the three newest of the old versions', async () => {
    for (const version of ['0.8.0', '0.9.0', '0.10.0', '0.11.0', '1.0.0', '1.0.1'])
      await installVersion(version);
    expect(versions()).toEqual(['0.10.0', '0.11.0', '1.0.0', '1.0.1']);
  });

  it('is harmless twice', async () => {
    await installVersion('0.9.0');
    await installVersion('0.10.0');
    await installVersion('0.10.0');
    expect(versions()).toEqual(['0.9.0', '0.10.0']);
  });

  it('to a lower version leaves none that Codex would load instead, and says whose sessions are lost', async () => {
    await installVersion('0.9.0');
    await installVersion('0.10.0');
    const said = await installVersion('0.9.1');
    expect(versions()).toEqual(['0.9.0', '0.9.1']);
    expect(said).toContain('Sessions that are open with Holdfast 0.10.0 are no longer held');
  });

  it('that fails half-way keeps what Codex renewed and leaves no copies behind', async () => {
    await installVersion('0.9.0');
    here.upgradeTo('0.10.0');
    fs.rmSync(path.join(here.marketplace, 'beta'), { recursive: true });
    const ran = await here.cli(['install']);
    expect(ran.exitCode).toBe(1);
    expect(versions('holdfast')).toEqual(['0.9.0', '0.10.0']);
    expect(versions('beta')).toEqual(['0.9.0']);
    expect(leftovers()).toEqual([]);
  });

  it('puts nothing back beside a folder that is not named after the new version: Codex would load it', async () => {
    await installVersion('0.9.0');
    here.upgradeTo('0.10.0');
    await here.cli(['install'], { env: { FAKE_CODEX: 'own-names' } });
    for (const plugin of ['holdfast', 'alpha', 'beta']) expect(versions(plugin)).toEqual(['local']);
    expect(leftovers()).toEqual([]);
  });

  it('sweeps the copies of an installation that was killed, and not those of one that runs', async () => {
    await installVersion('0.9.0');
    for (const pid of [process.pid, 2 ** 22 + 1])
      fs.mkdirSync(here.inHome(`.codex/plugins/.holdfast-old-${pid}/holdfast/0.1.0`), { recursive: true });
    await installVersion('0.10.0');
    expect(leftovers()).toEqual([`.holdfast-old-${process.pid}`]);
  });

  it('is all gone after an uninstall', async () => {
    await installVersion('0.9.0');
    await installVersion('0.10.0');
    expect((await here.cli(['uninstall'])).exitCode).toBe(0);
    expect(fs.existsSync(cache())).toBe(false);
  });
});

describe('versions', () => {
  it('are compared by their numbers', () => {
    expect(['0.10.0', '0.9.0', '1.0.0', '0.9.10', '0.9.9'].sort(compareVersions)).toEqual([
      '0.9.0',
      '0.9.9',
      '0.9.10',
      '0.10.0',
      '1.0.0',
    ]);
    expect(compareVersions('local', '0.1.0')).toBeNaN();
    expect(compareVersions('0.1.0-beta', '0.1.0')).toBeNaN();
  });
});
