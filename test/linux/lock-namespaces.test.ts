// The lock across pid namespaces, as between a client's hook and its sandboxed shell: there a pid names another
// process or none, so whoever judges by it takes a living holder's lock or waits for a dead one for ever.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LockBusy, tryHold, withLock } from '../../src/store/lock.ts';
import { buildLockFixtures, type LockFixtures } from '../fixtures/lock/build.ts';
import { environment, type Kind, kill, said } from '../fixtures/lock/processes.ts';

/** What a lease may take to be seen as abandoned from another namespace, and some time to spare. */
const SILENCE_MS = 10_000;
const MARGIN_MS = 3_000;

const withOwnProc = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const withOldProc = ['--pid', '--fork', '--kill-child'];

let fixtures: LockFixtures;
let asRoot: string[];
let home: string;
let started: ChildProcess[];

beforeAll(async () => {
  asRoot = findUnshare();
  fixtures = await buildLockFixtures();
});

afterAll(() => {
  if (fixtures !== undefined) fs.rmSync(fixtures.folder, { recursive: true });
});

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'holdfast-namespaces-'));
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map(kill));
  fs.rmSync(home, { recursive: true });
  delete process.env.HOLDFAST_LOCK;
});

describe.each<Kind>(['kernel', 'lease'])('the %s lock across pid namespaces', (kind) => {
  // Only a lease can lapse.
  const longEnoughToLapse = kind === 'lease' ? SILENCE_MS + 1_000 : 200;

  beforeEach(() => {
    process.env.HOLDFAST_LOCK = kind;
  });

  test('is kept by a living holder of another namespace, and passes on when that is killed', async () => {
    const holder = inNamespace(kind, withOwnProc, [process.execPath, fixtures.holder, 'with', home]);
    await said(holder, 'held');
    await expect(withLock(home, longEnoughToLapse, () => 'never')).rejects.toThrow(LockBusy);
    await kill(holder);
    // The kernel frees its lock at once; the lease must lapse first.
    const patience = kind === 'kernel' ? SILENCE_MS / 2 : SILENCE_MS + MARGIN_MS;
    expect(await withLock(home, patience, () => 'next')).toBe('next');
  });

  test('held by us is not taken from within another namespace, where our pid is nobody', async () => {
    const path = join(home, 'attempt.lock');
    const held = tryHold(path);
    await sleep(longEnoughToLapse);
    for (const flags of [withOwnProc, withOldProc]) {
      await said(inNamespace(kind, flags, [process.execPath, fixtures.holder, 'try', path]), 'busy');
    }

    held?.release();
    await said(inNamespace(kind, withOwnProc, [process.execPath, fixtures.holder, 'try', path]), 'held');
  });

  test('works inside a namespace that still sees the /proc of its parent', async () => {
    const path = join(home, 'attempt.lock');
    // The first holds until it is killed; a second must not have it before, a third must have it afterwards.
    const script = `
      "$@" > "$0" & first=$!
      until [ -s "$0" ]; do sleep 0.05; done
      echo "second $("$@")"
      kill -9 $first; wait $first
      exec "$@"`;
    const shell = inNamespace(kind, withOldProc, [
      ...['sh', '-c', script, join(home, 'first')],
      ...[process.execPath, fixtures.holder, 'try', path],
    ]);
    expect(await said(shell, 'held')).toBe('second busy\nheld\n');
    expect(fs.readFileSync(join(home, 'first'), 'utf8')).toBe('held\n');
  });
});

test('a holder of both kinds, killed in another namespace, is not waited for: the kernel lock tells', async () => {
  fs.writeFileSync(join(home, 'lease-only'), '');
  const holder = inNamespace('kernel', withOwnProc, [process.execPath, fixtures.holder, 'with', home]);
  await said(holder, 'held');
  await expect(withLock(home, 100, () => 'never')).rejects.toThrow(LockBusy);
  await kill(holder);
  expect(await withLock(home, 500, () => 'next')).toBe('next');
});

function inNamespace(kind: Kind, flags: string[], command: string[]): ChildProcess {
  const child = spawn('unshare', [...asRoot, ...flags, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(kind),
  });
  started.push(child);
  return child;
}

/** What must be added for us to be allowed a new pid namespace; without one these tests would prove nothing. */
function findUnshare(): string[] {
  const tries = [[], ['--user', '--map-root-user']].map((asRoot) => {
    const { status, stderr, error } = spawnSync('unshare', [...asRoot, ...withOwnProc, 'true'], {
      encoding: 'utf8',
    });
    return { asRoot, status, said: error?.message ?? stderr.trim() };
  });
  const working = tries.find(({ status }) => status === 0);
  if (working !== undefined) return working.asRoot;
  throw new Error(
    `The lock's namespace tests need a new pid namespace, and unshare could not make one (${tries.map(({ said }) => said).join('; ')}). Run them as root or allow unprivileged user namespaces.`,
  );
}
