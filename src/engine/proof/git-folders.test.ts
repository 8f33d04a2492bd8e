import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../project.ts';
import { gitFoldersOf } from './git-folders.ts';

let project: Project;

beforeEach(() => {
  project = bareProject();
});

const at = (file: string): string => path.join(project.root, file);

/** What git would take for a repository's own folder. */
function folder(name: string, config = ''): void {
  writeIn(project, `${name}/HEAD`, 'ref: refs/heads/main\n');
  writeIn(project, `${name}/config`, config);
  fs.mkdirSync(at(`${name}/objects`));
}

const plain = {
  hash: 'sha1',
  ignoreCase: false,
  precomposeUnicode: false,
  split: false,
};

describe('where a repository keeps its things', () => {
  it('is its own folder', () => {
    folder('.git');
    expect(gitFoldersOf(project.root)).toEqual({ own: at('.git'), common: at('.git'), ...plain });
  });

  it('is where a file says', () => {
    folder('elsewhere');
    writeIn(project, '.git', 'gitdir: elsewhere\n');
    expect(gitFoldersOf(project.root)).toEqual({ own: at('elsewhere'), common: at('elsewhere'), ...plain });
    writeIn(project, '.git', `gitdir: ${at('elsewhere')}\n`);
    expect(gitFoldersOf(project.root)?.own).toBe(at('elsewhere'));
  });

  it('is in two folders in a linked work tree', () => {
    folder('main');
    writeIn(project, 'main/worktrees/one/HEAD', 'x');
    writeIn(project, 'main/worktrees/one/commondir', '../..\n');
    writeIn(project, '.git', 'gitdir: main/worktrees/one\n');
    expect(gitFoldersOf(project.root)).toEqual({
      own: at('main/worktrees/one'),
      common: at('main'),
      ...plain,
    });
  });

  it.each([
    ['[extensions]\n\tobjectformat = sha256\n', { hash: 'sha256' }],
    ['[extensions] objectFormat="sha256"\n', { hash: 'sha256' }],
    ['[core]\n\tignorecase = true\n', { ignoreCase: true }],
    ['[core]\nPrecomposeUnicode=true', { precomposeUnicode: true }],
    ['[core]\n\tignorecase = truest\n\tnoignorecase = true\n# objectformat = sha256\n', {}],
  ])('is read in its config: %j', (config, more) => {
    folder('.git', config);
    expect(gitFoldersOf(project.root)).toMatchObject({ ...plain, ...more });
  });

  it('reads no config that is longer than any', () => {
    const setting = '[core]\nignorecase = true\n';
    folder('.git', setting.padEnd(1024 * 1024));
    expect(gitFoldersOf(project.root)?.ignoreCase).toBe(true);
    writeIn(project, '.git/config', setting.padEnd(1024 * 1024 + 1));
    expect(gitFoldersOf(project.root)?.ignoreCase).toBe(false);
  });

  it('may have an index in two parts', () => {
    folder('.git');
    writeIn(project, '.git/sharedindex.1234', '');
    expect(gitFoldersOf(project.root)?.split).toBe(true);
  });
});

describe('no repository', () => {
  it.each<[string, () => void]>([
    ['without a .git', () => {}],
    ['without a HEAD', () => fs.rmSync(at('.git/HEAD'))],
    ['without objects', () => fs.rmSync(at('.git/objects'), { recursive: true })],
    [
      'whose objects are a file',
      () => {
        fs.rmSync(at('.git/objects'), { recursive: true });
        writeIn(project, '.git/objects', '');
      },
    ],
    ['whose other folder is nowhere', () => writeIn(project, '.git/commondir', 'nowhere\n')],
  ])('is one %s', (what, act) => {
    if (what !== 'without a .git') folder('.git');
    act();
    expect(gitFoldersOf(project.root)).toBeNull();
  });

  it.each([
    '',
    'elsewhere\n',
    'gitdir: \n',
    'gitdir: nowhere\n',
    'gitdir: elsewhere/HEAD\n',
    'a gitdir: elsewhere\n',
    '\ngitdir: elsewhere\n',
  ])('is named by a file with %j', (text) => {
    folder('elsewhere');
    writeIn(project, '.git', text);
    expect(gitFoldersOf(project.root)).toBeNull();
  });
});
