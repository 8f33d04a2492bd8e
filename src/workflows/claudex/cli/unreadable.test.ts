import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { filesOf, type StateDir, stateDirOf } from '../files.ts';
import { nearestExisting, refuseClosed, topOf, troubleWithState } from './unreadable.ts';

let root: string;
let dir: StateDir;
beforeEach(() => {
  root = emptyFolder();
  dir = stateDirOf({ root, env: {} });
});
const shared = (): StateDir =>
  stateDirOf({ root, env: { CLAUDEX_STATE_DIR: path.join(root, '../shared/by/all') } });
const aside = (file: string): string => `run \`mv ${file} ${file}.aside\``;

describe('the folder of the loops', () => {
  it('is not refused where it can be looked into, or is not there yet', () => {
    expect(() => refuseClosed(dir)).not.toThrow();
    expect(() => refuseClosed(shared())).not.toThrow();
    putLoop(projectIn(root));
    expect(() => refuseClosed(dir)).not.toThrow();
  });

  it.each([
    ['inside the project', () => dir],
    ['outside of it', shared],
  ])('%s is refused where it is none', (_, make) => {
    const { path: place } = make();
    const closed = make();
    writeAt(place, 'x');
    expect(() => refuseClosed(closed)).toThrow(
      expect.objectContaining({
        name: 'NotNow',
        message: `${place} is a file where a folder belongs; to fix it, ${aside(place)}`,
      }),
    );
  });
});

describe('the state of a loop', () => {
  it('is no trouble where it can be read, whatever it says, or is not there', () => {
    expect(troubleWithState(dir, ID)).toBeNull();
    const { files } = putLoop(projectIn(root));
    expect(troubleWithState(dir, ID)).toBeNull();
    fs.writeFileSync(files.state, '');
    expect(troubleWithState(dir, ID)).toBeNull();
  });

  it('is one where something else is in its place', () => {
    const { state } = filesOf(dir, ID);
    fs.mkdirSync(state, { recursive: true });
    expect(troubleWithState(dir, ID)).toEqual({
      what: `${state} is a folder where a file belongs`,
      fix: aside(state),
    });
    fs.rmdirSync(state);
    fs.symlinkSync('nowhere', state);
    expect(troubleWithState(dir, ID)).toEqual({
      what: `${state} is a link to nowhere`,
      fix: `run \`rm ${state}\``,
    });
  });

  it('is one where it is too long to be one, and is put aside', () => {
    const { state } = putLoop(projectIn(root)).files;
    fs.truncateSync(state, 5 * 1024 * 1024);
    expect(troubleWithState(dir, ID)).toEqual({
      what: expect.stringContaining(state),
      fix: aside(state),
    });
  });
});

describe('where one begins to look', () => {
  it('is the project for what lies in it', () => {
    expect(topOf(dir, path.join(root, 'a/b'))).toBe(root);
  });

  it('is the nearest folder that is there for what lies outside', () => {
    const above = path.dirname(root);
    expect(topOf(dir, path.join(above, 'shared/by/all'))).toBe(above);
    fs.mkdirSync(path.join(above, 'shared'));
    expect(topOf(dir, path.join(above, 'shared/by/all'))).toBe(path.join(above, 'shared'));
    expect(nearestExisting(root)).toBe(root);
    expect(nearestExisting(path.join(root, 'a/b/c'))).toBe(root);
    expect(nearestExisting('/')).toBe('/');
    expect(nearestExisting('nowhere/at/all')).toBe('.');
  });
});
