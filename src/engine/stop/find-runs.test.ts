import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { putToy, runtimeIn, SESSION, stopOf, stoppedIn } from '../../../test/support/stop-here.ts';
import type { Stop } from '../../clients/stop.ts';
import { homeOf, sidecarPath } from '../../store/home.ts';
import { bind, readSession, readSidecar, writeSession } from '../../store/sidecars.ts';
import { hasTickets, leaveTicket } from '../../store/tickets.ts';
import type { Project } from '../project.ts';
import { claimTickets, findRuns, forgetRuns, isAwaited, loadEnabled, presentIn } from './find-runs.ts';

const MINUTE = 60_000;
const BY_HAND = { client: 'generic', session: 'generic' };

let project: Project;
beforeEach(() => {
  project = bareProject(100 * MINUTE);
});

const found = async (stop: Partial<Stop> = {}, in_: Project = project): Promise<string[]> =>
  (await findRuns(stoppedIn(in_, stop))).map(({ workflow, run }) => `${workflow.name}:${run}`);
const withEnv = (env: Project['env']): Project => ({ ...project, env: { ...project.env, ...env } });
const runs = (session = SESSION): readonly string[] | undefined => readSession(project.root, session)?.runs;
const sessions = (run: string): readonly string[] => readSidecar(project.root, run).sessions;

describe('the runs of a stop', () => {
  it('are those of its session, in the order of precedence, then in their own', async () => {
    for (const name of ['toy2:b', 'toy:z', 'toy:a', 'toy2:a']) putToy(project, name);
    putToy(project, 'toy:other', {}, 'another');
    expect(await found()).toEqual(['toy:z', 'toy:a', 'toy2:b', 'toy2:a']);
    expect(await found({ session: 'another' })).toEqual(['toy:other']);
    expect(await found({ session: 'nobody' })).toEqual([]);
  });

  it('are the newest of each workflow where a person fires the hook', async () => {
    putToy(project, 'toy:a', {}, null);
    putToy(project, 'toy:b', {}, 'another');
    expect(await found({ session: null })).toEqual(['toy:b']);
    putToy(project, 'toy2:c');
    expect(await found(BY_HAND)).toEqual(['toy:b', 'toy2:c']);
  });

  it('are none of a workflow that has only its folder left', async () => {
    putToy(project, 'toy:a');
    fs.rmSync(path.join(project.root, '.toy/a.json'));
    expect(await found({ session: null })).toEqual([]);
    expect(await found()).toEqual(['toy:a']);
  });

  it('are none of a workflow whose folder is gone, or that is off', async () => {
    putToy(project, 'toy:a');
    expect(await found({}, withEnv({ TOY_DISABLE: '1' }))).toEqual([]);
    expect(await found({ session: null }, withEnv({ TOY_DISABLE: '1' }))).toEqual([]);
    fs.rmSync(path.join(project.root, '.toy'), { recursive: true });
    expect(await found()).toEqual([]);
    expect(await found({}, withEnv({ TOY_FOLDER: '/elsewhere' }))).toEqual(['toy:a']);
  });

  it('load a workflow that has some, and no other', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b', {}, 'another');
    const loaded: string[] = [];
    const registry = runtimeIn(project).registry.map((entry) => ({
      ...entry,
      load: () => {
        loaded.push(entry.name);
        return entry.load();
      },
    }));
    await findRuns(stoppedIn(project, {}, { registry }));
    expect(loaded).toEqual(['toy']);
    const kept = await loadEnabled(registry, withEnv({ TOY_DISABLE: '1' }));
    expect([kept, (await loadEnabled(registry, project)).map(({ name }) => name)]).toEqual([
      [],
      ['toy', 'toy2'],
    ]);
  });
});

describe('a workflow', () => {
  const present = (in_: Project): string[] => presentIn(in_, runtimeIn(in_)).map(({ name }) => name);

  it('is here by any of its traces, or where its files were moved', () => {
    expect(present(project)).toEqual([]);
    expect(present(withEnv({ TOY_FOLDER: '' }))).toEqual([]);
    expect(present(withEnv({ TOY_FOLDER: 'x' }))).toEqual(['toy']);
    putToy(project, 'toy2:a');
    expect(present(project)).toEqual(['toy2']);
    const registry = runtimeIn(project).registry.map((entry) => ({
      ...{ ...entry, traces: ['.nowhere', ...entry.traces] },
    }));
    expect(presentIn(project, runtimeIn(project, { registry })).map(({ name }) => name)).toEqual(['toy2']);
  });
});

describe('runs that are over', () => {
  it('are forgotten by their session, which keeps all else', async () => {
    for (const name of ['toy:a', 'toy:b', 'toy:c']) putToy(project, name);
    putToy(project, 'toy:d', {}, 'another');
    const known = readSession(project.root, SESSION);
    if (known === null) throw new Error('there is no session');
    writeSession(project.root, SESSION, { ...known, notified: ['x'] });
    await forgetRuns(['toy:a', 'toy:c', 'toy:d'], stoppedIn(project));
    expect(readSession(project.root, SESSION)).toEqual({ ...known, runs: ['toy:b'], notified: ['x'] });
    expect(runs('another')).toEqual(['toy:d']);
  });

  it('are nothing to write down where there are none, or no session', async () => {
    putToy(project, 'toy:a');
    await forgetRuns(['toy:a'], stoppedIn(project, { session: null }));
    expect(runs()).toEqual(['toy:a']);
    const file = path.join(
      project.home,
      'sessions',
      fs.readdirSync(path.join(project.home, 'sessions'))[0] ?? '',
    );
    const before = fs.statSync(file).ino;
    await forgetRuns([], stoppedIn(project));
    expect(fs.statSync(file).ino).toBe(before);
    await forgetRuns(['toy:a'], stoppedIn(project, { session: 'nobody' }));
    expect(runs('nobody')).toBeUndefined();
  });
});

describe('a ticket', () => {
  it('gives its run to the next session, once', async () => {
    putToy(project, 'toy:a', {}, null);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    await claimTickets(stoppedIn(project));
    expect([sessions('toy:a'), runs(), hasTickets(project.root, project.env)]).toEqual([
      ...[[SESSION], ['toy:a'], false],
    ]);
    await claimTickets(stoppedIn(project, { session: 'another' }));
    expect(sessions('toy:a')).toEqual([SESSION]);
  });

  it('is taken in a project that has no notes of ours yet', async () => {
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect(fs.existsSync(project.home)).toBe(false);
    await claimTickets(stoppedIn(project));
    expect(sessions('toy:a')).toEqual([SESSION]);
  });

  it('gives a run to nobody that a session has by now', async () => {
    putToy(project, 'toy:a', {}, 'another');
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    await claimTickets(stoppedIn(project));
    expect([sessions('toy:a'), runs(), hasTickets(project.root, project.env)]).toEqual([
      ...[['another'], undefined, false],
    ]);
  });

  it('gives a run whose notes cannot be read', async () => {
    putToy(project, 'toy:a', {}, 'another');
    fs.writeFileSync(sidecarPath(homeOf(project.root), 'toy:a'), 'broken');
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    await claimTickets(stoppedIn(project));
    expect(sessions('toy:a')).toEqual([SESSION]);
  });

  it.each([
    ['no session', { session: null }],
    ['a person', BY_HAND],
  ])('is not taken by %s', async (_, stop) => {
    putToy(project, 'toy:a', {}, null);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    await claimTickets(stoppedIn(project, stop));
    expect([sessions('toy:a'), hasTickets(project.root, project.env)]).toEqual([[], true]);
    expect(isAwaited(stopOf(project, stop), project)).toBe(false);
  });

  it('that is not there costs nothing', async () => {
    await claimTickets(stoppedIn(project));
    expect(fs.existsSync(project.home)).toBe(false);
  });

  it('is awaited until its time is over', () => {
    const awaited = (now: number): boolean => isAwaited(stopOf(project), { ...project, now });
    expect(awaited(project.now)).toBe(false);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect([awaited(project.now), awaited(project.now + 11 * MINUTE)]).toEqual([true, false]);
  });

  it('is nothing that a bound run needs', async () => {
    bind(project.root, 'toy:a', [SESSION]);
    await claimTickets(stoppedIn(project, { session: 'another' }));
    expect(sessions('toy:a')).toEqual([SESSION]);
  });
});
