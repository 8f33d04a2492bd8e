import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ID, NOW, projectAt, putLoop, tempFolder, writeAt } from '../../../test/fixtures/claudex/project.ts';
import { disk } from '../../store/disk.ts';
import { filesOf, type StateDir, stateDirOf } from './files.ts';
import {
  appendLog,
  isLockAlive,
  listFolder,
  makeStateDir,
  newestLoop,
  readLoops,
  readState,
  setField,
  stateNames,
  writeLock,
  writeState,
} from './loops.ts';
import { readField } from './state-format.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

const OTHER = '20260131-093001-aaaaaa';

const fieldOf = (dir: StateDir, id: string, field: string) => readField(readState(dir, id) ?? '', field);

describe('a state file on disk', () => {
  it('lies at .claude/claudex/<id>.state, one file for each loop', { tags: ['C2.0.a'] }, () => {
    const project = projectAt(root);
    putLoop(project);
    putLoop(project, {}, { id: OTHER });
    expect(fs.readdirSync(path.join(root, '.claude/claudex')).sort()).toEqual([
      `${ID}.state`,
      `${OTHER}.state`,
    ]);
  });

  it('reads back what was written', { tags: ['C2.3.c'] }, () => {
    const dir = stateDirOf(projectAt(root));
    writeState(dir, ID, 'mode: plan\nany: text "x" ü\n');
    expect(readState(dir, ID)).toBe('mode: plan\nany: text "x" ü\n');
  });

  it('is replaced by a rename, so that a writer that dies leaves the old one whole', {
    tags: ['C2.1.c', 'C2.2.h'],
  }, () => {
    const { dir, text } = putLoop(projectAt(root));
    const rename = disk.rename;
    disk.rename = () => {
      throw new Error('the power went');
    };
    try {
      expect(() => setField(dir, ID, 'round', '2', NOW)).toThrow('the power went');
    } finally {
      disk.rename = rename;
    }
    expect(readState(dir, ID)).toBe(text);
    expect(fs.readdirSync(dir.path)).toEqual([`${ID}.state`]);
  });

  it('has its fields read and set', { tags: ['C2.1', 'C2.1.e', 'C2.3'] }, () => {
    const { dir } = putLoop(projectAt(root));
    expect(fieldOf(dir, ID, 'phase')).toBe('drafting');
    setField(dir, ID, 'decision_signal', 'max-reached', NOW + 5000);
    expect(fieldOf(dir, ID, 'decision_signal')).toBe('max-reached');
    expect(fieldOf(dir, ID, 'last_updated_at')).toBe('2026-01-31T09:30:05Z');
    expect(readState(dir, OTHER)).toBeNull();
  });

  it('keeps the value given for last_updated_at itself', { tags: ['C2.1.f'] }, () => {
    const { dir } = putLoop(projectAt(root));
    setField(dir, ID, 'last_updated_at', '2020-02-02T02:02:02Z', NOW);
    expect(fieldOf(dir, ID, 'last_updated_at')).toBe('2020-02-02T02:02:02Z');
  });

  it('is not written through a link that leaves the project', () => {
    const outside = tempFolder();
    fs.mkdirSync(path.join(root, '.claude'));
    fs.symlinkSync(outside, path.join(root, '.claude/claudex'));
    expect(() => putLoop(projectAt(root))).toThrow('leads out of');
    expect(fs.readdirSync(outside)).toEqual([]);
    fs.rmSync(outside, { recursive: true });
  });
});

describe('the lock file', () => {
  it("carries the starter's pid", { tags: ['C2.1.i'] }, () => {
    const dir = stateDirOf(projectAt(root));
    writeLock(dir, ID, 4711);
    expect(fs.readFileSync(filesOf(dir, ID).lock, 'utf8')).toBe('4711\n');
  });

  it('is active while its pid runs', { tags: ['C2.1.j', 'C2.3.h'] }, () => {
    const dir = stateDirOf(projectAt(root));
    writeLock(dir, ID, process.pid);
    expect(isLockAlive(dir, ID)).toBe(true);
  });

  it('is not active when its pid is dead, missing or garbage', { tags: ['C2.1.j', 'C2.3.i'] }, () => {
    const dir = stateDirOf(projectAt(root));
    expect(isLockAlive(dir, ID)).toBe(false);
    writeLock(dir, ID, spawnSync('true').pid);
    expect(isLockAlive(dir, ID)).toBe(false);
    fs.writeFileSync(filesOf(dir, ID).lock, 'nobody\n');
    expect(isLockAlive(dir, ID)).toBe(false);
  });
});

it('the process of a lock file runs also where it is another user’s', () => {
  const dir = stateDirOf(projectAt(root));
  writeLock(dir, ID, 4711);
  const failWith = (code: string) =>
    vi.spyOn(process, 'kill').mockImplementationOnce(() => {
      throw Object.assign(new Error(code), { code });
    });
  failWith('EPERM');
  expect(isLockAlive(dir, ID)).toBe(true);
  failWith('ESRCH');
  expect(isLockAlive(dir, ID)).toBe(false);
});

it('a state file is read up to 4 MiB; a longer one counts as unknown, not as gone', () => {
  const { dir, files } = putLoop(projectAt(root));
  const most = 4 * 1024 * 1024;
  fs.writeFileSync(files.state, `mode: plan\n${'x'.repeat(most - 11)}`);
  expect(readState(dir, ID)).toHaveLength(most);
  fs.appendFileSync(files.state, 'x');
  expect(() => readState(dir, ID)).toThrow('bytes long');
  expect(readLoops(dir)).toMatchObject([{ id: ID, text: '', loop: { mode: 'unknown' } }]);
});

it('a file whose name is no id is no loop, and no other file is a state', () => {
  const { dir } = putLoop(projectAt(root));
  writeAt(path.join(dir.path, 'bad name.state'), 'mode: plan\n', NOW);
  writeAt(path.join(dir.path, `${ID}.lock`), '1\n');
  expect(stateNames(dir)).toEqual([ID, 'bad name']);
  expect(readLoops(dir).map(({ id }) => id)).toEqual([ID]);
});

it('a folder that is not there lists nothing; one that goes in circles is an error', () => {
  fs.writeFileSync(path.join(root, 'file'), '');
  fs.symlinkSync('circle', path.join(root, 'circle'));
  expect([listFolder(path.join(root, 'none')), listFolder(path.join(root, 'file'))]).toEqual([[], []]);
  expect(() => listFolder(path.join(root, 'circle'))).toThrow('ELOOP');
});

it('the log has a line for each event, with its time', () => {
  const dir = stateDirOf(projectAt(root));
  appendLog(dir, NOW, 'one');
  appendLog(dir, NOW + 1000, 'two');
  expect(fs.readFileSync(path.join(dir.path, 'log'), 'utf8')).toBe(
    '[2026-01-31T09:30:00Z] one\n[2026-01-31T09:30:01Z] two\n',
  );
});

describe('the newest loop', () => {
  it('is the state file changed last, whatever its id says', { tags: ['C2.1.m', 'C2.3.j'] }, () => {
    const project = projectAt(root);
    const { dir, files } = putLoop(project);
    const other = putLoop(project, {}, { id: OTHER });
    fs.utimesSync(files.state, NOW / 1000, NOW / 1000);
    fs.utimesSync(other.files.state, NOW / 1000 - 60, NOW / 1000 - 60);
    expect(newestLoop(dir)).toBe(ID);
    fs.utimesSync(other.files.state, NOW / 1000 + 60, NOW / 1000 + 60);
    expect(newestLoop(dir)).toBe(OTHER);
  });

  it('of two changed at the same moment is the one with the later id', () => {
    const project = projectAt(root);
    const all = [ID, OTHER, '20260101-000000-bbbbbb'];
    const loops = all.map((id) => putLoop(project, {}, { id }));
    for (const { files } of loops) fs.utimesSync(files.state, NOW / 1000, NOW / 1000);
    expect(readLoops(stateDirOf(project)).map(({ id }) => id)).toEqual(all.toSorted().reverse());
  });

  it('is null when there is none', { tags: ['C2.1.m'] }, () => {
    expect(newestLoop(stateDirOf(projectAt(root)))).toBeNull();
  });

  it('may be a file whose name is no id, but never a temporary one', () => {
    const { dir } = putLoop(projectAt(root));
    writeAt(path.join(dir.path, '.x.state'), '', Date.now() + 90_000);
    writeAt(path.join(dir.path, 'bad name.state'), '', Date.now() + 60_000);
    expect(newestLoop(dir)).toBe('bad name');
  });
});

describe('a state folder outside of the project', () => {
  it('shows a project only its own loops', () => {
    const shared = tempFolder();
    const env = { CLAUDEX_STATE_DIR: shared };
    const [one, two] = [path.join(root, 'one'), path.join(root, 'two')].map((folder) => {
      fs.mkdirSync(folder);
      return projectAt(folder, { env });
    });
    if (one === undefined || two === undefined) throw new Error('no projects');
    putLoop(one);
    putLoop(two, {}, { id: OTHER });
    expect(readLoops(stateDirOf(one)).map(({ id }) => id)).toEqual([ID]);
    expect(newestLoop(stateDirOf(two))).toBe(OTHER);
    fs.rmSync(shared, { recursive: true });
  });

  it('is made for a start, and written to as it really is; the project’s own is not', () => {
    const real = tempFolder();
    fs.symlinkSync(real, path.join(root, 'link'));
    const shared = path.join(root, 'link/deeper');
    fs.mkdirSync(path.join(root, 'project'));
    const project = projectAt(path.join(root, 'project'), { env: { CLAUDEX_STATE_DIR: shared } });
    const dir = makeStateDir(stateDirOf(project));
    expect(dir).toMatchObject({ shared: true, within: path.join(fs.realpathSync(real), 'deeper') });
    expect(fs.statSync(shared).isDirectory()).toBe(true);
    fs.rmSync(real, { recursive: true });
    const own = stateDirOf(projectAt(path.join(root, 'project')));
    expect(makeStateDir(own)).toBe(own);
    expect(fs.existsSync(own.path)).toBe(false);
  });

  it('is not asked which project a loop is of where it is the project’s own', () => {
    const { dir } = putLoop(projectAt(root), { repo_root: '/elsewhere' });
    expect([newestLoop(dir), readLoops(dir).length]).toEqual([ID, 1]);
  });

  it('shows every project a loop that names none', () => {
    const shared = tempFolder();
    const dir = stateDirOf(projectAt(root, { env: { CLAUDEX_STATE_DIR: shared } }));
    fs.writeFileSync(path.join(shared, `${ID}.state`), 'mode: plan\n');
    expect(newestLoop(dir)).toBe(ID);
    fs.rmSync(shared, { recursive: true });
  });

  it('may be given relative to the project', () => {
    const dir = stateDirOf(projectAt(root, { env: { CLAUDEX_STATE_DIR: 'state/here' } }));
    expect(dir).toMatchObject({ path: path.join(root, 'state/here'), shared: false, within: root });
  });

  it('is ignored when it is no folder', () => {
    const file = path.join(root, 'file');
    fs.writeFileSync(file, '');
    const dir = stateDirOf(projectAt(root, { env: { CLAUDEX_STATE_DIR: file } }));
    expect(dir.path).toBe(path.join(root, '.claude/claudex'));
  });
});
