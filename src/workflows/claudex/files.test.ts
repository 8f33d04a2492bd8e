import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { filesOf, logFile, movedFolder, planFile, shown, stateDirOf, sweptFolder } from './files.ts';

let root: string;
let outside: string;
beforeEach(() => {
  root = emptyFolder();
  outside = path.join(path.dirname(root), 'shared');
});
const dirOf = (wanted?: string) =>
  stateDirOf({ root, env: wanted === undefined ? {} : { CLAUDEX_STATE_DIR: wanted } });
const usual = () => ({ root, path: path.join(root, '.claude/claudex'), within: root, shared: false });

describe('the folder of the loops', () => {
  it('is in the project where nothing else is said', () => {
    expect(dirOf()).toEqual(usual());
    expect(dirOf('')).toEqual(usual());
    expect(movedFolder(root, {})).toBeNull();
    expect(movedFolder(root, { CLAUDEX_STATE_DIR: '' })).toBeNull();
  });

  it('is where the user moved it, from the project on', () => {
    expect(dirOf('loops')).toEqual({ ...usual(), path: path.join(root, 'loops') });
    expect(movedFolder(root, { CLAUDEX_STATE_DIR: '../shared' })).toBe(outside);
    fs.mkdirSync(outside);
    expect(movedFolder(root, { CLAUDEX_STATE_DIR: outside })).toBe(outside);
  });

  it('is shared outside of the project, whether it is there yet or not', () => {
    const shared = { root, path: outside, within: outside, shared: true };
    expect(dirOf(outside)).toEqual(shared);
    fs.mkdirSync(outside);
    expect(dirOf('../shared')).toEqual(shared);
  });

  it('is what a link leads to', () => {
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, path.join(root, 'out'));
    expect(dirOf('out')).toEqual({ root, path: path.join(root, 'out'), within: outside, shared: true });
    fs.mkdirSync(path.join(root, 'in'));
    fs.symlinkSync(path.join(root, 'in'), path.join(path.dirname(root), 'back'));
    expect(dirOf('../back')).toEqual({ ...usual(), path: path.join(path.dirname(root), 'back') });
  });

  it('is shared by nobody where a link of the project leads out', () => {
    fs.mkdirSync(path.join(outside, 'claudex'), { recursive: true });
    fs.symlinkSync(outside, path.join(root, '.claude'));
    expect(dirOf()).toEqual(usual());
    fs.writeFileSync(path.join(root, 'file'), '');
    expect(dirOf('file')).toEqual(usual());
  });

  it('is the usual one where what is named cannot be a folder', () => {
    fs.writeFileSync(outside, '');
    for (const wanted of [outside, path.join(outside, 'below')]) {
      expect(movedFolder(root, { CLAUDEX_STATE_DIR: wanted })).toBe('unusable');
      expect(dirOf(wanted)).toEqual(usual());
    }
  });
});

describe('the files of a loop', () => {
  it('lie beside each other, and the review of a diff in reviews/', () => {
    const dir = dirOf();
    const { findings, exit, output, ...files } = filesOf(dir, 'ID');
    const at = (name: string): string => path.join(dir.path, name);
    expect(files).toEqual({
      ...{
        state: at('ID.state'),
        lock: at('ID.lock'),
        runner: at('ID-runner.sh'),
        prompt: at('ID-prompt.txt'),
      },
      ...{ folder: at('ID'), heartbeat: at('ID/running') },
      review: path.join(root, 'reviews/review-ID.md'),
      proposedFixes: path.join(root, 'reviews/proposed-fixes-ID.md'),
    });
    expect([findings(2), exit(2), output(2)]).toEqual([
      at('ID/findings-round-2.md'),
      at('ID/exit-round-2'),
      at('ID/output-round-2.txt'),
    ]);
    expect([planFile(dir), logFile(dir), sweptFolder(dir)]).toEqual([
      path.join(root, 'PLAN.md'),
      at('log'),
      at('swept'),
    ]);
  });

  it('are shown from the project on, but those outside of it whole', () => {
    const dir = dirOf();
    expect(shown(dir, path.join(root, 'a/b'))).toBe('a/b');
    expect(shown(dir, `${root}-2/b`)).toBe(`${root}-2/b`);
  });
});
