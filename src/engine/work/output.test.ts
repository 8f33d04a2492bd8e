import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { makeOutputFolder, outputFolder } from '../../store/outputs.ts';
import type { Project } from '../project.ts';
import { readText, withLeftOutput, withNewOutput } from './output.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
  makeOutputFolder(project, 'a1');
});
afterEach(() => void vi.restoreAllMocks());

const left = (): string => withLeftOutput(project, 'a1', readText);
const place = (): string => path.join(outputFolder(project, 'a1'), 'stdout');
const say = (text: string) => withNewOutput(project, 'a1', async (output) => void fs.writeSync(output, text));

it('what a program prints is read by its own descriptor, whatever took the file’s place', async () => {
  const read = await withNewOutput(project, 'a1', async (output) => {
    fs.writeSync(output, 'é one\n');
    fs.rmSync(place());
    fs.writeFileSync(place(), 'forged');
    return readText(output);
  });
  expect(read).toBe('é one\n');
});

it('it goes into a new file of our own, over what was there, and nowhere through a link', async () => {
  putOutput(project, 'a1', 'an earlier try');
  const kept = fs.openSync(place(), 'r');
  await say('now');
  expect([fs.readFileSync(kept, 'utf8'), left()]).toEqual(['an earlier try', 'now']);
  fs.closeSync(kept);
  expect(fs.statSync(place()).mode & 0o777).toBe(0o600);
  const outside = writeIn(project, 'outside/stdout', 'dear');
  fs.rmSync(place());
  fs.symlinkSync(outside, place());
  expect(left()).toBe('');
  await say('said');
  expect([fs.readFileSync(outside, 'utf8'), left()]).toEqual(['dear', 'said']);
  fs.rmSync(outputFolder(project, 'a1'), { recursive: true });
  fs.symlinkSync(path.dirname(outside), outputFolder(project, 'a1'));
  await expect(say('said')).rejects.toThrow();
  expect(fs.readFileSync(outside, 'utf8')).toBe('dear');
});

it('an attempt left nothing where there is no file, or a folder in its place', () => {
  expect(left()).toBe('');
  fs.mkdirSync(place());
  expect(left()).toBe('');
});

it('no more than 32 megabytes of it are read', () => {
  // A hole that takes no room.
  fs.truncateSync(putOutput(project, 'a1', ''), 32 * 1024 * 1024);
  expect(left()).toHaveLength(32 * 1024 * 1024);
  fs.truncateSync(place(), 32 * 1024 * 1024 + 1);
  expect(left()).toBe('');
});

it.each([
  ['EIO', true],
  ['EACCES', false],
])('where it cannot be read now (%s) it is tried again at the next stop: %s', (code, isThrown) => {
  putOutput(project, 'a1', 'one');
  vi.spyOn(fs, 'openSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  if (isThrown) expect(left).toThrow(code);
  else expect(left()).toBe('');
});
