import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOnPath, isMissing, isOnPath, withoutProjectOnPath, withProjectLastOnPath } from './on-path.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-path-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function put(file: string, mode = 0o755): string {
  const place = path.join(folder, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, '#!/bin/sh\n', { mode });
  return place;
}
const pathOf = (...names: string[]) => ({ PATH: names.map((name) => path.join(folder, name)).join(':') });

describe('a program', () => {
  it('is on PATH where it is a file that may be executed', () => {
    const program = put('b/tool');
    put('b/text', 0o644);
    fs.mkdirSync(path.join(folder, 'b/folder'));
    expect(isOnPath('tool', pathOf('a', 'b'))).toBe(true);
    expect(isOnPath('tool', pathOf('a'))).toBe(false);
    expect(isOnPath('text', pathOf('b'))).toBe(false);
    expect(isOnPath('folder', pathOf('b'))).toBe(false);
    expect(isOnPath('tool', {})).toBe(false);
    expect(isOnPath(program, {})).toBe(true);
    expect(isOnPath(`${program}-no`, pathOf('b'))).toBe(false);
  });

  it('is not looked for in relative folders', () => {
    put('b/tool');
    const relative = path.relative(process.cwd(), path.join(folder, 'b'));
    expect(isOnPath('tool', { PATH: `${relative}:.:` })).toBe(false);
    expect(findOnPath('tool', { PATH: `${relative}:.:` }, null)).toBeNull();
  });

  it('is missing where it could not be started and is not there', () => {
    put('b/tool');
    const error = (code: string) => Object.assign(new Error(code), { code });
    expect(isMissing(error('ENOENT'), 'tool', pathOf('a'))).toBe(true);
    expect(isMissing(error('EACCES'), 'tool', pathOf('a'))).toBe(true);
    expect(isMissing(error('ENOENT'), 'tool', pathOf('b'))).toBe(false);
    expect(isMissing(error('EIO'), 'tool', pathOf('a'))).toBe(false);
  });

  it('is not taken from the project, unless the project is where the user installs programs', () => {
    const project = path.join(folder, 'project');
    fs.mkdirSync(path.join(project, 'bin'), { recursive: true });
    fs.symlinkSync(path.join(project, 'bin'), path.join(folder, 'link'));
    const env = { HOME: path.join(folder, 'home'), PATH: `${project}/bin:/a:.:${folder}/link:/b` };
    expect(withoutProjectOnPath(env, project).PATH).toBe('/a:/b');
    expect(withProjectLastOnPath(env, project).PATH).toBe(`/a:/b:${project}/bin:${folder}/link`);
    expect(withoutProjectOnPath({ ...env, HOME: project }, project).PATH).toContain(`${project}/bin`);
  });

  it('is looked for although a folder of PATH cannot be resolved', () => {
    const circle = path.join(folder, 'circle');
    fs.symlinkSync('circle', circle);
    expect(withoutProjectOnPath({ PATH: `${circle}:/a` }, path.join(folder, 'project')).PATH).toBe(
      `${circle}:/a`,
    );
  });

  it('is found where no agent writes', () => {
    const [one, two] = [put('one/tool'), put('two/tool')];
    put('zero/tool', 0o644);
    const env = pathOf('none', 'zero', 'one', 'two');
    expect(findOnPath('tool', env, null)).toBe(one);
    expect(findOnPath('tool', env, path.join(folder, 'one'))).toBe(two);
    expect(findOnPath('tool', env, folder)).toBeNull();
    expect(findOnPath('tool', {}, null)).toBeNull();
    // Nor one behind a link, whichever of the two lies there.
    fs.mkdirSync(path.join(folder, 'links'));
    fs.symlinkSync(one, path.join(folder, 'links/tool'));
    expect(findOnPath('tool', pathOf('links', 'two'), path.join(folder, 'one'))).toBe(two);
    expect(findOnPath('tool', pathOf('links', 'two'), path.join(folder, 'links'))).toBe(two);
    expect(findOnPath('tool', pathOf('links'), path.join(folder, 'two'))).toBe(
      path.join(folder, 'links/tool'),
    );
  });
});
