// The lease by itself: whose a generation is, when it is free again, and what is left in its folder.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refused } from './files.ts';
import { Lease, monotonicMs, readBeginning } from './lease-lock.ts';
import { ownRecord } from './lock-owner.ts';

let home: string;
let folder: string;
const leases: Lease[] = [];

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-lease-')));
  folder = path.join(home, 'lock.lease');
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const lease of leases.splice(0)) lease.leave();
  fs.rmSync(home, { recursive: true, force: true });
});

function newLease(): Lease {
  const lease = new Lease(folder, home);
  leases.push(lease);
  return lease;
}
const names = (): string[] => fs.readdirSync(folder).sort();
const recordIn = (generation: number): string => fs.readFileSync(path.join(folder, `${generation}`), 'utf8');
const isRequest = (name: string): boolean => name.startsWith('request-');
/** As a process wrote it that is not there any more. */
const deadRecord = (): string => `${JSON.stringify({ ...JSON.parse(ownRecord(null)), pid: 2 ** 22 + 1 })}\n`;

describe('the folder of a lease', () => {
  it.each([
    [0o755, 0o700, 0o600],
    [0o2770, 0o770, 0o660],
  ])('in one with the mode %o has the mode %o, and its files %o', (mode, ofFolder, ofFile) => {
    fs.chmodSync(home, mode);
    const lease = newLease();
    lease.tryTake(null);
    const umask = process.umask();
    expect(fs.statSync(folder).mode & 0o777).toBe(ofFolder & ~umask);
    expect(fs.statSync(path.join(folder, '1')).mode & 0o777).toBe(ofFile & ~umask);
  });

  it('may be there already, but nothing else in its place', () => {
    fs.mkdirSync(folder);
    expect(newLease().tryTake(null)).toBe(true);
    const taken = path.join(home, 'taken');
    fs.writeFileSync(taken, '');
    const said = `${taken} is not a folder, and Holdfast keeps a lock there; move it away.`;
    expect(() => new Lease(taken, home)).toThrow(new Refused(said));
    expect(() => new Lease(path.join(home, 'none', 'lease'), home)).toThrow('ENOENT');
  });
});

describe('a lease', () => {
  it('is one’s at a time, and the next generation is the next one’s', () => {
    const [one, other] = [newLease(), newLease()];
    expect(one.tryTake(null)).toBe(true);
    expect(names()).toEqual(['1']);
    expect(recordIn(1)).toBe(ownRecord(null));
    expect(other.tryTake(null)).toBe(false);
    expect(names()).toEqual(['1']);
    one.giveBack();
    expect(recordIn(1)).toBe('');
    expect(other.tryTake(7)).toBe(true);
    expect(names()).toEqual(['1', '2']);
    expect(recordIn(2)).toBe(ownRecord(7));
    other.giveBack();
    one.giveBack();
    expect(one.tryTake(null)).toBe(true);
    expect(names()).toEqual(['1', '2', '3']);
  });

  it('is free where its owner is dead', () => {
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, '9'), deadRecord());
    expect(newLease().tryTake(null)).toBe(true);
    expect(names()).toEqual(['10', '9']);
  });

  it('is free where its owner held the kernel’s lock too, which is ours now', () => {
    const [one, other] = [newLease(), newLease()];
    expect(one.tryTake(5)).toBe(true);
    expect(other.tryTake(6)).toBe(false);
    expect(newLease().tryTake(5)).toBe(true);
  });

  it('whose owner nobody can name is free when it was silent for long', () => {
    fs.mkdirSync(folder);
    const file = path.join(folder, '1');
    fs.writeFileSync(file, 'who knows');
    expect(newLease().tryTake(null)).toBe(false);
    const long = Date.now() / 1000 - 60;
    fs.utimesSync(file, long, long);
    const late = newLease();
    expect(late.tryTake(null)).toBe(true);
    expect(recordIn(2)).toBe(ownRecord(null));
  });

  it('believes for a moment that an owner lives whom it has seen alive', () => {
    const other = newLease();
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, '1'), ownRecord(null));
    let now = 1_000_000_000_000n;
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => now);
    expect(other.tryTake(null)).toBe(false);
    const reads = vi.spyOn(fs, 'readSync');
    const looksAt = (ms: number): number => {
      now = 1_000_000_000_000n + BigInt(ms) * 1_000_000n;
      reads.mockClear();
      expect(other.tryTake(null)).toBe(false);
      return reads.mock.calls.length;
    };
    const once = looksAt(49);
    expect(looksAt(50)).toBeGreaterThan(once);
    // Another one's record is looked at at once.
    fs.writeFileSync(path.join(folder, '1'), deadRecord());
    expect(other.tryTake(null)).toBe(true);
  });

  it('is not taken where another was faster', () => {
    const lease = newLease();
    const linkOnce = (before: () => void): void => {
      const link = fs.linkSync;
      vi.spyOn(fs, 'linkSync').mockImplementationOnce((from, to) => {
        before();
        link(from, to);
      });
    };
    linkOnce(() => fs.writeFileSync(path.join(folder, '1'), ownRecord(null)));
    expect(lease.tryTake(null)).toBe(false);
    expect(names()).toEqual(['1']);
    fs.writeFileSync(path.join(folder, '1'), '');
    // Several came and went while it slept: its request was swept away, or its generation is an old one.
    linkOnce(() => {
      for (const name of names().filter(isRequest)) fs.unlinkSync(path.join(folder, name));
    });
    expect(lease.tryTake(null)).toBe(false);
    linkOnce(() => fs.writeFileSync(path.join(folder, '3'), ''));
    expect(lease.tryTake(null)).toBe(false);
    expect(names().filter((name) => !isRequest(name))).toEqual(['1', '3']);
    expect(lease.tryTake(null)).toBe(true);
    expect(names()).toEqual(['1', '3', '4']);
  });

  it('is not taken where its newest generation goes while it is read', () => {
    const lease = newLease();
    vi.spyOn(fs, 'readdirSync').mockReturnValueOnce(['5'] as never);
    expect(lease.tryTake(null)).toBe(false);
    fs.symlinkSync('nowhere', path.join(folder, '1'));
    expect(() => lease.tryTake(null)).toThrow('ELOOP');
  });

  it('says where the file system has no hard links', () => {
    const lease = newLease();
    vi.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('no'), { code: 'EPERM' });
    });
    const said = `Cannot lock by ${folder}/1 (EPERM): without the kernel's lock Holdfast needs a file system with hard links; move the project to one.`;
    expect(() => lease.tryTake(null)).toThrow(new Refused(said));
    lease.giveBack();
    expect(names()).toEqual([]);
  });

  it('takes names that are no generations for none', () => {
    fs.mkdirSync(folder);
    for (const name of ['x7', '7x', '1234567890123456']) fs.writeFileSync(path.join(folder, name), 'other');
    expect(newLease().tryTake(null)).toBe(true);
    expect(names()).toContain('1');
    expect(recordIn(1)).toBe(ownRecord(null));
  });

  it('is renewed by its holder alone', () => {
    const lease = newLease();
    lease.renew();
    lease.tryTake(null);
    const file = path.join(folder, '1');
    fs.utimesSync(file, 1, 1);
    lease.renew();
    expect(fs.statSync(file).mtimeMs).toBeGreaterThan(1_000_000);
    expect(recordIn(1)).toBe(ownRecord(null));
    lease.giveBack();
    lease.renew();
    expect(recordIn(1)).toBe('');
  });

  it('tells its holder whether another’s owner is dead', () => {
    const lease = newLease();
    expect(lease.outlives('who knows', 0)).toBe(false);
    lease.tryTake(null);
    const { mtimeMs } = fs.statSync(path.join(folder, '1'));
    expect(lease.outlives('who knows', mtimeMs - 10_001)).toBe(true);
    expect(lease.outlives('who knows', mtimeMs - 10_000)).toBe(false);
    expect(lease.outlives(ownRecord(null), 0)).toBe(false);
    expect(lease.outlives(deadRecord(), mtimeMs)).toBe(true);
  });
});

describe('what is left in the folder', () => {
  it('is swept at every eighth generation, the last eight stay', () => {
    const lease = newLease();
    const next = (): void => {
      expect(lease.tryTake(null)).toBe(true);
      lease.giveBack();
    };
    for (let taken = 0; taken < 15; taken++) next();
    expect(names()).toHaveLength(15);
    const long = Date.now() / 1000;
    fs.writeFileSync(path.join(folder, 'request-old'), '');
    fs.utimesSync(path.join(folder, 'request-old'), long - 120, long - 120);
    fs.writeFileSync(path.join(folder, 'request-young'), '');
    fs.utimesSync(path.join(folder, 'request-young'), long - 30, long - 30);
    next();
    const kept = [9, 10, 11, 12, 13, 14, 15, 16].map(String);
    expect(names()).toEqual([...kept, 'request-young'].sort());
    next();
    expect(names()).toHaveLength(10);
  });

  it('is nobody’s open file', () => {
    const closed = vi.spyOn(fs, 'closeSync');
    const opened = vi.spyOn(fs, 'openSync');
    const [one, other] = [newLease(), newLease()];
    one.tryTake(null);
    other.tryTake(null);
    one.leave();
    other.leave();
    expect(closed.mock.calls).toHaveLength(opened.mock.calls.length);
  });
});

it('reads no more of a record than a record can be', () => {
  const file = path.join(home, 'long');
  fs.writeFileSync(file, 'x'.repeat(5000));
  const descriptor = fs.openSync(file, 'r');
  expect(readBeginning(descriptor)).toBe('x'.repeat(4096));
  expect(readBeginning(descriptor)).toHaveLength(4096);
  fs.closeSync(descriptor);
});

it('counts milliseconds', () => {
  vi.spyOn(process.hrtime, 'bigint').mockReturnValue(2_500_000n);
  expect(monotonicMs()).toBe(2.5);
});
