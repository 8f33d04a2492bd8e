import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, NOW, putLoop, writeAt } from '../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import type { LoopFiles, StateDir } from './files.ts';
import { isRunning, lastChange, readExitCode, readPlan, readQuietly, readRounds } from './review-progress.ts';

let root: string;
let dir: StateDir;
let files: LoopFiles;
beforeEach(() => {
  root = emptyFolder();
  ({ dir, files } = putLoop(projectIn(root)));
});
const HIGH = '## High\n- A (x)\n';

describe('a runner', () => {
  it.each([
    [10_000, true],
    [10_001, false],
    [-10_000, true],
    [-10_001, false],
  ])('%i ms after its last heartbeat counts as running: %s', (age, isOn) => {
    writeAt(files.heartbeat, '2\n', NOW - age);
    expect(isRunning(dir, files, 2, NOW)).toBe(isOn);
  });

  it.each([
    ['2', true],
    [' 2\n', true],
    ['1\n', false],
    ['', true],
    ['x', true],
  ])('with the heartbeat %j counts as that of round 2: %s', (text, isOn) => {
    writeAt(files.heartbeat, text, NOW);
    expect(isRunning(dir, files, 2, NOW)).toBe(isOn);
  });

  it('without a heartbeat does not run', () => {
    expect(isRunning(dir, files, 1, 0)).toBe(false);
  });

  it('counts as running by a heartbeat that cannot be read', () => {
    fs.mkdirSync(files.heartbeat, { recursive: true });
    fs.utimesSync(files.heartbeat, NOW / 1000, NOW / 1000);
    expect(isRunning(dir, files, 2, NOW)).toBe(true);
  });
});

describe('the rounds that were reviewed', () => {
  it('are those with a findings file that holds something, in order', () => {
    for (const round of [10, 9, 2]) writeAt(files.findings(round), HIGH);
    writeAt(files.findings(3), '');
    fs.mkdirSync(files.findings(4));
    writeAt(files.findings(1), '# Round 1\n\nNo substantive findings.\n');
    const others = ['findings-round-5.md.bak', 'x-findings-round-6.md', 'findings-round-x.md'];
    for (const name of [...others, 'findings-round-0.md', 'findings-round-7xmd'])
      writeAt(path.join(files.folder, name), HIGH);
    const one = { high: 1, medium: 0, low: 0 };
    expect([...readRounds(dir, files)]).toEqual([
      [1, { ...one, high: 0 }],
      [2, one],
      [9, one],
      [10, one],
    ]);
  });

  it('are none where the folder is not there', () => {
    expect([...readRounds(dir, files)]).toEqual([]);
  });
});

describe('the exit code of a runner', () => {
  it.each([
    ['0', 0],
    [' 127\n', 127],
    ['1270', null],
    ['x1', null],
    ['1x', null],
    ['-1', null],
    ['', null],
  ])('written as %j is %j', (text, code) => {
    writeAt(files.exit(2), text);
    expect(readExitCode(dir, files, 2)).toBe(code);
    expect(readExitCode(dir, files, 1)).toBeNull();
  });
});

describe('the last change of a loop', () => {
  const at = (file: string, time: number): void => fs.utimesSync(file, time / 1000, time / 1000);

  it('is that of the newest of its state, the plan and what is in its folder', () => {
    at(files.state, 5000);
    expect(lastChange(dir, ID)).toBe(5000);
    writeAt(path.join(root, 'PLAN.md'), 'x', 7000);
    expect(lastChange(dir, ID)).toBe(7000);
    writeAt(files.heartbeat, 'x', 9000);
    writeAt(files.findings(1), 'x', 8000);
    expect(lastChange(dir, ID)).toBe(9000);
    at(files.state, 11_000);
    expect(lastChange(dir, ID)).toBe(11_000);
  });

  it('is none where there is nothing', () => {
    fs.rmSync(files.state);
    expect(lastChange(dir, ID)).toBe(0);
  });
});

describe('the plan', () => {
  it('is read, wherever a link leads', () => {
    expect(readPlan(dir)).toBeNull();
    const outside = path.join(path.dirname(root), 'plans/mine.md');
    writeAt(outside, '# Mine\n');
    fs.symlinkSync(outside, path.join(root, 'PLAN.md'));
    expect(readPlan(dir)).toBe('# Mine\n');
  });

  it('is none where something else has its name', () => {
    fs.mkdirSync(path.join(root, 'PLAN.md'));
    expect(readPlan(dir)).toBeNull();
  });
});

describe('a file that is read quietly', () => {
  it('is none where it leads out of where it belongs', () => {
    writeAt(path.join(path.dirname(root), 'secret'), 'x');
    fs.symlinkSync(path.join(path.dirname(root), 'secret'), path.join(root, 'linked'));
    expect(readQuietly(path.join(root, 'linked'), root)).toBeNull();
    expect(readQuietly(path.join(path.dirname(root), 'secret'), path.dirname(root))).toBe('x');
  });

  it.each(['EIO', 'EMFILE'])('is not taken for missing where the machine fails with %s', (code) => {
    writeAt(path.join(root, 'there'), 'x');
    const open = fs.openSync;
    fs.openSync = () => {
      throw Object.assign(new Error('the disk failed'), { code });
    };
    try {
      expect(() => readQuietly(path.join(root, 'there'), root)).toThrow('the disk failed');
    } finally {
      fs.openSync = open;
    }
  });
});
