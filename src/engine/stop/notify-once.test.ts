import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { decodeStop } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { disk } from '../../store/disk.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { bind, readSession, writeSession } from '../../store/sidecars.ts';
import type { Runtime } from '../context.ts';
import type { Project } from '../project.ts';
import { openProject } from './find-project.ts';
import { notifyOnce } from './notify-once.ts';

let temp: TempProject;
let project: Project;
let runtime: Runtime;

beforeEach(async () => {
  temp = tempProject();
  runtime = {
    registry: [],
    findReviewer: () => Promise.reject(new Error('no reviewers here')),
    env: { HOME: temp.home },
    cwd: temp.root,
    now: 0,
    cli: 'holdfast',
    lockPatienceMs: 2000,
    whenAskedToEnd: () => {},
  };
  project = await openProject(temp.root, runtime);
});

afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

function stopOf(session?: string): Stop {
  return decodeStop(session === undefined ? {} : { session_id: session }, 'claude-code').stop;
}

const say = (notice: string, session?: string): Promise<string[]> =>
  notifyOnce(notice, { stop: stopOf(session), project, runtime });

describe('a notice about our own trouble', () => {
  it('is said once to each session', async () => {
    expect(await say('the disk is full', 's1')).toEqual(['the disk is full']);
    expect(await say('the disk is full', 's1')).toEqual([]);
    expect(await say('the disk is full', 's2')).toEqual(['the disk is full']);
  });

  it('does not silence another', async () => {
    await say('one', 's1');

    expect(await say('another', 's1')).toEqual(['another']);
    expect(await say('one', 's1')).toEqual([]);
  });

  it('is said each time to a person who fires the hook by hand, and nothing is written', async () => {
    expect(await say('the disk is full')).toEqual(['the disk is full']);
    expect(await say('the disk is full')).toEqual(['the disk is full']);

    expect(fs.existsSync(project.home)).toBe(false);
  });

  it('is remembered without its text', async () => {
    await say('a secret path', 's1');

    expect(JSON.stringify(readSession(temp.root, 's1'))).not.toContain('secret');
  });

  it('is said again when it cannot be remembered', async () => {
    vi.spyOn(disk, 'createNew').mockImplementation(() => {
      throw new Error('no space left on device');
    });

    expect(await say('the disk is full', 's1')).toEqual(['the disk is full']);
    expect(await say('the disk is full', 's1')).toEqual(['the disk is full']);
  });

  it('is said when our folder cannot be used', async () => {
    fs.symlinkSync(path.dirname(temp.root), project.home);

    expect(await say('trouble', 's1')).toEqual(['trouble']);

    expect(fs.readdirSync(path.dirname(temp.root)).sort()).toEqual(['home', 'project']);
  });

  it('is said when the lock cannot be had', async () => {
    ensureHome(temp.root);
    runtime = { ...runtime, lockPatienceMs: 10 };

    expect(await withLock(project.home, 0, () => say('busy', 's1'))).toEqual(['busy']);
    expect(readSession(temp.root, 's1')).toBeNull();
  });

  it('is not said where the session was shown it while the lock was held', async () => {
    await say('busy', 's2');
    const known = readSession(temp.root, 's2');
    if (known === null) throw new Error('nothing is remembered');

    const said = await withLock(project.home, 0, () => {
      const waiting = say('busy', 's1');
      writeSession(temp.root, 's1', known);
      return { waiting };
    });

    expect(await said.waiting).toEqual([]);
    expect(readSession(temp.root, 's1')?.notified).toHaveLength(1);
  });

  it('never loses the runs that a command binds at the same moment', async () => {
    ensureHome(temp.root);
    const runs = Array.from({ length: 20 }, (_, i) => `toy:${i}`);

    await Promise.all(
      runs.flatMap((run) => [
        withLock(project.home, 5000, () => bind(temp.root, run, ['s1'])),
        say(`about ${run}`, 's1'),
      ]),
    );

    expect(readSession(temp.root, 's1')?.runs.toSorted()).toEqual(runs.toSorted());
    expect(readSession(temp.root, 's1')?.notified).toHaveLength(20);
  });
});
