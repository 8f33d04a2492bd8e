// A project to test in: a real git repository in a temp folder, with an empty HOME beside it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type TempProject = {
  root: string;
  home: string;
  /** Writes a file, its folders included; answers with its path. */
  write(file: string, content: string): string;
  read(file: string): string;
  exists(file: string): boolean;
  remove(): void;
};

export function tempProject(name = 'project'): TempProject {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-')));
  const root = path.join(folder, name);
  const home = path.join(folder, 'home');
  fs.mkdirSync(root);
  fs.mkdirSync(home);
  execFileSync('git', ['init', '--quiet', root]);
  const at = (file: string): string => path.join(root, file);
  return {
    root,
    home,
    write(file, content) {
      fs.mkdirSync(path.dirname(at(file)), { recursive: true });
      fs.writeFileSync(at(file), content);
      return at(file);
    },
    read: (file) => fs.readFileSync(at(file), 'utf8'),
    exists: (file) => fs.existsSync(at(file)),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
