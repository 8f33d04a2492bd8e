// The kernel's lock as its addon gives it, and what is made of the addon's answers.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import type { TryKernelLock } from './kernel-lock.ts';

let file: string;
const open: number[] = [];
beforeEach(() => {
  file = path.join(emptyFolder(), 'lock');
  fs.writeFileSync(file, '');
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const descriptor of open.splice(0)) fs.closeSync(descriptor);
});

let loads = 0;
/** A module of its own each time: what was found of an addon is kept for as long as its module is. */
const ownModule = async (): Promise<{ loadKernelLock: () => TryKernelLock | null }> => {
  const name = `./kernel-lock.ts?load=${++loads}`;
  return import(/* @vite-ignore */ name);
};
const load = async (): Promise<TryKernelLock | null> => (await ownModule()).loadKernelLock();
const opened = (): number => {
  const descriptor = fs.openSync(file, 'r+');
  open.push(descriptor);
  return descriptor;
};
const failing = (code?: string): Error => Object.assign(new Error('no lock'), { code });
const target = `${process.platform}-${process.arch}`;

/** Each file that an addon is looked for in, in order; `exportsOf` says what it has, or throws. */
const addons = (exportsOf: (file: string) => object): string[] => {
  const asked: string[] = [];
  vi.spyOn(process, 'dlopen').mockImplementation(((holder: { exports: object }, place: string) => {
    asked.push(place);
    // Where it is looked for without end, that ends here.
    holder.exports = asked.length > 100 ? { tryLock: () => {} } : exportsOf(place);
  }) as typeof process.dlopen);
  return asked;
};
const refusing = (): never => {
  throw new Error('cannot open shared object file');
};

describe('the kernel’s lock', () => {
  it('is taken once, and free again when its file is closed', async () => {
    const lock = await load();
    if (lock === null) throw new Error('there is no addon for this platform');
    const [first, second] = [opened(), opened()];
    expect(lock(first)).toBe('taken');
    expect(lock(second)).toBe('busy');
    fs.closeSync(first);
    open.splice(open.indexOf(first), 1);
    expect(lock(second)).toBe('taken');
  });

  it('is asked for on the whole file, for this holder alone', async () => {
    const tryLock = vi.fn();
    addons(() => ({ tryLock }));
    expect((await load())?.(7)).toBe('taken');
    expect(tryLock.mock.calls).toEqual([[7, 0, 0, true]]);
  });

  it.each([
    ['EAGAIN', 'busy'],
    ['EACCES', 'busy'],
    ['EINVAL', 'unsupported'],
    ['ENOLCK', 'unsupported'],
    ['ENOSYS', 'unsupported'],
    ['ENOTSUP', 'unsupported'],
    ['EOPNOTSUPP', 'unsupported'],
  ])('answers %s with %s', async (code, answer) => {
    addons(() => ({
      tryLock: () => {
        throw failing(code);
      },
    }));
    expect((await load())?.(7)).toBe(answer);
  });

  it.each(['EBADF', '', undefined])('passes any other trouble on: %s', async (code) => {
    const error = failing(code);
    addons(() => ({
      tryLock: () => {
        throw error;
      },
    }));
    const lock = await load();
    expect(() => lock?.(7)).toThrow(error);
  });
});

describe('its addon', () => {
  it('is looked for beside the bundle, then in the packages on the way up, and nowhere else', async () => {
    const asked = addons(refusing);
    expect(await load()).toBeNull();
    const [first, ...others] = asked;
    expect(first).toBe(`${import.meta.dirname}/native/${target}.node`);
    const above: string[] = [];
    for (let folder = import.meta.dirname; above.at(-1) !== '/'; folder = path.dirname(folder))
      above.push(folder);
    expect(others).toEqual(
      above.map(
        (folder) =>
          `${folder}/node_modules/fs-native-extensions/prebuilds/${target}/fs-native-extensions.node`,
      ),
    );
  });

  it('is looked for no further once it is found, and only once', async () => {
    const tryLock = vi.fn();
    const asked = addons((place) => (place.includes('/native/') ? refusing() : { tryLock }));
    const { loadKernelLock } = await ownModule();
    const lock = loadKernelLock();
    expect(lock?.(1)).toBe('taken');
    expect(loadKernelLock()).toBe(lock);
    expect(asked).toHaveLength(2);
  });

  it('that is not there is looked for only once as well', async () => {
    const asked = addons(refusing);
    const { loadKernelLock } = await ownModule();
    loadKernelLock();
    const first = asked.length;
    expect(loadKernelLock()).toBeNull();
    expect(asked).toHaveLength(first);
  });

  it('that cannot lock is passed over', async () => {
    const tryLock = vi.fn();
    const asked = addons((place) => (place.includes('/native/') ? {} : { tryLock }));
    expect((await load())?.(1)).toBe('taken');
    expect(asked).toHaveLength(2);
  });
});
