import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ArtifactSeal, sealArtifacts } from './artifacts.ts';

const NEVER: ArtifactSeal = { stamp: '', content: '' };

let folder: string;
let files: string[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-artifacts-'));
  files = ['a', 'b'].map((name) => path.join(folder, name));
  for (const file of files) fs.writeFileSync(file, 'one');
});

afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const [first, second] = [() => files[0] ?? '', () => files[1] ?? ''];

describe('the seal of a workflow’s files', () => {
  it('stays the same while they do, and their contents are not read again', () => {
    const seal = sealArtifacts(files, NEVER);
    const read = vi.spyOn(fs, 'readFileSync');

    expect(sealArtifacts(files, seal)).toBe(seal);
    expect(read).not.toHaveBeenCalled();
  });

  it('leaves no file open that it read', () => {
    const [opened, closed] = [vi.spyOn(fs, 'openSync'), vi.spyOn(fs, 'closeSync')];
    sealArtifacts(files, NEVER);
    expect(opened).toHaveBeenCalledTimes(2);
    expect(closed.mock.calls).toEqual(opened.mock.results.map(({ value }) => [value]));
  });

  it('keeps its content when files were only touched or written again', () => {
    const seal = sealArtifacts(files, NEVER);
    fs.utimesSync(first(), 1, 1);
    fs.rmSync(second());
    fs.writeFileSync(second(), 'one');

    const again = sealArtifacts(files, seal);

    expect(again.stamp).not.toBe(seal.stamp);
    expect(again.content).toBe(seal.content);
  });

  it('shows a change of the same length in the same second', () => {
    const seal = sealArtifacts(files, NEVER);
    fs.writeFileSync(first(), 'two');

    expect(sealArtifacts(files, seal).content).not.toBe(seal.content);
  });

  it('shows a file that came, went, or took another’s place', () => {
    const seals = new Set<string>();
    const note = () => seals.add(sealArtifacts(files, NEVER).content);
    note();
    fs.writeFileSync(first(), 'two');
    note();
    fs.renameSync(first(), second());
    note();
    fs.renameSync(second(), first());
    note();
    fs.rmSync(first());
    note();
    fs.writeFileSync(first(), '');
    note();

    expect(seals.size).toBe(6);
  });

  it('of no files at all is one and the same', () => {
    const seal = sealArtifacts([], NEVER);

    expect(sealArtifacts([], seal)).toBe(seal);
  });

  it('takes a FIFO, a folder and a link to nowhere as they are, without waiting or failing', () => {
    for (const file of files) fs.rmSync(file);
    execFileSync('mkfifo', [first()]);
    fs.mkdirSync(second());
    const dangling = path.join(folder, 'dangling');
    fs.symlinkSync('nowhere', dangling);
    const seal = sealArtifacts([...files, dangling, `${first()}/below`], NEVER);

    fs.writeFileSync(path.join(folder, 'nowhere'), 'now somewhere');

    expect(sealArtifacts([...files, dangling, `${first()}/below`], seal).content).not.toBe(seal.content);
  });

  it('takes a link that goes in circles for nothing there', () => {
    const circle = path.join(folder, 'circle');
    const none = sealArtifacts([circle], NEVER);
    fs.symlinkSync('circle', circle);

    expect(sealArtifacts([circle], NEVER)).toEqual(none);
  });

  it('counts a file that cannot be read by its size and time', () => {
    vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw new Error('EACCES');
    });
    const seal = sealArtifacts(files, NEVER);
    fs.writeFileSync(first(), 'longer');

    expect(sealArtifacts(files, seal).content).not.toBe(seal.content);
  });

  it('counts a giant file by its size and time, without reading it', () => {
    fs.truncateSync(first(), 16 * 1024 * 1024);
    fs.truncateSync(second(), 16 * 1024 * 1024 + 1);
    const read = vi.spyOn(fs, 'readFileSync');
    const seal = sealArtifacts(files, NEVER);
    expect(read).toHaveBeenCalledTimes(1);
    fs.utimesSync(second(), 1, 1);
    expect(sealArtifacts(files, seal).content).not.toBe(seal.content);
  });
});
