import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import { disk } from '../../store/disk.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { bind, readSession, writeSession } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { notifyOnce } from './notify-once.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
afterEach(() => void vi.restoreAllMocks());

const say = (notice: string, session: string | null, lockPatienceMs = 2000): Promise<string[]> =>
  notifyOnce(notice, stoppedIn(project, { session }, { lockPatienceMs }));

it('a notice of our own trouble is said once to each session, and remembered without its text', async () => {
  const said = [await say('a secret', 's1'), await say('a secret', 's1'), await say('other', 's1')];
  expect([...said, await say('a secret', 's2')]).toEqual([['a secret'], [], ['other'], ['a secret']]);
  expect(JSON.stringify(readSession(project.root, 's1'))).not.toContain('secret');
});

it('it is said again where nothing at all can be remembered', async () => {
  vi.spyOn(disk, 'createNew').mockImplementation(() => {
    throw new Error('no space left on device');
  });
  expect([await say('x', 's1'), await say('x', 's1')]).toEqual([['x'], ['x']]);
});

it('where our folder is a link or the lock is taken, the user’s state folder remembers', async () => {
  fs.symlinkSync(path.dirname(project.root), project.home);
  expect([await say('x', 's1'), await say('x', 's1')]).toEqual([['x'], []]);
  fs.unlinkSync(project.home);
  ensureHome(project.root);
  expect(await withLock(project.home, 0, () => say('busy', 's1', 10))).toEqual(['busy']);
  expect(readSession(project.root, 's1')).toBeNull();
});

it('it is not said where another stop showed it meanwhile, and no run bound meanwhile is lost', async () => {
  await say('x', 's2');
  const known = readSession(project.root, 's2');
  const { waiting } = await withLock(project.home, 0, () => {
    const waiting = say('x', 's1');
    if (known !== null) writeSession(project.root, 's1', known);
    bind(project.root, 'toy:a', ['s1']);
    return { waiting };
  });
  expect(await waiting).toEqual([]);
  await say('y', 's1');
  expect(readSession(project.root, 's1')).toMatchObject({ runs: ['toy:a'], notified: { length: 2 } });
});
