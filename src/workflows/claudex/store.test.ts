import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ID, NOW, projectAt, putLoop, tempFolder, writeAt } from '../../../test/fixtures/claudex/project.ts';
import { disk } from '../../store/disk.ts';
import { filesOf, placeOf } from './place.ts';
import {
  isLockAlive,
  newestLoop,
  readField,
  readLoops,
  readState,
  setField,
  swapPhase,
  writeLock,
  writeState,
} from './store.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const OTHER = '20260131-093001-aaaaaa';

describe('a state file on disk', () => {
  it('lies at .claude/claudex/<id>.state, one file for each loop', () => {
    const project = projectAt(root);
    putLoop(project);
    putLoop(project, {}, { id: OTHER });
    expect(fs.readdirSync(path.join(root, '.claude/claudex')).sort()).toEqual([
      `${ID}.state`,
      `${OTHER}.state`,
    ]);
  });

  it('reads back what was written', () => {
    const place = placeOf(projectAt(root));
    writeState(place, ID, 'mode: plan\nany: text "x" ü\n');
    expect(readState(place, ID)).toBe('mode: plan\nany: text "x" ü\n');
  });

  it('is replaced by a rename, so that a writer that dies leaves the old one whole', () => {
    const { place, text } = putLoop(projectAt(root));
    const rename = disk.rename;
    disk.rename = () => {
      throw new Error('the power went');
    };
    try {
      expect(() => setField(place, ID, 'round', '2', NOW)).toThrow('the power went');
    } finally {
      disk.rename = rename;
    }
    expect(readState(place, ID)).toBe(text);
    expect(fs.readdirSync(place.folder)).toEqual([`${ID}.state`]);
  });

  it('has its fields read and set', () => {
    const { place } = putLoop(projectAt(root));
    expect(readField(place, ID, 'phase')).toBe('drafting');
    setField(place, ID, 'decision_signal', 'max-reached', NOW + 5000);
    expect(readField(place, ID, 'decision_signal')).toBe('max-reached');
    expect(readField(place, ID, 'last_updated_at')).toBe('2026-01-31T09:30:05Z');
    expect(readField(place, OTHER, 'phase')).toBeNull();
  });

  it('keeps the value given for last_updated_at itself', () => {
    const { place } = putLoop(projectAt(root));
    setField(place, ID, 'last_updated_at', '2020-02-02T02:02:02Z', NOW);
    expect(readField(place, ID, 'last_updated_at')).toBe('2020-02-02T02:02:02Z');
  });

  it('has its phase swapped when it is the expected one', () => {
    const { place } = putLoop(projectAt(root));
    expect(swapPhase(place, ID, 'drafting', 'reviewing', NOW + 1000)).toBe(true);
    expect(readField(place, ID, 'phase')).toBe('reviewing');
    expect(readField(place, ID, 'last_updated_at')).toBe('2026-01-31T09:30:01Z');
  });

  it('is left alone by a swap from a stale phase', () => {
    const { place, text } = putLoop(projectAt(root));
    expect(swapPhase(place, ID, 'reviewing', 'done', NOW + 1000)).toBe(false);
    expect(readState(place, ID)).toBe(text);
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
  it("carries the starter's pid", () => {
    const place = placeOf(projectAt(root));
    writeLock(place, ID, 4711);
    expect(fs.readFileSync(filesOf(place, ID).lock, 'utf8')).toBe('4711\n');
  });

  it('is active while its pid runs', () => {
    const place = placeOf(projectAt(root));
    writeLock(place, ID, process.pid);
    expect(isLockAlive(place, ID)).toBe(true);
  });

  it('is not active when its pid is dead, missing or garbage', () => {
    const place = placeOf(projectAt(root));
    expect(isLockAlive(place, ID)).toBe(false);
    writeLock(place, ID, spawnSync('true').pid);
    expect(isLockAlive(place, ID)).toBe(false);
    fs.writeFileSync(filesOf(place, ID).lock, 'nobody\n');
    expect(isLockAlive(place, ID)).toBe(false);
  });
});

describe('the newest loop', () => {
  it('is the state file changed last, whatever its id says', () => {
    const project = projectAt(root);
    const { place, files } = putLoop(project);
    const other = putLoop(project, {}, { id: OTHER });
    fs.utimesSync(files.state, NOW / 1000, NOW / 1000);
    fs.utimesSync(other.files.state, NOW / 1000 - 60, NOW / 1000 - 60);
    expect(newestLoop(place)).toBe(ID);
    fs.utimesSync(other.files.state, NOW / 1000 + 60, NOW / 1000 + 60);
    expect(newestLoop(place)).toBe(OTHER);
  });

  it('of two changed at the same moment is the one with the later id', () => {
    const project = projectAt(root);
    const all = [ID, OTHER, '20260101-000000-bbbbbb'];
    const places = all.map((id) => putLoop(project, {}, { id }));
    for (const { files } of places) fs.utimesSync(files.state, NOW / 1000, NOW / 1000);
    const [place] = places.map((put) => put.place);
    if (place === undefined) throw new Error('no place');
    expect(readLoops(place).map(({ id }) => id)).toEqual(all.toSorted().reverse());
  });

  it('is null when there is none', () => {
    expect(newestLoop(placeOf(projectAt(root)))).toBeNull();
  });

  it('may be a file whose name is no id, but never a temporary one', () => {
    const { place } = putLoop(projectAt(root));
    writeAt(path.join(place.folder, '.x.state'), '', Date.now() + 90_000);
    writeAt(path.join(place.folder, 'bad name.state'), '', Date.now() + 60_000);
    expect(newestLoop(place)).toBe('bad name');
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
    expect(readLoops(placeOf(one)).map(({ id }) => id)).toEqual([ID]);
    expect(newestLoop(placeOf(two))).toBe(OTHER);
    fs.rmSync(shared, { recursive: true });
  });

  it('shows every project a loop that names none', () => {
    const shared = tempFolder();
    const place = placeOf(projectAt(root, { env: { CLAUDEX_STATE_DIR: shared } }));
    fs.writeFileSync(path.join(shared, `${ID}.state`), 'mode: plan\n');
    expect(newestLoop(place)).toBe(ID);
    fs.rmSync(shared, { recursive: true });
  });

  it('may be given relative to the project', () => {
    const place = placeOf(projectAt(root, { env: { CLAUDEX_STATE_DIR: 'state/here' } }));
    expect(place).toMatchObject({ folder: path.join(root, 'state/here'), shared: false, within: root });
  });

  it('is ignored when it is no folder', () => {
    const file = path.join(root, 'file');
    fs.writeFileSync(file, '');
    const place = placeOf(projectAt(root, { env: { CLAUDEX_STATE_DIR: file } }));
    expect(place.folder).toBe(path.join(root, '.claude/claudex'));
  });
});
