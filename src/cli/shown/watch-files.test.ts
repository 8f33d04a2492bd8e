import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchFiles } from './watch-files.ts';

const NEVER_BY_ITSELF = 3_600_000;
let folder: string;
let looks: number;
let end: () => void;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-watch-'));
  looks = 0;
  end = () => {};
});
afterEach(() => {
  end();
  fs.rmSync(folder, { recursive: true });
});

const file = (): string => path.join(folder, 'journal');

function watch(paths: () => readonly string[], seldomMs = NEVER_BY_ITSELF): void {
  end = watchFiles(
    paths,
    async () => {
      looks += 1;
    },
    seldomMs,
  );
}

const looked = (times: number) =>
  expect.poll(() => looks, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(times);

it('looks when something was written', async () => {
  fs.writeFileSync(file(), '');
  watch(() => [file()]);
  fs.appendFileSync(file(), 'a\n');
  await looked(1);
  fs.appendFileSync(file(), 'b\n');
  await looked(2);
});

it('goes on with the file that has the name now', async () => {
  fs.writeFileSync(file(), '');
  watch(() => [file()]);
  fs.renameSync(file(), `${file()}.1`);
  fs.writeFileSync(file(), '');
  await looked(1);
  fs.appendFileSync(file(), 'a\n');
  await looked(2);
});

it('watches what comes later', async () => {
  watch(() => [fs.existsSync(file()) ? file() : folder]);
  fs.writeFileSync(file(), '');
  await looked(1);
  fs.appendFileSync(file(), 'a\n');
  await looked(2);
});

it('looks by itself where no notice comes', async () => {
  watch(() => [path.join(folder, 'not-there')], 10);
  await looked(2);
});

it('does nothing after its end', async () => {
  fs.writeFileSync(file(), '');
  watch(() => [file()]);
  end();
  fs.appendFileSync(file(), 'a\n');
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(looks).toBe(0);
});

describe('what the system says of a file', () => {
  type Heard = { notice(event: string): void; fail(): void; closed: number };
  let watched: Map<string, Heard[]>;

  beforeEach(() => {
    watched = new Map();
    vi.useFakeTimers();
    vi.spyOn(fs, 'watch').mockImplementation(((
      path: string,
      _: object,
      listener: (event: string) => void,
    ) => {
      if (path === 'not-there') throw new Error('ENOENT');
      const events = new EventEmitter();
      const heard: Heard = { notice: listener, fail: () => events.emit('error', new Error()), closed: 0 };
      watched.set(path, [...(watched.get(path) ?? []), heard]);
      return Object.assign(events, { close: () => (heard.closed += 1) });
    }) as unknown as typeof fs.watch);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const last = (path: string): Heard => {
    const heard = watched.get(path)?.at(-1);
    if (heard === undefined) throw new Error(`${path} is not watched`);
    return heard;
  };
  const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  it('is looked at a little later, once for many notices, and never twice within half a second', async () => {
    watch(() => ['a']);
    for (let count = 0; count < 5; count++) last('a').notice('change');
    await later(199);
    expect(looks).toBe(0);
    await later(1);
    expect(looks).toBe(1);
    last('a').notice('change');
    await later(499);
    expect(looks).toBe(1);
    await later(1);
    expect(looks).toBe(2);
    await later(10_000);
    expect(looks).toBe(2);
    expect(watched.get('a')).toHaveLength(1);
  });

  it('is watched no more where it ends during a look', async () => {
    let paths = ['a'];
    let goOn = (): void => {};
    end = watchFiles(
      () => paths,
      () =>
        new Promise((resolve) => {
          goOn = resolve;
        }),
    );
    last('a').notice('change');
    await later(200);
    paths = ['a', 'b'];
    end();
    goOn();
    await later(10_000);
    expect([...watched.keys()]).toEqual(['a']);
    expect(last('a').closed).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is looked at without any notice every three seconds', async () => {
    end = watchFiles(
      () => ['a'],
      async () => {
        looks += 1;
      },
    );
    await later(2_999);
    expect(looks).toBe(0);
    await later(1);
    expect(looks).toBe(1);
    await later(3_000);
    expect(looks).toBe(2);
  });

  it('while a look goes on brings another one', async () => {
    let ended = (): void => {};
    end = watchFiles(
      () => ['a'],
      () => {
        looks += 1;
        return new Promise((resolve) => {
          ended = resolve;
        });
      },
      NEVER_BY_ITSELF,
    );
    last('a').notice('change');
    await later(200);
    expect(looks).toBe(1);
    last('a').notice('change');
    await later(5_000);
    expect(looks).toBe(1);
    ended();
    await later(0);
    await later(1);
    expect(looks).toBe(2);
    ended();
    await later(5_000);
    expect(looks).toBe(2);
  });

  it('is heard of the file that has the name now, and of one whose watch has failed, after the next look', async () => {
    watch(() => ['a', 'b']);
    last('a').notice('rename');
    expect(watched.get('a')?.map(({ closed }) => closed)).toEqual([1]);
    await later(200);
    expect(watched.get('a')?.map(({ closed }) => closed)).toEqual([1, 0]);
    last('b').fail();
    expect(watched.get('b')?.map(({ closed }) => closed)).toEqual([1]);
    last('a').notice('change');
    await later(500);
    expect(watched.get('b')?.map(({ closed }) => closed)).toEqual([1, 0]);
    expect(watched.get('a')).toHaveLength(2);
  });

  it('is no longer heard of a file that nobody wants, nor of any after the end', async () => {
    let wanted = ['a', 'b', 'not-there'];
    watch(() => wanted);
    expect([...watched.keys()]).toEqual(['a', 'b']);
    wanted = ['b', 'c'];
    last('a').notice('change');
    await later(200);
    expect(last('a').closed).toBe(1);
    expect(last('b').closed).toBe(0);
    expect(watched.get('b')).toHaveLength(1);
    end();
    expect([last('b').closed, last('c').closed]).toEqual([1, 1]);
    last('c').notice('change');
    await later(60_000);
    expect(looks).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
