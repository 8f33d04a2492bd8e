import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putToy, SESSION, stoppedIn, toysWith } from '../../../test/support/stop-here.ts';
import type { Stop } from '../../clients/stop.ts';
import { tryHold } from '../../store/lock.ts';
import { NEW_SESSION, type Sidecar } from '../../store/records.ts';
import { bind, readSession, readSidecar, writeSession, writeSidecar } from '../../store/sidecars.ts';
import { leaveTicket } from '../../store/tickets.ts';
import type { Runtime } from '../context.ts';
import type { Project } from '../project.ts';
import { claimTickets, findRuns, isAwaited, presentIn } from './find-runs.ts';
import { findUnclaimedRuns } from './unclaimed-runs.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
});
afterEach(() => void vi.restoreAllMocks());

const unclaimed = async (stop: Partial<Stop> = {}, runtime: Partial<Runtime> = {}): Promise<string[]> =>
  (await findUnclaimedRuns(stoppedIn(project, stop, runtime))).map(({ run }) => run);
const note = (change: Partial<Sidecar>): void =>
  writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), ...change });
/** As a change of the folder would have it. */
const touch = (folder: string, seconds: number): void => {
  fs.utimesSync(path.join(project.root, folder), seconds, seconds);
};

describe('runs that are not the session’s', () => {
  it('are told with how to adopt them', async () => {
    putToy(project, 'toy:a', {}, null);
    expect(await findUnclaimedRuns(stoppedIn(project))).toEqual([
      { run: 'toy:a', adopt: 'holdfast adopt toy:a' },
    ]);
  });

  it('are nobody’s concern at a stop that is fired by hand', async () => {
    putToy(project, 'toy:a', {}, null);
    expect(await unclaimed({ session: null })).toEqual([]);
    expect(await unclaimed({ client: 'generic', session: 'generic' })).toEqual([]);
    expect(readSession(project.root, 'generic')).toBeNull();
  });

  it('are looked for again when their folder has changed, and told once', async () => {
    putToy(project, 'toy:a', {}, null);
    putToy(project, 'toy2:b', {}, null);
    touch('.toy', 1000);
    touch('.toy2', 2000);
    expect(await unclaimed()).toEqual(['toy:a', 'toy2:b']);
    expect(readSession(project.root, SESSION)).toEqual({
      ...{ schema: 2, runs: [], notified: ['toy:a', 'toy2:b'] },
      looked: { toy: 1_000_000, toy2: 2_000_000 },
    });
    const asked: string[] = [];
    const registry = toysWith({ unfinishedRuns: () => [asked.push('toy')].flatMap(() => []) });
    expect(await unclaimed({}, { registry })).toEqual([]);
    expect(asked).toEqual([]);
    writeIn(project, '.toy2/c.json', '{"phase":"working"}');
    touch('.toy2', 3000);
    expect(await unclaimed({}, { registry })).toEqual(['toy2:c']);
    expect(asked).toEqual([]);
    expect(readSession(project.root, SESSION)).toMatchObject({
      notified: ['toy:a', 'toy2:b', 'toy2:c'],
      looked: { toy: 1_000_000, toy2: 3_000_000 },
    });
  });

  it('of a workflow with several traces are looked for when any of them has changed', async () => {
    putToy(project, 'toy:a', {}, null);
    fs.mkdirSync(path.join(project.root, '.more'));
    touch('.toy', 5000);
    touch('.more', 4000);
    const [toy] = toysWith({});
    const registry = toy === undefined ? [] : [{ ...toy, traces: ['.toy', '.more'] }];
    await unclaimed({}, { registry });
    expect(readSession(project.root, SESSION)?.looked).toEqual({ toy: 5_000_000 });
  });

  it('are none of those that are over', async () => {
    putToy(project, 'toy:a', { phase: 'done' }, null);
    expect(await unclaimed()).toEqual([]);
  });

  it('are not the session’s own, unless another has them by now', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy:b');
    expect(await unclaimed()).toEqual([]);
    bind(project.root, 'toy:a', ['another']);
    touch('.toy', 1000);
    expect(await unclaimed()).toEqual(['toy:a']);
  });

  it('are those that only their notes call the session’s, too', async () => {
    putToy(project, 'toy:a');
    writeSession(project.root, SESSION, NEW_SESSION);
    expect(await unclaimed()).toEqual(['toy:a']);
  });

  it('are not those that the session has handed over', async () => {
    putToy(project, 'toy:a');
    note({ handover: { session: SESSION, text: 'go on' } });
    expect(await unclaimed()).toEqual([]);
    note({ sessions: ['another'], handover: { session: 'another', text: 'go on' } });
    touch('.toy', 1000);
    expect(await unclaimed()).toEqual(['toy:a']);
  });

  it('are not those whose notes cannot be read: serving them says so', async () => {
    putToy(project, 'toy:a');
    writeIn(project, '.holdfast/runs/toy-a.json', 'broken');
    expect(await unclaimed()).toEqual([]);
  });

  it('are told of one workflow though another’s cannot be read', async () => {
    putToy(project, 'toy:a', {}, null);
    putToy(project, 'toy2:b', {}, null);
    writeIn(project, '.toy/a.json', 'broken');
    expect(await unclaimed()).toEqual(['toy2:b']);
  });

  it('are told though what lies among them cannot be put away', async () => {
    putToy(project, 'toy:a', {}, null);
    let tries = 0;
    const putAway = () => {
      tries++;
      throw new Error('not now');
    };
    expect(await unclaimed({}, { registry: toysWith({ putAway }) })).toEqual(['toy:a']);
    expect(tries).toBe(1);
  });

  it('are told once where nothing can be written here', async () => {
    putToy(project, 'toy:a', {}, null);
    const { openSync } = fs;
    vi.spyOn(fs, 'openSync').mockImplementation(((file: string, ...rest: never[]) => {
      if (file.startsWith(project.home) && file.endsWith('.tmp'))
        throw Object.assign(new Error('denied'), { code: 'EACCES', path: file });
      return (openSync as (...args: unknown[]) => number)(file, ...rest);
    }) as typeof fs.openSync);
    expect(await unclaimed()).toEqual(['toy:a']);
    expect(readSession(project.root, SESSION)).toBeNull();
    expect(await unclaimed()).toEqual([]);
    expect(await unclaimed({ session: 'another' })).toEqual(['toy:a']);
  });

  it('are an error where the lock is another’s', async () => {
    putToy(project, 'toy:a', {}, null);
    const other = tryHold(path.join(project.home, 'lock'));
    await expect(unclaimed({}, { lockPatienceMs: 1 })).rejects.toThrow('still holds');
    other?.release();
    expect(await unclaimed()).toEqual(['toy:a']);
  });
});

describe('the runs of a session', () => {
  const names = async (stop: Partial<Stop> = {}, runtime: Partial<Runtime> = {}): Promise<string[]> =>
    (await findRuns(stoppedIn(project, stop, runtime))).map(({ workflow, run }) => `${workflow.name}:${run}`);

  it('come in the order of precedence, and in that in which they began', async () => {
    for (const name of ['toy2:z', 'toy:b', 'toy:a']) putToy(project, name);
    expect(await names()).toEqual(['toy:b', 'toy:a', 'toy2:z']);
    expect(await names({ session: 'another' })).toEqual([]);
  });

  it('are only loaded where the session has some of that workflow', async () => {
    putToy(project, 'toy2:a');
    fs.mkdirSync(path.join(project.root, '.toy'));
    const registry = toysWith({}).map((entry) =>
      entry.name === 'toy' ? { ...entry, load: () => Promise.reject(new Error('loaded')) } : entry,
    );
    expect(await names({}, { registry })).toEqual(['toy2:a']);
    expect(await names({ session: 'another' }, { registry })).toEqual([]);
  });

  it('fired by hand are the newest of each workflow that has one', async () => {
    putToy(project, 'toy2:a', {}, null);
    fs.mkdirSync(path.join(project.root, '.toy'));
    expect(await names({ session: null })).toEqual(['toy2:a']);
  });

  it('are of workflows whose files are here, or were moved by the user', () => {
    const present = (env = project.env): string[] =>
      presentIn({ ...project, env }, stoppedIn(project).runtime).map(({ name }) => name);
    expect(present()).toEqual([]);
    fs.mkdirSync(path.join(project.root, '.toy2'));
    expect(present()).toEqual(['toy2']);
    expect(present({ ...project.env, TOY_FOLDER: '/elsewhere' })).toEqual(['toy', 'toy2']);
    expect(present({ ...project.env, TOY_FOLDER: '' })).toEqual(['toy2']);
    const [toy] = stoppedIn(project).runtime.registry;
    const registry = toy === undefined ? [] : [{ ...toy, traces: ['.toy', '.toy2'] }];
    expect(presentIn(project, { ...stoppedIn(project).runtime, registry })).toHaveLength(1);
  });
});

describe('a run that waits for the next session', () => {
  const awaited = (stop: Partial<Stop> = {}): boolean => isAwaited(stoppedIn(project, stop).stop, project);

  it('is one that a session would claim, and a stop by hand would not', () => {
    putToy(project, 'toy:a', {}, null);
    expect(awaited()).toBe(false);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect(awaited()).toBe(true);
    expect(awaited({ session: null })).toBe(false);
    expect(awaited({ client: 'generic', session: 'generic' })).toBe(false);
  });

  it('is claimed though its notes cannot be read', async () => {
    putToy(project, 'toy:a', {}, null);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    writeIn(project, '.holdfast/runs/toy-a.json', 'broken');
    await claimTickets(stoppedIn(project));
    expect(readSidecar(project.root, 'toy:a').sessions).toEqual([SESSION]);
  });

  it('is not claimed by hand', async () => {
    putToy(project, 'toy:a', {}, null);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    await claimTickets(stoppedIn(project, { session: null }));
    await claimTickets(stoppedIn(project, { client: 'generic', session: 'generic' }));
    expect(readSidecar(project.root, 'toy:a').sessions).toEqual([]);
  });

  it('where none does, nothing is written', async () => {
    await claimTickets(stoppedIn(project));
    expect(fs.readdirSync(project.root)).toEqual([]);
  });
});
