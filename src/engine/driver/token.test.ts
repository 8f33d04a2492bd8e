import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { readToken } from '../../store/driver-tokens.ts';
import { DRIVER_VARIABLE } from '../../store/environment.ts';
import { leaveTicket, waitingRuns } from '../../store/tickets.ts';
import type { Project } from '../project.ts';
import { dropDriverToken, leaveDriverToken, sessionOfToken, tokenOfSession } from './token.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(5_000);
});
const tickets = () => waitingRuns(project.root, project.now, project.env);
const withToken = (token: string): Project => ({
  ...{ ...project, env: { ...project.env, [DRIVER_VARIABLE]: token } },
});

describe('a driver’s token', () => {
  it('says what the session is for, and is given in one variable', () => {
    const { token, env } = leaveDriverToken(project, 'toy:a', { session: 's1', fresh: true });
    expect(env).toEqual({ [DRIVER_VARIABLE]: token });
    expect(readToken(token, project.env)).toEqual({
      ...{ root: project.root, run: 'toy:a', session: 's1', fresh: true, left: 5_000 },
    });
    const fork = leaveDriverToken(project, 'toy:a', { session: null, fresh: false, forks: true });
    expect(readToken(fork.token, project.env)).toEqual({
      ...{ root: project.root, run: 'toy:a', session: null, fresh: false, left: 5_000, forks: true },
    });
    const plain = leaveDriverToken(project, 'toy:a', { session: null, fresh: false, forks: false });
    expect(readToken(plain.token, project.env)).not.toHaveProperty('forks');
  });

  it('takes the place of the ticket for its run', () => {
    for (const run of ['toy:a', 'toy:b']) leaveTicket(project.root, run, project.now, project.env);
    leaveDriverToken(project, null, { session: null, fresh: false });
    expect(tickets()).toEqual(['toy:a', 'toy:b']);
    leaveDriverToken(project, 'toy:a', { session: null, fresh: false });
    expect(tickets()).toEqual(['toy:b']);
  });

  it('names the session that came with it, until it is dropped', () => {
    const { token } = leaveDriverToken(project, null, { session: 's1', fresh: false });
    const open = leaveDriverToken(project, 'toy:b', { session: null, fresh: false });
    expect([sessionOfToken(project, token), sessionOfToken(project, open.token)]).toEqual(['s1', null]);
    dropDriverToken(project, token);
    expect([sessionOfToken(project, token), readToken(token, project.env)]).toEqual([null, null]);
    expect(readToken(open.token, project.env)).not.toBeNull();
  });

  it('is a hook’s own where it is of that session in that project', () => {
    const { token } = leaveDriverToken(project, 'toy:a', { session: 's1', fresh: true });
    const there = withToken(token);
    expect(tokenOfSession(there, 's1')).toMatchObject({ session: 's1', run: 'toy:a', fresh: true });
    expect(tokenOfSession(there, 's2')).toBeNull();
    expect(tokenOfSession(there, null)).toBeNull();
    expect(tokenOfSession(project, 's1')).toBeNull();
    expect(tokenOfSession({ ...there, root: '/elsewhere' }, 's1')).toBeNull();
    expect(tokenOfSession(withToken('0'.repeat(32)), 's1')).toBeNull();
  });

  it('is nobody’s before a session came with it', () => {
    const { token } = leaveDriverToken(project, 'toy:a', { session: null, fresh: true });
    expect([tokenOfSession(withToken(token), null), tokenOfSession(withToken(token), 's1')]).toEqual([
      ...[null, null],
    ]);
  });
});
