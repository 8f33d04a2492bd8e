import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
