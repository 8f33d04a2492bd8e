// Which project a stop or a command belongs to, which runs it concerns, and which are nobody's: what test/hook cannot
// show, or only with a file system of its own.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder, projectIn, writeIn } from '../../../test/support/bare-project.ts';
import { putToy, runtimeIn, SESSION, stopOf, stoppedIn, toysWith } from '../../../test/support/stop-here.ts';
import { registry } from '../../../test/toy/registry.ts';
import { disk } from '../../store/disk.ts';
import { homeOf, sessionPath, sidecarPath } from '../../store/home.ts';
import { bind, readSession, readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { hasTickets, leaveTicket } from '../../store/tickets.ts';
import type { Project } from '../project.ts';
import { findProject, findRootOfCommand } from './find-project.ts';
import { claimTickets, findRuns, forgetRuns } from './find-runs.ts';
import { findUnclaimedRuns } from './unclaimed-runs.ts';

const BY_HAND = { client: 'generic', session: 'generic' };
let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});

/** A folder below it, with a run of that session where one is named. */
function below(name: string, session?: string): string {
  const there = projectIn(path.join(root, name), { env: project.env });
  fs.mkdirSync(there.root, { recursive: true });
  if (session !== undefined) putToy(there, 'toy:a', {}, session);
  return there.root;
}
const withEnv = (env: Project['env']): Project => ({ ...project, env: { ...project.env, ...env } });
const touch = (folder: string, seconds: number): void =>
  fs.utimesSync(path.join(root, folder), seconds, seconds);

describe('the project', () => {
  const ofStop = async (cwd: string, session: string | null = SESSION, env: Project['env'] = {}) =>
    (await findProject(stopOf(project, { cwd, session }), runtimeIn(withEnv(env))))?.root ?? null;
  const ofCommand = (cwd: string, workflow: number | null = null, session?: string) =>
    findRootOfCommand(
      cwd,
      workflow === null ? null : (registry[workflow] ?? null),
      runtimeIn(withEnv(session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session })),
    );

  it('of a stop is the one whose session index cannot be read: there it is said', async () => {
    const sub = below('sub', 'another');
    putToy(project, 'toy:b');
    fs.rmSync(sessionPath(homeOf(root), SESSION));
    fs.symlinkSync(path.join(root, '.git'), sessionPath(homeOf(root), SESSION));
    expect(await ofStop(sub)).toBe(root);
  });

  it('of a stop is where a new run would go, where the user moved a workflow’s files', async () => {
    const sub = below('sub');
    expect(await ofStop(sub, SESSION, { TOY_FOLDER: '/elsewhere' })).toBe(root);
    expect(await ofStop(sub, SESSION, { TOY_FOLDER: '' })).toBeNull();
    putToy(project, 'toy:a');
    fs.rmSync(path.join(root, '.toy'), { recursive: true });
    const runs = await findRuns(stoppedIn(withEnv({ TOY_FOLDER: '/elsewhere' })));
    expect(runs.map(({ run }) => run)).toEqual(['a']);
  });

  it('of a command is the nearest with files of its workflow, else the session’s, else the nearest', () => {
    const sub = below('sub', 'another');
    putToy(project, 'toy2:b');
    expect([ofCommand(sub, 0), ofCommand(sub, 1), ofCommand(sub)]).toEqual([sub, root, sub]);
    expect([
      ofCommand(sub, null, SESSION),
      ofCommand(sub, null, 'another'),
      ofCommand(sub, 0, SESSION),
    ]).toEqual([...[root, sub, sub]]);
  });
});

describe('the runs of a session', () => {
  it('are forgotten alone, and without any nothing is written', async () => {
    for (const name of ['toy:a', 'toy:b']) putToy(project, name);
    const index = readSession(root, SESSION);
    await forgetRuns(['toy:a', 'toy:c'], stoppedIn(project));
    expect(readSession(root, SESSION)).toEqual({ ...index, runs: ['toy:b'] });
    await forgetRuns(['toy:a'], stoppedIn(project, { session: 'nobody' }));
    expect(readSession(root, 'nobody')).toBeNull();
  });
});

describe('a ticket', () => {
  const leave = (): void => leaveTicket(root, 'toy:a', project.now, project.env);
  const taken = async (stop = {}): Promise<unknown[]> => {
    await claimTickets(stoppedIn(project, stop));
    return [readSidecar(root, 'toy:a').sessions, hasTickets(root, project.env)];
  };

  it.each([
    ['a run that nobody has', () => putToy(project, 'toy:a', {}, null), {}, [[SESSION], false]],
    ['a run in a project without notes', () => {}, {}, [[SESSION], false]],
    ['a run that a session has by now', () => putToy(project, 'toy:a', {}, 'other'), {}, [['other'], false]],
    ['no session', () => putToy(project, 'toy:a', {}, null), { session: null }, [[], true]],
    ['a stop by hand', () => putToy(project, 'toy:a', {}, null), BY_HAND, [[], true]],
  ])('for %s', async (_, put, stop, expected) => {
    put();
    leave();
    expect(await taken(stop)).toEqual(expected);
  });

  it('gives a run whose notes cannot be read', async () => {
    putToy(project, 'toy:a', {}, 'another');
    fs.writeFileSync(sidecarPath(homeOf(root), 'toy:a'), 'broken');
    leave();
    expect(await taken()).toEqual([[SESSION], false]);
  });
});

describe('runs that are not the session’s', () => {
  const unclaimed = async (stop = {}, given = registry) =>
    (await findUnclaimedRuns(stoppedIn(project, stop, { registry: given }))).map(({ run }) => run);

  it('are looked for again when any trace of their workflow has changed, and told once', async () => {
    putToy(project, 'toy:a', {}, null);
    fs.mkdirSync(path.join(root, '.more'));
    touch('.toy', 2000);
    touch('.more', 1000);
    const [toy] = registry;
    const given = toy === undefined ? [] : [{ ...toy, traces: ['.toy', '.more'] }];
    expect(await unclaimed({}, given)).toEqual(['toy:a']);
    expect(readSession(root, SESSION)).toMatchObject({ notified: ['toy:a'], looked: { toy: 2_000_000 } });
    writeIn(project, '.toy/b.json', '{"phase":"working"}');
    touch('.toy', 2000);
    expect(await unclaimed({}, given)).toEqual([]);
    touch('.more', 3000);
    expect(await unclaimed({}, given)).toEqual(['toy:b']);
  });

  it.each<[string, () => void, string[]]>([
    ['its own', () => {}, []],
    ['one that another has by now', () => bind(root, 'toy:a', ['another']), ['toy:a']],
    ['one that its notes alone call its own', () => fs.rmSync(sessionPath(homeOf(root), SESSION)), ['toy:a']],
    ['one that it has handed over', () => note({ handover: { session: SESSION, text: '' } }), []],
    ['one whose notes cannot be read', () => writeIn(project, '.holdfast/runs/toy-a.json', 'broken'), []],
  ])('are told but for those that it serves: %s', async (_, change, shown) => {
    putToy(project, 'toy:a');
    change();
    expect(await unclaimed()).toEqual(shown);
    expect(await unclaimed({ session: null })).toEqual([]);
  });
  const note = (more: object): void => writeSidecar(root, { ...readSidecar(root, 'toy:a'), ...more });

  it('are told though another workflow’s cannot be read, and what lies there cannot be put away', async () => {
    for (const name of ['toy:a', 'toy2:b']) putToy(project, name, {}, null);
    writeIn(project, '.toy/a.json', 'broken');
    const putAway = () => {
      throw new Error('not now');
    };
    expect(await unclaimed({}, [...toysWith({ putAway }, 'toy2')])).toEqual(['toy2:b']);
  });

  it('are told once to each session where nothing can be written here', async () => {
    putToy(project, 'toy:a', {}, null);
    const { rename } = disk;
    const refuse = vi.spyOn(disk, 'rename').mockImplementation((from, to) => {
      if (/(session-1|another)\.json$/.test(to)) throw Object.assign(new Error('denied'), { code: 'EACCES' });
      rename(from, to);
    });
    const shown = [await unclaimed(), await unclaimed(), await unclaimed({ session: 'another' })];
    refuse.mockRestore();
    expect([shown, readSession(root, SESSION)]).toEqual([[['toy:a'], [], ['toy:a']], null]);
  });
});
