import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { putToy, stoppedIn } from '../../../test/support/stop-here.ts';
import { DRIVER_VARIABLE } from '../../store/environment.ts';
import { NO_GUARD_MEMORY, type Waiting } from '../../store/records.ts';
import { readSession, readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { leaveTicket, waitingRuns } from '../../store/tickets.ts';
import type { Project } from '../project.ts';
import { bindByDriver, bindToSession } from './bind.ts';
import { lastHandOver, pendingHandOver } from './hand-over.ts';
import { type DriverStart, leaveDriverToken, sessionOfToken } from './token.ts';

const MEMORY = { ...NO_GUARD_MEMORY, held: true, noProgress: 2 };
const LIMIT: Waiting = { for: 'limit', since: 0, until: null, what: 'limit' };

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const sidecar = () => readSidecar(project.root, 'toy:a');
const note = (more: object): void => writeSidecar(project.root, { ...sidecar(), ...more });
const ticket = (): void => leaveTicket(project.root, 'toy:a', project.now, project.env);
const tickets = () => waitingRuns(project.root, project.now, project.env);

describe('a session that the driver started', () => {
  const leave = (run: string | null = 'toy:a', start: Partial<DriverStart> = {}): string =>
    leaveDriverToken(project, run, { session: null, fresh: false, ...start }).token;
  const begin = async (
    token: string | null,
    session: string | null,
    resumes = false,
    client = 'claude-code',
  ) => {
    const env = token === null ? project.env : { ...project.env, [DRIVER_VARIABLE]: token };
    await bindByDriver(stoppedIn({ ...project, env }, { session, client }), resumes);
    return fs.existsSync(project.home) ? sidecar().sessions : null;
  };

  it('gets the run, once', async () => {
    const token = leave();
    expect(await begin(token, 's1')).toEqual(['s1']);
    expect([sessionOfToken(project, token), readSession(project.root, 's1')?.runs]).toEqual([
      ...['s1', ['toy:a']],
    ]);
    expect(await begin(token, 's2')).toEqual(['s1']);
  });

  it('takes a token that is for no run', async () => {
    const token = leave(null);
    expect(await begin(token, 's1')).toEqual([]);
    expect(sessionOfToken(project, token)).toBe('s1');
  });

  it.each([
    ['without the variable', null, 's1', 'claude-code'],
    ['with a token that there is not', '0'.repeat(32), 's1', 'claude-code'],
    ['without an id', 'token', null, 'claude-code'],
    ['that a person fired by hand', 'token', 'generic', 'generic'],
  ])('%s gets nothing', async (_, given, session, client) => {
    const token = leave();
    const had = await begin(given === 'token' ? token : given, session, false, client);
    expect(had ?? []).toEqual([]);
    expect(sessionOfToken(project, token)).toBeNull();
    if (given !== '0'.repeat(32)) expect(had).toBeNull();
  });

  it('resumes another by a fork that the driver started, and only so', async () => {
    const plain = leave();
    expect(await begin(plain, 's1', true)).toBeNull();
    const fork = leave('toy:a', { forks: true });
    expect(await begin(fork, 's1', false)).toBeNull();
    expect(await begin(fork, 's1', true)).toEqual(['s1']);
  });
});

describe('a run that is bound to a session', () => {
  it('is adopted, with a fresh count, and waits for nothing of the former one’s', () => {
    putToy(project, 'toy:a', {}, 'before');
    note({ guard: { before: MEMORY }, waiting: LIMIT });
    ticket();
    bindToSession(project, 'toy:a', 's1');
    expect(sidecar()).toMatchObject({ sessions: ['s1'], guard: {}, takenOver: project.now });
    expect([sidecar().waiting, tickets()]).toEqual([undefined, []]);
  });

  it('is left as it is where it is that session’s already', () => {
    putToy(project, 'toy:a', {}, 's1');
    note({ guard: { s1: MEMORY }, waiting: LIMIT });
    ticket();
    const before = sidecar();
    bindToSession(project, 'toy:a', 's1');
    expect([sidecar(), tickets()]).toEqual([before, []]);
  });

  it('that was handed over goes on with its counts', () => {
    putToy(project, 'toy:a', {}, 'before');
    note({ guard: { before: MEMORY }, handover: { session: 'before', text: 'Go on.' } });
    ticket();
    bindToSession(project, 'toy:a', 's1');
    expect(sidecar()).toMatchObject({ sessions: ['s1'], guard: { s1: { held: true, noProgress: 2 } } });
    expect([sidecar().takenOver, tickets()]).toEqual([undefined, []]);
    expect(lastHandOver(project.root, 'toy:a')).toBe('Go on.');
    expect(pendingHandOver(project.root, 'toy:a')).toBeNull();
  });
});
