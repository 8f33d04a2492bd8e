// Before each test the probes' notes go to a file of its own; between tests, to the test file's.

import fs from 'node:fs';
import { afterEach, beforeEach, expect } from 'vitest';

const folder = process.env.HOLDFAST_PROBES;
const testFile = expect.getState().testPath;
const between = noteFor(testFile, null);

beforeEach(({ task }) => turnTo(noteFor(testFile, fullName(task))));
afterEach(() => turnTo(between));
turnTo(between);

function fullName(task) {
  const names = [];
  for (let each = task; each !== undefined && each.type !== undefined; each = each.suite)
    names.unshift(each.name);
  return names.filter((name) => name !== '').join(' ');
}

function noteFor(file, name) {
  const index = fs.readdirSync(folder).length;
  const note = `${folder}/${String(index).padStart(6, '0')}-${process.pid}`;
  fs.writeFileSync(`${note}.json`, JSON.stringify({ file, name }));
  fs.writeFileSync(`${note}.hits`, '');
  fs.chmodSync(`${note}.hits`, 0o666);
  return `${note}.hits`;
}

function turnTo(note) {
  fs.rmSync(`${folder}/turning`, { force: true });
  fs.symlinkSync(note, `${folder}/turning`);
  fs.renameSync(`${folder}/turning`, `${folder}/current`);
  globalThis.__holdfastProbes?.next();
}
