// Files that the agent should not change unseen: sealed at the pin, compared at a claim.

import fs from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import type { Environment } from '../../store/environment.ts';
import { fingerprint } from '../../store/fingerprint.ts';

export type Seal = {
  files: readonly (readonly [string, string])[];
  skips: Readonly<Record<string, number>>;
  cut: boolean;
};

export type ProtectedChange = { file: string; how: 'changed' | 'removed' | 'added'; skips: number };

export async function makeSeal(root: string, _env: Environment, paths: readonly string[]): Promise<Seal> {
  const isIn = picomatch([...paths, 'holdfast.config.json'], { dot: true });
  const all = fs.readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const files = all
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('.git/') && isIn(file))
    .map((file) => [file, fingerprint(fs.readFileSync(path.join(root, file)))] as const);
  return { files, skips: {}, cut: false };
}

export async function compareSeal(
  root: string,
  env: Environment,
  paths: readonly string[],
  seal: Seal,
): Promise<ProtectedChange[]> {
  const before = new Map(seal.files);
  const now = new Map((await makeSeal(root, env, paths)).files);
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((file): ProtectedChange[] => {
    if (before.get(file) === now.get(file)) return [];
    const how = !before.has(file) ? 'added' : now.has(file) ? 'changed' : 'removed';
    return [{ file, how, skips: 0 }];
  });
}
