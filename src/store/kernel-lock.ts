// The kernel's exclusive lock on an open file: given back by the kernel when its holder dies, in whatever pid
// namespace. Not for callers: lock.ts opens the file and decides when this lock is used and when the lease is.

import path from 'node:path';

/** `unsupported`: this file system or sandbox has no such locks. */
export type KernelAnswer = 'taken' | 'busy' | 'unsupported';

export type TryKernelLock = (file: number) => KernelAnswer;

/** Null where the addon cannot be loaded: musl, or a platform it was not built for. */
export function loadKernelLock(): TryKernelLock | null {
  if (loaded === undefined) loaded = bind(loadAddon());
  return loaded;
}

let loaded: TryKernelLock | null | undefined;

/** The private binding of fs-native-extensions 1.5.1. It aborts the process unless it gets all four arguments. */
type Addon = { tryLock(file: number, offset: number, length: number, exclusive: boolean): void };

function bind(addon: Addon | null): TryKernelLock | null {
  if (addon === null) return null;
  return (file) => {
    try {
      addon.tryLock(file, 0, 0, true);
      return 'taken';
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      // POSIX leaves a system the choice between the two.
      if (code === 'EAGAIN' || code === 'EACCES') return 'busy';
      if (UNSUPPORTED.has(code)) return 'unsupported';
      throw error;
    }
  };
}

const UNSUPPORTED = new Set(['EINVAL', 'ENOLCK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

// The package's own entry looks for its addon for 11 ms; opening the file itself takes less than one.
function loadAddon(): Addon | null {
  for (const file of addonFiles()) {
    const holder = { exports: {} as Partial<Addon> };
    try {
      process.dlopen(holder, file);
    } catch {
      continue;
    }
    const { tryLock } = holder.exports;
    if (tryLock !== undefined) return { tryLock };
  }
  return null;
}

// Beside the bundle in the product, in node_modules when the sources run under vitest (which, like CommonJS, gives
// `__dirname`). Never from the working directory: that would load native code out of the user's project.
function* addonFiles(): Generator<string> {
  if (typeof __dirname !== 'string') return;
  const target = `${process.platform}-${process.arch}`;
  yield `${__dirname}/native/${target}.node`;
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    yield `${folder}/node_modules/fs-native-extensions/prebuilds/${target}/fs-native-extensions.node`;
    if (folder === path.dirname(folder)) return;
  }
}
