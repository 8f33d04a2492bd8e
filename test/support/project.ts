// A project to test in: a real git repository in a temp folder, with a HOME beside it that holds byte code alone.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { giveByteCode, keepByteCode } from './byte-code.ts';
import { removeFolder } from './remove-folder.ts';
import { makeSuiteFolder } from './suite-folder.ts';

export type TempProject = {
  root: string;
  home: string;
  /** Writes a file, its folders included; answers with its path. */
  write(file: string, content: string): string;
  read(file: string): string;
  exists(file: string): boolean;
  remove(): void;
};

/** `emptyHome`: for tests of what is written there. */
export function tempProject(name = 'project', { emptyHome = false } = {}): TempProject {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-')));
  const root = path.join(folder, name);
  const home = path.join(folder, 'home');
  fs.mkdirSync(root);
  fs.mkdirSync(home);
  fs.cpSync(emptyRepository(), path.join(root, '.git'), { recursive: true });
  if (!emptyHome) giveByteCode(home);
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
    remove: () => {
      if (!emptyHome) keepByteCode(home);
      removeFolder(folder);
    },
  };
}

let made: string | undefined;

/** What `git init` makes, once for all projects of a test file: a copy takes a tenth of the time. */
function emptyRepository(): string {
  if (made !== undefined) return made;
  const folder = makeSuiteFolder('repository-');
  execFileSync('git', ['init', '--quiet', '--template=', folder]);
  made = path.join(folder, '.git');
  return made;
}
