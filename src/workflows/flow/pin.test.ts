import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { comparePin, pinFlow } from './pin.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});

const folder = (): string => path.join(path.dirname(project.root), 'state/holdfast/pins');
const file = (): string => path.join(folder(), fs.readdirSync(folder())[0] ?? '');

it('a definition is pinned once, for this run of this project', () => {
  expect(comparePin(project, 'r1', 'one')).toBe('none');
  expect(pinFlow(project, 'r1', 'one')).toBe('same');
  expect(comparePin(project, 'r1', 'two')).toBe('differs');
  expect(pinFlow(project, 'r1', 'two')).toBe('differs');
  expect(comparePin(project, 'r1', 'one')).toBe('same');
  expect(comparePin(project, 'r2', 'one')).toBe('none');
  expect(comparePin({ ...project, root: `${project.root}2` }, 'r1', 'one')).toBe('none');
  expect(fs.readdirSync(folder())).toEqual([expect.stringMatching(/^flow-\w+\.json$/)]);
});

it('each run and each project has a pin of its own', () => {
  const other = { ...project, root: `${project.root}2` };
  pinFlow(project, 'r1', 'one');
  pinFlow(project, 'r2', 'two');
  pinFlow(other, 'r1', 'three');
  expect(comparePin(project, 'r1', 'one')).toBe('same');
  expect(comparePin(project, 'r2', 'two')).toBe('same');
  expect(comparePin(other, 'r1', 'three')).toBe('same');
});

it.each([{ run: 'r2' }, { root: '/elsewhere' }])(
  'a pin of another (%j) is none, and is replaced',
  (other) => {
    pinFlow(project, 'r1', 'one');
    const pin = { run: 'r1', root: project.root, definition: 'one' };
    expect(JSON.parse(fs.readFileSync(file(), 'utf8'))).toEqual(pin);
    fs.writeFileSync(file(), JSON.stringify({ ...pin, ...other }));
    expect(comparePin(project, 'r1', 'one')).toBe('none');
    expect(pinFlow(project, 'r1', 'two')).toBe('same');
    expect(comparePin(project, 'r1', 'one')).toBe('differs');
  },
);

it.each(['run', 'root', 'definition'])('a pin without its %s is none', (key) => {
  pinFlow(project, 'r1', 'one');
  fs.writeFileSync(
    file(),
    JSON.stringify({ run: 'r1', root: project.root, definition: 'one', [key]: undefined }),
  );
  expect(comparePin(project, 'r1', 'one')).toBe('none');
});

it('a link in its place was put there by somebody', () => {
  pinFlow(project, 'r1', 'one');
  const place = file();
  fs.renameSync(place, `${place}.moved`);
  fs.symlinkSync(`${place}.moved`, place);
  expect(comparePin(project, 'r1', 'one')).toBe('differs');
});

it.each([
  ['EIO', true],
  ['EMFILE', true],
  ['EACCES', false],
])('%s while it is read passes: %s', (code, passes) => {
  pinFlow(project, 'r1', 'one');
  const { openSync } = fs;
  const place = file();
  const opened = vi.spyOn(fs, 'openSync').mockImplementation((at, ...rest) => {
    if (at === place) throw Object.assign(new Error('it failed'), { code });
    return openSync(at, ...rest);
  });
  onTestFinished(() => opened.mockRestore());
  const compare = () => comparePin(project, 'r1', 'one');
  if (passes) expect(compare).toThrow('it failed');
  else expect(compare()).toBe('differs');
});
