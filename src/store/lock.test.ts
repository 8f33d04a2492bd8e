import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildLockFixtures, type LockFixtures } from '../../test/fixtures/lock/build.ts';
import { environment, type Kind, kill, said } from '../../test/fixtures/lock/processes.ts';
import { type HeldLock, LockBusy, tryHold, withLock } from './lock.ts';

let fixtures: LockFixtures;
let home: string;
let started: ChildProcess[];

beforeAll(async () => {
  fixtures = await buildLockFixtures();
});

afterAll(() => fs.rmSync(fixtures.folder, { recursive: true }));

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'holdfast-lock-'));
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map(kill));
  fs.rmSync(home, { recursive: true });
  lockedBy('kernel');
});

describe.each<Kind>(['kernel', 'lease'])('the %s lock', (kind) => {
  beforeEach(() => lockedBy(kind));

  test('is the kind it should be, in a file only its owner can read', async () => {
    await withLock(home, 0, () => undefined);

    expect(fs.existsSync(join(home, 'lock.lease'))).toBe(kind === 'lease');
    expect(fs.existsSync(join(home, 'lease-only'))).toBe(kind === 'lease');
    expect(fs.statSync(join(home, 'lock')).mode & 0o777).toBe(0o600);
  });

  test('lets one work at a time, within a process too', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(2);
      inside--;
    };

    await Promise.all(Array.from({ length: 10 }, () => withLock(home, 5_000, work)));

    expect(most).toBe(1);
  });

  test('reaches all of 16 contenders', async () => {
    const reached = await Promise.all(
      Array.from({ length: 16 }, (_, position) =>
        withLock(home, 15_000, () => sleep(5).then(() => position)),
      ),
    );

    expect(reached).toHaveLength(16);
  });

  test('gives back what the work returns, and the lock', async () => {
    expect(await withLock(home, 0, () => 'first')).toBe('first');
    expect(await withLock(home, 0, async () => 'second')).toBe('second');
  });

  test('is released when the work throws', async () => {
    const failing = withLock(home, 0, () => {
      throw new Error('the work failed');
    });

    await expect(failing).rejects.toThrow('the work failed');
    expect(await withLock(home, 0, () => 'free')).toBe('free');
  });

  test('says LockBusy once the patience is over, in one line that names the file', async () => {
    const error = await withLock(home, 0, () => withLock(home, 100, () => 'never').catch((caught) => caught));

    expect(error).toBeInstanceOf(LockBusy);
    expect(error.message).toContain(join(home, 'lock'));
    expect(error.message).not.toContain('\n');
  });

  test('leaves no descriptor open, whether taken or busy', async () => {
    const round = () =>
      withLock(home, 0, () => withLock(home, 10, () => 0).catch(() => tryHold(join(home, 'lock'))));
    await round();
    const before = nextDescriptor();

    for (let i = 0; i < 5; i++) await round();

    expect(nextDescriptor()).toBe(before);
  });

  test('passes on promptly when its holder is killed', async () => {
    const holder = await hold(kind, 'with', home);
    await expect(withLock(home, 50, () => 'never')).rejects.toThrow(LockBusy);

    await kill(holder);

    expect(await withLock(home, 2_000, () => 'next')).toBe('next');
  });

  test('passes on although its killed holder was not reaped yet', async () => {
    // The shell starts the holder and never waits for it.
    const shell = spawn(
      'sh',
      ['-c', '"$@" & echo $!; exec sleep 60', 'sh', process.execPath, fixtures.holder, 'with', home],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: environment(kind),
      },
    );
    started.push(shell);
    const pid = Number(/^(\d+)$/m.exec(await said(shell, 'held'))?.[1]);

    process.kill(pid, 'SIGKILL');

    expect(await withLock(home, 2_000, () => 'next')).toBe('next');
  });

  test('tryHold keeps others out across awaits until it is released', async () => {
    const path = join(home, 'attempt.lock');
    const held = tryHold(path);
    await sleep(50);

    expect(held).not.toBeNull();
    expect(tryHold(path)).toBeNull();
    expect(tryHold(join(home, 'another.lock'))).not.toBeNull();
    held?.release();
    held?.release();
    const again = tryHold(path);
    expect(again).not.toBeNull();
    again?.release();
  });

  test('tryHold is free again at the death of its holder, though a child of it lives', async () => {
    const path = join(home, 'attempt.lock');
    const holder = run(fixtures.holder, kind, 'try-with-child', path);
    const child = Number(/child (\d+)/.exec(await said(holder, 'held'))?.[1]);
    try {
      expect(tryHold(path)).toBeNull();

      await kill(holder);

      process.kill(child, 0);
      const taken = tryHold(path);
      expect(taken).not.toBeNull();
      taken?.release();
    } finally {
      process.kill(child, 'SIGKILL');
    }
  });

  test.each(['FIFO', 'symlink', 'dangling symlink', 'folder'])(
    'a %s in place of the lock file is refused, not waited for and not followed',
    async (thing) => {
      const path = join(home, 'lock');
      const target = join(home, 'target');
      if (thing === 'FIFO') execFileSync('mkfifo', [path]);
      if (thing === 'symlink') fs.writeFileSync(target, 'precious');
      if (thing.endsWith('symlink')) fs.symlinkSync(target, path);
      if (thing === 'folder') fs.mkdirSync(path);

      await expect(withLock(home, 2_000, () => 'never')).rejects.toThrow(
        `${path} is not a regular file, and Holdfast keeps a lock there; move it away.`,
      );
      expect(() => tryHold(path)).toThrow('is not a regular file');
      if (thing === 'symlink') expect(fs.readFileSync(target, 'utf8')).toBe('precious');
      if (thing === 'dangling symlink') expect(fs.existsSync(target)).toBe(false);
    },
  );
});

test('a lock file that is a second name of another file is left alone, whatever it holds', async () => {
  const other = join(home, 'other');
  fs.writeFileSync(other, 'kept');
  fs.linkSync(other, join(home, 'lock'));

  await expect(withLock(home, 0, () => undefined)).rejects.toThrow(
    `${join(home, 'lock')} is one of 2 names of the same file, and Holdfast keeps a lock there; move it away.`,
  );

  expect(fs.readFileSync(other, 'utf8')).toBe('kept');
});

describe('the two kinds together', () => {
  test('a process with the kernel lock takes the lease as well once lease-only is there', async () => {
    fs.writeFileSync(join(home, 'lease-only'), '');

    const generation = await withLock(home, 0, () => fs.readFileSync(join(home, 'lock.lease', '1'), 'utf8'));

    expect(JSON.parse(generation).pid).toBe(process.pid);
    expect(fs.readFileSync(join(home, 'lock.lease', '1'), 'utf8')).toBe('');
  });

  test('a lease holder keeps a kernel process out, and the other way round', async () => {
    for (const [first, second] of [
      ['lease', 'kernel'],
      ['kernel', 'lease'],
    ] as const) {
      const holder = await hold(first, 'with', home);
      lockedBy(second);
      await expect(withLock(home, 50, () => 'never')).rejects.toThrow(LockBusy);
      await kill(holder);
      expect(await withLock(home, 1_000, () => 'next')).toBe('next');
    }
  });

  test('a lease process waits for one that had the kernel lock before it ever came', async () => {
    const holder = await hold('kernel', 'with', home);
    expect(fs.existsSync(join(home, 'lease-only'))).toBe(false);

    lockedBy('lease');
    await expect(withLock(home, 50, () => 'never')).rejects.toThrow(LockBusy);

    await kill(holder);
    expect(await withLock(home, 1_000, () => 'next')).toBe('next');
  });

  test.each<[Kind, Kind]>([
    ['kernel', 'lease'],
    ['lease', 'kernel'],
  ])('tryHold by %s keeps out tryHold by %s', (first, second) => {
    const path = join(home, 'attempt.lock');
    lockedBy(first);
    const held = tryHold(path);
    lockedBy(second);
    expect(tryHold(path)).toBeNull();

    held?.release();

    const taken = tryHold(path);
    expect(taken).not.toBeNull();
    taken?.release();
  });

  test('of two that come at the same time only one gets it', () => {
    const path = join(home, 'attempt.lock');
    let byLease: HeldLock | null = null;
    // The kernel process has seen no lease and is about to write its note when the lease process comes and goes in.
    const write = fs.writeSync;
    const spy = vi.spyOn(fs, 'writeSync').mockImplementationOnce((...parameters: unknown[]) => {
      spy.mockRestore();
      lockedBy('lease');
      byLease = tryHold(path);
      return Reflect.apply(write, fs, parameters);
    });

    const byKernel = tryHold(path);

    expect(byLease).not.toBeNull();
    expect(byKernel).toBeNull();
  });
});

describe('the kernel lock', () => {
  test('held for long tells others again and again that its holder lives', async () => {
    const path = join(home, 'attempt.lock');
    lockedBy('kernel');
    const held = tryHold(path);
    const before = Date.now() / 1000 - 60;
    fs.utimesSync(path, before, before);

    await new Promise((resolve) => setTimeout(resolve, 2_300));

    expect(fs.statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 10_000);
    expect(JSON.parse(fs.readFileSync(path, 'utf8')).pid).toBe(process.pid);
    held?.release();
  });

  test('one who waited on a file that was replaced meanwhile locks the new one', async () => {
    const path = join(home, 'lock');
    let waiting: Promise<HeldLock | null> | undefined;

    await withLock(home, 0, async () => {
      // Inside, the file of that name must be the one that is locked.
      waiting = withLock(home, 20_000, () => tryHold(path));
      fs.rmSync(path);
    });

    expect(await waiting).toBeNull();
  });
});

describe('the lease', () => {
  beforeEach(() => lockedBy('lease'));

  test('does not fill its folder', async () => {
    for (let i = 0; i < 50; i++) await withLock(home, 0, () => undefined);

    expect(fs.readdirSync(join(home, 'lock.lease')).length).toBeLessThanOrEqual(16);
  });

  test('sweeps away what a killed contender left behind', async () => {
    await withLock(home, 0, () => undefined);
    const left = join(home, 'lock.lease', 'request-1-x-y');
    fs.writeFileSync(left, '');
    fs.utimesSync(left, new Date(), new Date(Date.now() - 61_000));

    for (let i = 0; i < 10; i++) await withLock(home, 0, () => undefined);

    expect(fs.existsSync(left)).toBe(false);
  });

  test('of another boot or namespace is kept while renewed, and free when silent', async () => {
    for (const foreign of [{ boot: 'another' }, { namespace: 'pid:[1]' }]) {
      const path = await plantOwner({ pid: 2 ** 30, ...foreign });
      await expect(withLock(home, 30, () => 'never')).rejects.toThrow(LockBusy);

      fs.utimesSync(path, new Date(), new Date(Date.now() - 11_000));

      expect(await withLock(home, 0, () => 'next')).toBe('next');
    }
  });

  test('of a process whose pid was given to another is free', async () => {
    const path = await plantOwner({ start: '1' });
    // Without /proc a pid says less, so there only silence tells.
    if (process.platform !== 'linux') fs.utimesSync(path, new Date(), new Date(Date.now() - 11_000));

    expect(await withLock(home, 0, () => 'next')).toBe('next');
  });

  test('without a start time is judged by the pid, and by silence', async () => {
    await plantOwner({ start: null, pid: 2 ** 30 });
    expect(await withLock(home, 0, () => 'next')).toBe('next');

    const path = await plantOwner({ start: null });
    await expect(withLock(home, 30, () => 'never')).rejects.toThrow(LockBusy);
    fs.utimesSync(path, new Date(), new Date(Date.now() - 11_000));
    expect(await withLock(home, 0, () => 'next')).toBe('next');
  });

  test('whose record cannot be read is kept until it is silent', async () => {
    await withLock(home, 0, () => undefined);
    const path = join(home, 'lock.lease', '2');
    fs.writeFileSync(path, 'not a record');
    await expect(withLock(home, 30, () => 'never')).rejects.toThrow(LockBusy);

    fs.utimesSync(path, new Date(), new Date(Date.now() - 11_000));

    expect(await withLock(home, 0, () => 'next')).toBe('next');
  });

  test('a long work renews it', async () => {
    await withLock(home, 0, async () => {
      const path = join(home, 'lock.lease', '1');
      const before = fs.statSync(path).mtimeMs;
      await sleep(2_300);
      expect(fs.statSync(path).mtimeMs - before).toBeGreaterThan(1_500);
    });
  });

  /** Makes the next generation the property of ourselves, but for what is given. */
  async function plantOwner(changes: object): Promise<string> {
    const [record, newest] = await withLock(home, 0, () => {
      const generations = fs.readdirSync(join(home, 'lock.lease')).map(Number).filter(Number.isFinite);
      const last = Math.max(...generations);
      return [fs.readFileSync(join(home, 'lock.lease', String(last)), 'utf8'), last] as const;
    });
    const path = join(home, 'lock.lease', String(newest + 1));
    fs.writeFileSync(path, `${JSON.stringify({ ...JSON.parse(record), ...changes })}\n`);
    return path;
  }
});

function lockedBy(kind: Kind): void {
  if (kind === 'lease') process.env.HOLDFAST_LOCK = 'lease';
  else delete process.env.HOLDFAST_LOCK;
}

function run(program: string, kind: Kind, ...parameters: string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(kind),
  });
  started.push(child);
  return child;
}

async function hold(kind: Kind, mode: string, path: string): Promise<ChildProcess> {
  const child = run(fixtures.holder, kind, mode, path);
  await said(child, 'held');
  return child;
}

function nextDescriptor(): number {
  const descriptor = fs.openSync('/dev/null', 'r');
  fs.closeSync(descriptor);
  return descriptor;
}
