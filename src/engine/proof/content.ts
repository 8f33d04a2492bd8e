// The content of a project: what its checks ran on.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import type { Environment } from '../../store/environment.ts';
import { fingerprint } from '../../store/fingerprint.ts';

export type Content = { of(paths: readonly string[] | null): string; files(): Iterable<[string, string]> };

export async function contentOf(
  root: string,
  env: Environment,
  { without }: { without: readonly string[] },
): Promise<Content | null> {
  if (!fs.existsSync(path.join(root, '.git'))) return null;
  const listed = await new Promise<string>((resolve, reject) => {
    const args = ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    execFile('git', args, { env: { ...env } }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
  const isOurs = (file: string): boolean =>
    without.some((place) => file === place || file.startsWith(`${place}/`));
  const names = [...new Set(listed.split('\0'))].filter((file) => file !== '' && !isOurs(file)).sort();
  const files = names.flatMap((file): [string, string][] => {
    const full = path.join(root, file);
    return fs.statSync(full, { throwIfNoEntry: false })?.isFile()
      ? [[file, fingerprint(fs.readFileSync(full))]]
      : [];
  });
  return {
    of: (paths) => {
      const isIn = paths === null ? () => true : picomatch([...paths], { dot: true });
      return fingerprint(JSON.stringify(files.filter(([file]) => isIn(file))));
    },
    files: () => files,
  };
}
