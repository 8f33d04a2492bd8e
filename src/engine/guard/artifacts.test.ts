import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { type ArtifactSeal, sealArtifacts } from './artifacts.ts';

const NEVER: ArtifactSeal = { stamp: '', content: '' };
let files: string[];
let first: string;
let second: string;
beforeEach(() => {
  const project = bareProject();
  first = writeIn(project, 'a', 'one');
  second = writeIn(project, 'b', 'one');
  files = [first, second];
});
afterEach(() => void vi.restoreAllMocks());

it('the seal of a run’s files stays while they do, and their contents are not read again', () => {
  const seal = sealArtifacts(files, NEVER);
  const read = vi.spyOn(fs, 'readFileSync');
  expect(sealArtifacts(files, seal)).toBe(seal);
  expect(read).not.toHaveBeenCalled();
});

it('its content stays when files were only touched or written again, and no file is left open', () => {
  const seal = sealArtifacts(files, NEVER);
  fs.utimesSync(first, 1, 1);
  fs.rmSync(second);
  fs.writeFileSync(second, 'one');
  const [opened, closed] = [vi.spyOn(fs, 'openSync'), vi.spyOn(fs, 'closeSync')];
  const again = sealArtifacts(files, seal);
  expect([again.stamp === seal.stamp, again.content === seal.content]).toEqual([false, true]);
  expect(closed.mock.calls).toEqual(opened.mock.results.map(({ value }) => [value]));
});

it('it shows a change of the same length, and a file that came, went or took another’s place', () => {
  const known = sealArtifacts(files, NEVER);
  const seals = [known];
  for (const change of [
    () => fs.writeFileSync(first, 'two'),
    () => fs.renameSync(first, second),
    () => fs.renameSync(second, first),
    () => fs.rmSync(first),
    () => fs.writeFileSync(first, ''),
  ]) {
    change();
    seals.push(sealArtifacts(files, known));
  }
  expect(new Set(seals.map(({ content }) => content)).size).toBe(6);
});

it('a FIFO, a folder, a link to nowhere and one in circles are taken as they are, without waiting or failing', () => {
  const [dangling, circle] = [`${first}-dangling`, `${first}-circle`];
  const none = sealArtifacts([circle], NEVER);
  for (const file of files) fs.rmSync(file);
  execFileSync('mkfifo', [first]);
  fs.mkdirSync(second);
  fs.symlinkSync('nowhere', dangling);
  fs.symlinkSync(path.basename(circle), circle);
  expect(sealArtifacts([circle], NEVER)).toEqual(none);
  const all = [...files, dangling, circle, `${first}/below`];
  const seal = sealArtifacts(all, NEVER);
  fs.writeFileSync(path.join(path.dirname(first), 'nowhere'), 'now somewhere');
  expect(sealArtifacts(all, seal).content).not.toBe(seal.content);
});

it('a file that cannot be read, or is giant, counts by its size and time, without being read', () => {
  fs.truncateSync(first, 16 * 1024 * 1024);
  fs.truncateSync(second, 16 * 1024 * 1024 + 1);
  const read = vi.spyOn(fs, 'readFileSync');
  const seal = sealArtifacts(files, NEVER);
  expect(read).toHaveBeenCalledTimes(1);
  fs.utimesSync(second, 1, 1);
  expect(sealArtifacts(files, seal).content).not.toBe(seal.content);
  read.mockImplementation(() => {
    throw new Error('EACCES');
  });
  const unread = sealArtifacts([first], NEVER);
  fs.writeFileSync(first, 'longer');
  expect(sealArtifacts([first], unread).content).not.toBe(unread.content);
});
