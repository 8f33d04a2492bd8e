import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { makeOutputFolder, outputFolder } from '../../store/outputs.ts';
import type { Project } from '../project.ts';
import { isFlooded, MOST_MEGABYTES_READ, readText, withLeftOutput, withNewOutput } from './output.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
afterEach(() => void vi.restoreAllMocks());

const LIMIT = 32 * 1024 * 1024;
const left = (): string => withLeftOutput(project, 'a1', readText);
const place = (): string => path.join(outputFolder(project, 'a1'), 'stdout');

describe('what a program prints', () => {
  it('is read by the very descriptor that it was given, wherever that stands and whatever took its place', async () => {
    makeOutputFolder(project, 'a1');
    const read = await withNewOutput(project, 'a1', async (output) => {
      fs.writeSync(output, 'é one\n');
      fs.rmSync(place());
      fs.writeFileSync(place(), 'forged');
      return readText(output);
    });
    expect(read).toBe('é one\n');
  });

  it('goes into a new file of our own, over what was there', async () => {
    putOutput(project, 'a1', 'an earlier try');
    const kept = fs.openSync(place(), 'r');
    await withNewOutput(project, 'a1', async (output) => void fs.writeSync(output, 'now'));
    expect([fs.readFileSync(kept, 'utf8'), left()]).toEqual(['an earlier try', 'now']);
    fs.closeSync(kept);
    expect(fs.statSync(place()).mode & 0o777).toBe(0o600);
  });

  it('goes nowhere through a link, in the file’s place or in its folder’s', async () => {
    const outside = writeIn(project, 'outside/stdout', 'dear');
    makeOutputFolder(project, 'a1');
    fs.symlinkSync(outside, place());
    await withNewOutput(project, 'a1', async (output) => void fs.writeSync(output, 'said'));
    expect([fs.readFileSync(outside, 'utf8'), left()]).toEqual(['dear', 'said']);
    fs.rmSync(outputFolder(project, 'a1'), { recursive: true });
    fs.symlinkSync(path.dirname(outside), outputFolder(project, 'a1'));
    await expect(withNewOutput(project, 'a1', async () => 'used')).rejects.toThrow();
    expect(fs.readFileSync(outside, 'utf8')).toBe('dear');
  });
});

describe('what an attempt left', () => {
  it('is the text of its file', () => {
    putOutput(project, 'a1', 'é one\n');
    expect(left()).toBe('é one\n');
  });

  it('is nothing where there is no file, or something else in its place', () => {
    expect(left()).toBe('');
    makeOutputFolder(project, 'a1');
    fs.mkdirSync(place());
    expect(left()).toBe('');
    fs.rmdirSync(place());
    fs.symlinkSync(writeIn(project, 'out', 'one'), place());
    expect(left()).toBe('');
  });

  it('is at most 32 megabytes long', () => {
    expect(MOST_MEGABYTES_READ).toBe(32);
    const file = putOutput(project, 'a1', '');
    // A hole that takes no room.
    fs.truncateSync(file, LIMIT);
    expect(left()).toHaveLength(LIMIT);
    fs.truncateSync(file, LIMIT + 1);
    expect(withLeftOutput(project, 'a1', (output) => output !== null && isFlooded(output))).toBe(true);
    expect(left()).toBe('');
  });

  it.each([
    ['EIO', true],
    ['EACCES', false],
  ])('is tried again at the next stop when it cannot be read now: %s, %s', (code, isThrown) => {
    putOutput(project, 'a1', 'one');
    const error = Object.assign(new Error(code), { code });
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw error;
    });
    if (isThrown) expect(left).toThrow(code);
    else expect(left()).toBe('');
  });
});
