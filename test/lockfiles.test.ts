// The lock files: complete for every platform, or `npm ci` refuses them on some; and without the host of any
// registry, so that everyone's own is used. `scripts/check-locks.mjs` asks npm itself, in CI.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

type Locked = {
  version?: string;
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

describe.each(['.', 'test/clients', 'test/nodes'])('the lock file in %s', (folder) => {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(
    fs.readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8'),
  );

  it('has an entry for everything that a package asks for, also for other platforms', () => {
    const missing = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isFoundFrom(place, name))
        .map((name) => `${name}, for ${place === '' ? 'the package itself' : place}`),
    );
    expect(missing).toEqual([]);
  });

  it('pins each package by its content', () => {
    const loose = Object.entries(packages).filter(
      ([place, { version, integrity }]) => place !== '' && (version === undefined || integrity === undefined),
    );
    expect(loose.map(([place]) => place)).toEqual([]);
  });

  it('names no registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
    expect(fs.readFileSync(path.join(root, folder, '.npmrc'), 'utf8')).toContain(
      'omit-lockfile-registry-resolved=true',
    );
  });

  /** As node looks for it: beside the package, then further up. */
  function isFoundFrom(place: string, name: string): boolean {
    const here = place === '' ? '' : `${place}/`;
    if (`${here}node_modules/${name}` in packages) return true;
    if (place === '') return false;
    const above = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1));
    return isFoundFrom(above, name);
  }
});
