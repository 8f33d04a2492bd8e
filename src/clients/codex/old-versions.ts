// Codex runs its own copy of each plugin, in a folder named after the version, and an upgrade deletes the old one. A
// session that is open keeps calling it, and Codex looks at every stop whether the folder is there, is no link and
// holds what was trusted (0.166.0). Without it the stop is allowed and the loop ends; so the old folder is put back as
// it was. Codex loads the highest version it finds, so that only older ones may stay beside the new one.

import fs from 'node:fs';
import path from 'node:path';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';
import { MARKETPLACE } from '../install/marketplace.ts';

/** How many old versions stay: sessions may be open for long, but not for ever. */
const KEPT = 3;

/** Where Codex keeps its copies of our plugins: `<plugin>/<version>` below it. */
export function codexCache(env: Environment): string {
  const codexHome = absolute(env.CODEX_HOME) ?? path.join(homeFolder(env), '.codex');
  return path.join(codexHome, 'plugins', 'cache', MARKETPLACE);
}

/** Copies of what an installation is about to delete. */
export class OldVersions {
  readonly #cache: string;
  readonly #current: string;
  readonly #copies: string;

  /** `current` is the version that is about to be installed. */
  constructor(cache: string, current: string) {
    this.#cache = cache;
    this.#current = current;
    // On the disk of the cache: what is put back is only renamed.
    this.#copies = path.join(copiesFolder(cache), `${COPIES}${process.pid}`);
  }

  save(plugins: readonly string[]): void {
    removeAbandonedCopies(copiesFolder(this.#cache));
    for (const plugin of plugins)
      for (const version of this.#older(path.join(this.#cache, plugin)))
        disk.copyFolder(path.join(this.#cache, plugin, version), path.join(this.#copies, plugin, version));
  }

  /** As soon as the client deleted them: until then a stop of an open session is allowed. */
  putBack(): void {
    for (const plugin of foldersIn(this.#copies)) {
      const to = path.join(this.#cache, plugin);
      // A client that did not install the new version by that name would take an old one for it.
      if (!foldersIn(to).includes(this.#current)) continue;
      for (const version of foldersIn(path.join(this.#copies, plugin)))
        if (!fs.existsSync(path.join(to, version)))
          disk.rename(path.join(this.#copies, plugin, version), path.join(to, version));
    }
  }

  forgetCopies(): void {
    disk.remove(this.#copies);
  }

  /** Versions that cannot stay, since Codex would load them instead of the one that is installed now. */
  higher(plugin: string): string[] {
    const all = foldersIn(path.join(this.#cache, plugin));
    return all.filter((version) => compareVersions(version, this.#current) > 0);
  }

  /** The newest of those that are lower than the current one. */
  #older(folder: string): string[] {
    const older = foldersIn(folder).filter((version) => compareVersions(version, this.#current) < 0);
    return older.sort(compareVersions).slice(-KEPT);
  }
}

const COPIES = '.holdfast-old-';
const copiesFolder = (cache: string): string => path.resolve(cache, '..', '..');

/** What an installation that was killed left there. */
function removeAbandonedCopies(folder: string): void {
  for (const name of foldersIn(folder)) {
    if (!name.startsWith(COPIES)) continue;
    const pid = Number(name.slice(COPIES.length));
    if (!isProcess(pid)) disk.remove(path.join(folder, name));
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** By their numbers, as Codex does. What is not made of numbers has none, and so is older than nothing. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  if (left === null || right === null) return Number.NaN;
  const differs = left.findIndex((number, index) => number !== right[index]);
  return differs === -1 ? 0 : (left[differs] ?? 0) - (right[differs] ?? 0);
}

function numbersOf(version: string): number[] | null {
  return /^\d+\.\d+\.\d+$/.test(version) ? version.split('.').map(Number) : null;
}

function foldersIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
