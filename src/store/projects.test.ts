import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import { ensureHome } from './home.ts';
import { knownProjects, noteProject } from './projects.ts';

let temp: TempProject;
let env: { HOME: string };
beforeEach(() => {
  temp = tempProject('project', { emptyHome: true });
  env = { HOME: temp.home };
  ensureHome(temp.root);
});
afterEach(() => temp.remove());

const folder = (): string => path.join(temp.home, '.local/state/holdfast/projects');
const record = (): string => path.join(folder(), fs.readdirSync(folder())[0] ?? '');

it('knows a project once it is noted, and notes it once', () => {
  expect(knownProjects(env)).toEqual([]);
  noteProject(env, temp.root);
  const { ino } = fs.statSync(record());
  noteProject(env, temp.root);
  expect(knownProjects(env)).toEqual([temp.root]);
  expect(fs.statSync(record()).ino).toBe(ino);
  expect(fs.readdirSync(folder())).toHaveLength(1);
  expect(fs.statSync(record()).mode & 0o777).toBe(0o600);
});

it('writes one again that a crash of the machine emptied', () => {
  noteProject(env, temp.root);
  fs.truncateSync(record(), 0);
  expect(knownProjects(env)).toEqual([]);
  noteProject(env, temp.root);
  expect(knownProjects(env)).toEqual([temp.root]);
});

it('leaves out a project that is gone, moved behind a link, or has nothing of ours any more', () => {
  noteProject(env, temp.root);
  const moved = `${temp.root}-moved`;
  fs.renameSync(temp.root, moved);
  expect(knownProjects(env)).toEqual([]);
  fs.symlinkSync(moved, temp.root);
  expect(knownProjects(env)).toEqual([]);
  fs.unlinkSync(temp.root);
  fs.renameSync(moved, temp.root);
  fs.rmSync(path.join(temp.root, '.holdfast'), { recursive: true });
  expect(knownProjects(env)).toEqual([]);
});

it('passes over what is no record, and a copy under another name', () => {
  noteProject(env, temp.root);
  fs.copyFileSync(record(), path.join(folder(), 'copy.json'));
  fs.writeFileSync(path.join(folder(), 'broken.json'), '{"root":7}');
  fs.writeFileSync(path.join(folder(), 'torn.json'), '{"root":"/');
  fs.symlinkSync('/etc/passwd', path.join(folder(), 'link.json'));
  expect(knownProjects(env)).toEqual([temp.root]);
});

it('that cannot be noted leaves nothing behind, and is an error', () => {
  const rename = vi.spyOn(disk, 'rename').mockImplementation(() => {
    throw new Error('no space left');
  });
  expect(() => noteProject(env, temp.root)).toThrow('no space left');
  rename.mockRestore();
  expect(fs.readdirSync(folder())).toEqual([]);
  expect(knownProjects(env)).toEqual([]);
});

it('that a crash of the machine emptied is noted again', () => {
  noteProject(env, temp.root);
  fs.truncateSync(record(), 0);
  expect(knownProjects(env)).toEqual([]);
  noteProject(env, temp.root);
  expect(knownProjects(env)).toEqual([temp.root]);
});

it('where it lies cannot be looked at is left out', () => {
  noteProject(env, temp.root);
  vi.spyOn(fs.realpathSync, 'native').mockImplementation(((file: string) => {
    if (file === temp.root) throw Object.assign(new Error('closed'), { code: 'EACCES' });
    return file;
  }) as typeof fs.realpathSync.native);
  expect(knownProjects(env)).toEqual([]);
  vi.restoreAllMocks();
  expect(knownProjects(env)).toEqual([temp.root]);
});
