import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { fc } from '../../test/support/property.ts';
import { disk } from './disk.ts';
import { Refused } from './files.ts';
import { attemptFolder, ensureHome, homeOf, journalPath, sessionPath, sidecarPath } from './home.ts';
import { privateMode } from './owner.ts';

let project: TempProject;
let outside: string;

beforeEach(() => {
  project = tempProject();
  outside = path.join(path.dirname(project.root), 'outside');
  fs.mkdirSync(outside);
});

afterEach(() => project.remove());

const home = '/project/.holdfast';

describe('our folder', () => {
  it('is made once, and hides itself from git', () => {
    expect(ensureHome(project.root)).toBe(path.join(project.root, '.holdfast'));
    project.write('.holdfast/journal.jsonl', 'a note\n');
    ensureHome(project.root);

    expect(execFileSync('git', ['status', '--porcelain'], { cwd: project.root, encoding: 'utf8' })).toBe('');
    expect(project.read('.holdfast/journal.jsonl')).toBe('a note\n');
  });

  it('is not made in a project that is gone, which stays gone', () => {
    const gone = path.join(outside, 'worktree');

    expect(() => ensureHome(gone)).toThrow(new Refused(`${gone} is not there any more; nothing was written`));

    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it('keeps a .gitignore that its owner changed', () => {
    project.write('.holdfast/.gitignore', 'mine\n');

    ensureHome(project.root);

    expect(project.read('.holdfast/.gitignore')).toBe('mine\n');
  });

  it('gets its .gitignore back when only the folder is there', () => {
    fs.mkdirSync(homeOf(project.root));

    ensureHome(project.root);

    expect(project.read('.holdfast/.gitignore')).toContain('*\n');
  });

  test.each(['.holdfast', '.holdfast/attempts'])(
    'is refused when %s is a link out of the project',
    (name) => {
      fs.writeFileSync(path.join(outside, '.gitignore'), '');
      fs.mkdirSync(path.dirname(path.join(project.root, name)), { recursive: true });
      fs.symlinkSync(outside, path.join(project.root, name));

      expect(() => ensureHome(project.root)).toThrow(Refused);

      expect(fs.readdirSync(outside)).toEqual(['.gitignore']);
    },
  );

  it('is refused when it is a link to nowhere', () => {
    fs.symlinkSync(path.join(outside, 'nothing'), homeOf(project.root));

    expect(() => ensureHome(project.root)).toThrow(Refused);

    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it('may be a link that stays in the project', () => {
    fs.mkdirSync(path.join(project.root, 'notes'));
    fs.symlinkSync('notes', homeOf(project.root));

    ensureHome(project.root);

    expect(project.exists('notes/.gitignore')).toBe(true);
  });

  it('fails with a clear error when a file is in its place', () => {
    project.write('.holdfast', 'a file');

    expect(() => ensureHome(project.root)).toThrow(
      /\.holdfast is a file where a folder belongs; to fix it, run `mv /,
    );
    expect(project.read('.holdfast')).toBe('a file');
  });
});

describe('where things are', () => {
  it('is plain for plain names', () => {
    expect(journalPath(home)).toBe('/project/.holdfast/journal.jsonl');
    expect(sidecarPath(home, 'claudex:20260101-a_b')).toBe(
      '/project/.holdfast/runs/claudex-20260101-a_b.json',
    );
    expect(sessionPath(home, '8f14e45f-ceea-467f-a9c3-0d2f9a1b2c3d')).toBe(
      '/project/.holdfast/sessions/8f14e45f-ceea-467f-a9c3-0d2f9a1b2c3d.json',
    );
    expect(attemptFolder(home, 'lx1-42-abc')).toBe('/project/.holdfast/attempts/lx1-42-abc');
  });

  const hostile = [
    ...['', '.', '..', '../x', '../../etc/passwd', '/etc/passwd', 'a/b', 'a\\b', 'a\0b', 'a\nb', '~', '-rf'],
    ...['a b', 'é', '\u202egnp.exe', 'CON', 'a'.repeat(121), 'a'.repeat(122), 'a'.repeat(300), '.hidden'],
    ...['a:b', 'a-b', 'a::b', 'a:-b', '__proto__', '\ud800', '\ud801', '\ufffd', 'x-a'],
  ];

  test.each(hostile)('of a hostile name is a single plain name in its folder: %j', (name) => {
    for (const [folder, file] of [
      ['runs', sidecarPath(home, name)],
      ['sessions', sessionPath(home, name)],
      ['attempts', attemptFolder(home, name)],
    ] as const) {
      expect(path.dirname(file)).toBe(`${home}/${folder}`);
      expect(path.basename(file)).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,120}(\.json)?$/);
    }
  });

  it('of two sessions is never the same, however their ids are made', () => {
    expect(new Set(hostile.map((name) => sessionPath(home, name))).size).toBe(hostile.length);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(sessionPath(home, one) === sessionPath(home, other)).toBe(one === other);
      }),
    );
  });

  it('of a session cannot be forged by naming another’s fingerprint', () => {
    const real = path.basename(sessionPath(home, 'a/b'), '.json');

    expect(sessionPath(home, real)).not.toBe(sessionPath(home, 'a/b'));
  });
});

test.each([
  [0o755, 0o600],
  [0o775, 0o600],
  [0o2755, 0o600],
  [0o2775, 0o660],
])('notes in a folder of mode %o, of our own group, have mode %o', (mode, ours) => {
  fs.chownSync(outside, -1, process.getegid?.() ?? -1);
  fs.chmodSync(outside, mode);
  expect(privateMode(outside)).toBe(ours);
  expect(privateMode(path.join(outside, 'missing'))).toBe(0o600);
});

describe('a folder that cannot be made', () => {
  const failWith = (code: string): Error => {
    const error = Object.assign(new Error(code), { code });
    vi.spyOn(disk, 'makeFolder').mockImplementationOnce(() => {
      throw error;
    });
    return error;
  };
  const refused = (): unknown => {
    try {
      return ensureHome(project.root);
    } catch (error) {
      return error;
    }
  };
  afterEach(() => vi.restoreAllMocks());

  it.each(['EACCES', 'EPERM', 'EROFS'])(
    'because there is no right to (%s) is refused, with where to work',
    (code) => {
      const cause = failWith(code);
      expect(refused()).toMatchObject({
        ...{ name: 'Refused', cause },
        message: `${project.root} cannot be written; start the client in a folder where you may write`,
      });
    },
  );

  it('for another reason is that error', () => {
    const error = failWith('EIO');
    expect(refused()).toBe(error);
  });

  it('where a file is in its place says how to move it', () => {
    const place = project.write('.holdfast', 'mine');
    expect(refused()).toMatchObject({
      ...{ name: 'Refused' },
      message: `${place} is a file where a folder belongs; to fix it, run \`mv ${place} ${place}.aside\``,
    });
    fs.rmSync(place);
    execFileSync('mkfifo', [place]);
    expect(refused()).toMatchObject({
      message: expect.stringContaining('is no folder where a folder belongs'),
    });
  });
});
