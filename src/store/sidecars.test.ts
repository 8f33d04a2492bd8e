import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import { Refused } from './files.ts';
import { homeOf, sessionPath, sidecarPath } from './home.ts';
import { NEW_SESSION, NO_GUARD_MEMORY, NO_WAITS, newSidecar, type Sidecar, type Waiting } from './records.ts';
import { bind, readSession, readSidecar, writeSession, writeSidecar } from './sidecars.ts';

let project: TempProject;
let root: string;

beforeEach(() => {
  project = tempProject();
  root = project.root;
});

afterEach(() => {
  vi.restoreAllMocks();
  project.remove();
});

const fileOf = (run: string): string => sidecarPath(homeOf(root), run);

/** Puts text in the place of a run's sidecar, as a repository or an accident would. */
function forge(run: string, text: string): void {
  fs.mkdirSync(path.dirname(fileOf(run)), { recursive: true });
  fs.writeFileSync(fileOf(run), text);
}

const bound: Sidecar = {
  ...newSidecar('toy:a'),
  sessions: ['s1'],
  committed: { before: 'x', after: 'y' },
  guard: { s1: { ...NO_GUARD_MEMORY, held: true, noTools: 2 } },
  failures: { count: 2, state: 'x' },
  saved: 'the workflow’s',
};

describe('a run’s sidecar', () => {
  it('is read as it was written, only its owner may read it, and no other file is left', () => {
    writeSidecar(root, bound);

    expect(readSidecar(root, 'toy:a')).toEqual(bound);
    expect((fs.statSync(fileOf('toy:a')).mode & 0o777).toString(8)).toBe('600');
    expect(fs.readdirSync(path.dirname(fileOf('toy:a')))).toEqual(['toy-a.json']);
  });

  it('is a new one, and nobody’s, where there is none', () => {
    expect(readSidecar(root, 'toy:a')).toEqual(newSidecar('toy:a'));
    expect(fs.readdirSync(root)).toEqual(['.git']);
  });

  it('of a newer Holdfast is refused, and says to upgrade', () => {
    forge('toy:a', JSON.stringify({ ...bound, schema: 3 }));

    expect(() => readSidecar(root, 'toy:a')).toThrow(Refused);
    expect(() => readSidecar(root, 'toy:a')).toThrow(
      `${fileOf('toy:a')} was written by a newer Holdfast; upgrade this one`,
    );
  });

  test.each(['', 'not json', '{}', '[]', 'null', '{"schema":1,"run":"toy:a"'])(
    'that is broken is refused, and says how to renew it: %j',
    (text) => {
      forge('toy:a', text);

      expect(() => readSidecar(root, 'toy:a')).toThrow(Refused);
      expect(() => readSidecar(root, 'toy:a')).toThrow('run `holdfast adopt toy:a` to renew it');
    },
  );

  it('copied from another run is refused: a copy is nobody’s ticket', () => {
    writeSidecar(root, bound);
    fs.copyFileSync(fileOf('toy:a'), fileOf('toy:b'));

    expect(() => readSidecar(root, 'toy:b')).toThrow('`holdfast adopt toy:b`');
  });

  it('is refused when it is a link out of the project, a FIFO or larger than any of ours', () => {
    const elsewhere = path.join(path.dirname(root), 'elsewhere.json');
    fs.writeFileSync(elsewhere, JSON.stringify(bound));
    fs.mkdirSync(path.dirname(fileOf('toy:a')), { recursive: true });
    fs.symlinkSync(elsewhere, fileOf('toy:a'));
    execFileSync('mkfifo', [fileOf('toy:b')]);
    forge('toy:c', ' '.repeat(4 * 1024 * 1024 + 1));

    for (const run of ['toy:a', 'toy:b', 'toy:c']) expect(() => readSidecar(root, run)).toThrow(Refused);
    expect(() => writeSidecar(root, { ...bound, sessions: [] })).toThrow(Refused);

    expect(fs.readFileSync(elsewhere, 'utf8')).toBe(JSON.stringify(bound));
  });
});

describe('a session’s index', () => {
  it('is read as it was written, and null where there is none', () => {
    const index = { ...NEW_SESSION, runs: ['toy:a'], notified: ['toy:b'] };
    writeSession(root, 's1', index);

    expect(readSession(root, 's1')).toEqual(index);
    expect(readSession(root, 's2')).toBeNull();
  });

  test.each(['', '{', '[]', '{"schema":1}', '{"schema":1,"runs":"toy:a","told":[],"looked":{}}'])(
    'counts as none when it is broken: %j',
    (text) => {
      writeSession(root, 's1', NEW_SESSION);
      fs.writeFileSync(sessionPath(homeOf(root), 's1'), text);

      expect(readSession(root, 's1')).toBeNull();
    },
  );

  it('is refused, not overwritten, when a newer Holdfast wrote it', () => {
    writeSession(root, 's1', NEW_SESSION);
    fs.writeFileSync(sessionPath(homeOf(root), 's1'), '{"schema":3}');

    expect(() => readSession(root, 's1')).toThrow('newer Holdfast');
  });

  it('keeps hostile session ids in its folder and apart from each other', () => {
    const ids = [
      '../x',
      '../../x',
      '/etc/x',
      'a/b',
      'a\0b',
      'x'.repeat(300),
      'a:b',
      'a-b',
      '__proto__',
      '..',
    ];
    for (const id of ids) writeSession(root, id, { ...NEW_SESSION, runs: [`toy:${id}`] });

    expect(ids.map((id) => readSession(root, id)?.runs)).toEqual(ids.map((id) => [`toy:${id}`]));
    expect(fs.readdirSync(path.join(root, '.holdfast', 'sessions'))).toHaveLength(ids.length);
    expect(fs.readdirSync(path.join(root, '.holdfast'))).toEqual(['sessions']);
    expect(fs.readdirSync(root).sort()).toEqual(['.git', '.holdfast']);
    expect(fs.readdirSync(path.dirname(root)).sort()).toEqual(['home', 'project']);
  });
});

describe('binding a run', () => {
  it('makes it the session’s, under all its ids, and puts it last in their index', () => {
    bind(root, 'toy:a', ['s1', 's2']);
    bind(root, 'toy:b', ['s1']);
    bind(root, 'toy:a', ['s1']);

    expect(readSidecar(root, 'toy:a').sessions).toEqual(['s1']);
    expect(readSession(root, 's1')?.runs).toEqual(['toy:b', 'toy:a']);
    expect(readSession(root, 's2')?.runs).toEqual(['toy:a']);
  });

  it('takes it from the session that had it, with the count at zero and the rest kept', () => {
    writeSidecar(root, bound);

    bind(root, 'toy:a', ['s2']);

    expect(readSidecar(root, 'toy:a')).toEqual({
      ...bound,
      sessions: ['s2'],
      guard: {},
      failures: { count: 0, state: '' },
    });
  });

  it('begins the row of questions again, and keeps what is waited for', () => {
    const waiting: Waiting = { for: 'limit', since: 1, until: null, what: 'rate_limit' };
    const waits = { ...NO_WAITS, waited: 5, questions: 3 };
    writeSidecar(root, { ...bound, waiting, waits });

    bind(root, 'toy:a', ['s2']);

    expect(readSidecar(root, 'toy:a')).toMatchObject({ waiting, waits: { ...waits, questions: 0 } });
  });

  it('replaces the workflow’s own part only when one is given', () => {
    bind(root, 'toy:a', ['s1'], { saved: { first: true } });
    bind(root, 'toy:a', ['s2']);
    expect(readSidecar(root, 'toy:a').saved).toEqual({ first: true });

    bind(root, 'toy:a', ['s2'], { saved: null });
    expect(readSidecar(root, 'toy:a').saved).toBeNull();
  });

  it('outside any client makes it nobody’s', () => {
    writeSidecar(root, bound);

    bind(root, 'toy:a', []);

    expect(readSidecar(root, 'toy:a').sessions).toEqual([]);
  });

  it('keeps what the session was told before', () => {
    writeSession(root, 's1', { ...NEW_SESSION, notified: ['toy:b'], looked: { toy: 1 } });

    bind(root, 'toy:a', ['s1']);

    expect(readSession(root, 's1')).toEqual({
      ...NEW_SESSION,
      runs: ['toy:a'],
      notified: ['toy:b'],
      looked: { toy: 1 },
    });
  });

  test.each(['not json', '{}', JSON.stringify({ ...bound, run: 'toy:b' })])(
    'fixes a sidecar that is broken or a copy: %s',
    (text) => {
      forge('toy:a', text);

      bind(root, 'toy:a', ['s2']);

      expect(readSidecar(root, 'toy:a')).toEqual({ ...newSidecar('toy:a'), sessions: ['s2'] });
    },
  );

  it('fixes a session’s index that is broken', () => {
    writeSession(root, 's1', NEW_SESSION);
    fs.writeFileSync(sessionPath(homeOf(root), 's1'), '{');

    bind(root, 'toy:a', ['s1']);

    expect(readSession(root, 's1')?.runs).toEqual(['toy:a']);
  });

  it('refuses a newer sidecar and leaves it as it is', () => {
    const text = JSON.stringify({ ...bound, schema: 3 });
    forge('toy:a', text);

    expect(() => bind(root, 'toy:a', ['s2'])).toThrow('newer Holdfast');

    expect(fs.readFileSync(fileOf('toy:a'), 'utf8')).toBe(text);
    expect(readSession(root, 's2')).toBeNull();
  });

  it('cut short after the index leaves a run that is nobody’s yet, and binding again fixes it', () => {
    const rename = vi.spyOn(disk, 'rename');
    rename.mockImplementationOnce(fs.renameSync).mockImplementationOnce(() => {
      throw new Error('killed');
    });

    expect(() => bind(root, 'toy:a', ['s1'])).toThrow('killed');
    expect(readSession(root, 's1')?.runs).toEqual(['toy:a']);
    expect(readSidecar(root, 'toy:a').sessions).toEqual([]);
    rename.mockRestore();

    bind(root, 'toy:a', ['s1']);

    expect(readSidecar(root, 'toy:a').sessions).toEqual(['s1']);
  });
});

describe('a forged session file', () => {
  it('that names a run does not make the run its session’s: the sidecar has the last word', () => {
    writeSidecar(root, bound);
    writeSession(root, 'thief', { ...NEW_SESSION, runs: ['toy:a'] });

    expect(readSidecar(root, 'toy:a').sessions).toEqual(['s1']);
  });

  it('changes no prototype', () => {
    writeSession(root, 's1', NEW_SESSION);
    const text = '{"schema":1,"runs":[],"told":[],"looked":{"__proto__":1},"__proto__":{"polluted":true}}';
    fs.writeFileSync(sessionPath(homeOf(root), 's1'), text);

    const read = readSession(root, 's1') ?? {};
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect('polluted' in read || 'polluted' in {}).toBe(false);
  });
});
