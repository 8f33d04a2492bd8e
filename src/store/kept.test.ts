import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pathOf } from '../../test/support/held-place.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import { ensureHome } from './home.ts';
import { forgetWords, type KeptFor, keepWord, keptWords } from './kept.ts';

let temp: TempProject;
let whose: KeptFor;

beforeEach(() => {
  temp = tempProject('project', { emptyHome: true });
  ensureHome(temp.root);
  whose = { root: temp.root, env: { HOME: temp.home }, run: 'idle:loop-1-1' };
});

afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

const WORD = 'abc123 <loop-done>COMPLETE</loop-done>';
const users = (): string => path.join(temp.home, '.local/state/holdfast/kept');

/** Nothing can be created below this folder. */
function refuse(folder: string): void {
  const { createNew } = disk;
  vi.spyOn(disk, 'createNew').mockImplementation((file, mode) => {
    if (pathOf(file).startsWith(folder)) throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    return createNew(file, mode);
  });
}

describe('a word for a run’s next stop', () => {
  it('is given back until it is forgotten', () => {
    expect(keptWords(whose)).toEqual([]);
    expect(keepWord(whose, WORD)).toBe(true);
    expect(keptWords(whose)).toEqual([WORD]);
    forgetWords(whose);
    expect(keptWords(whose)).toEqual([]);
    expect(fs.existsSync(users())).toBe(false);
  });

  it('is kept once, however often it is given', () => {
    expect([keepWord(whose, WORD), keepWord(whose, WORD)]).toEqual([true, true]);
    expect(keptWords(whose)).toEqual([WORD]);
  });

  it('takes no room: it is the name of an empty file', () => {
    keepWord(whose, WORD);
    const home = path.join(temp.root, '.holdfast');
    const [name = ''] = fs.readdirSync(home).filter((each) => each.startsWith('kept-'));
    expect(fs.statSync(path.join(home, name))).toMatchObject({ size: 0 });
    expect(fs.statSync(path.join(home, name)).mode & 0o777).toBe(0o600);
  });

  it('is another run’s for nobody, also where one name begins with the other', () => {
    keepWord(whose, WORD);
    expect(keptWords({ ...whose, run: 'idle:loop-1' })).toEqual([]);
    expect(keptWords({ ...whose, run: 'idle:loop-1-11' })).toEqual([]);
    forgetWords({ ...whose, run: 'idle:loop-1' });
    expect(keptWords(whose)).toEqual([WORD]);
  });

  it('goes to the user’s state folder where the project cannot be written, and to this project alone', () => {
    refuse(temp.root);
    expect(keepWord(whose, WORD)).toBe(true);
    expect(fs.readdirSync(users())).toHaveLength(1);
    expect(keptWords(whose)).toEqual([WORD]);
    expect(keptWords({ ...whose, root: temp.home })).toEqual([]);
    forgetWords(whose);
    expect(fs.readdirSync(users())).toEqual([]);
  });

  it('is not kept where neither can be written', () => {
    refuse('/');
    expect(keepWord(whose, WORD)).toBe(false);
    expect(keptWords(whose)).toEqual([]);
  });

  it('is none where a file is in the place of the user’s folder', () => {
    fs.mkdirSync(path.dirname(users()), { recursive: true });
    fs.writeFileSync(users(), 'in the way');
    expect(keptWords(whose)).toEqual([]);
    keepWord(whose, WORD);
    expect(keptWords(whose)).toEqual([WORD]);
    forgetWords(whose);
    expect(fs.readFileSync(users(), 'utf8')).toBe('in the way');
    refuse(temp.root);
    expect(keepWord(whose, WORD)).toBe(false);
  });

  it('is kept although the folder cannot be synced', () => {
    vi.spyOn(disk, 'syncFolder').mockImplementation(() => {
      throw new Error('EIO');
    });
    expect(keepWord(whose, WORD)).toBe(true);
    expect(keptWords(whose)).toEqual([WORD]);
  });

  it('is on the disk when it is kept', () => {
    const synced: string[] = [];
    vi.spyOn(disk, 'syncFolder').mockImplementation((folder) => {
      synced.push(pathOf(`/proc/self/fd/${folder}/`));
    });
    keepWord(whose, WORD);
    expect(synced).toEqual([path.join(temp.root, '.holdfast/')]);
  });

  it('is not kept through a link out of the project', () => {
    const home = path.join(temp.root, '.holdfast');
    const elsewhere = path.join(temp.home, 'elsewhere');
    fs.renameSync(home, elsewhere);
    fs.symlinkSync(elsewhere, home);
    expect(keepWord(whose, WORD)).toBe(true);
    expect(fs.readdirSync(elsewhere).filter((name) => name.startsWith('kept-'))).toEqual([]);
    expect(fs.readdirSync(users())).toHaveLength(1);
  });

  it('stays inside the folder whatever it says, and a name that is not ours is passed over', () => {
    const hostile = '../../../etc/passwd\n$(x) ..';
    keepWord(whose, hostile);
    fs.writeFileSync(path.join(temp.root, '.holdfast', 'kept-idle-loop-1-1~%E0%A4%A'), '');
    expect(keptWords(whose)).toEqual([hostile]);
  });
});
