import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn } from '../../test/support/bare-project.ts';
import { journalIn } from '../../test/support/stop-here.ts';
import { sidecarPath } from '../store/home.ts';
import type { Waiting } from '../store/records.ts';
import { readSession, readSidecar, writeSidecar } from '../store/sidecars.ts';
import { leaveTicket, waitingRuns } from '../store/tickets.ts';
import { claimRun, voidTicket } from './claim-run.ts';
import type { Project } from './project.ts';

const LIMIT: Waiting = { for: 'limit', since: 0, until: null, what: 'limit' };
let root: string;
let terminal: Project;
beforeEach(() => {
  root = emptyFolder();
  terminal = projectIn(root);
});
const inSession = (session: string): Project => projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: session } });
const sidecar = () => readSidecar(root, 'toy:a');
const tickets = () => waitingRuns(root, terminal.now, terminal.env);
const events = () => journalIn(terminal).map(({ event, session }) => `${event} ${session}`);

describe('a run that is claimed', () => {
  it('in a terminal is the next session’s', () => {
    expect(claimRun(terminal, 'toy:a', 'saved')).toBe('the next session here');
    expect([sidecar().sessions, sidecar().saved, tickets(), events()]).toEqual([
      ...[[], 'saved', ['toy:a'], ['start null']],
    ]);
  });

  it('in a client is its session’s, and no ticket is left for it', () => {
    for (const run of ['toy:a', 'toy:b']) leaveTicket(root, run, terminal.now, terminal.env);
    expect(claimRun(inSession('s1'), 'toy:a')).toBe('this session');
    expect([sidecar().sessions, tickets(), readSession(root, 's1')?.runs]).toEqual([
      ['s1'],
      ['toy:b'],
      ['toy:a'],
    ]);
  });

  it('is adopted from another session and waits no more; again by its own it goes on as it is', () => {
    claimRun(inSession('s1'), 'toy:a');
    writeSidecar(root, { ...sidecar(), waiting: LIMIT });
    claimRun(inSession('s1'), 'toy:a');
    expect(sidecar()).toMatchObject({ waiting: LIMIT });
    claimRun(inSession('s2'), 'toy:a');
    expect([sidecar().sessions, sidecar().waiting, sidecar().takenOver]).toEqual([
      ['s2'],
      undefined,
      terminal.now,
    ]);
    claimRun(inSession('s3'), 'toy:a', undefined, null);
    expect(events()).toEqual(['start s1', 'adopt s2']);
  });

  it('and whose notes cannot be read is another’s up to now', () => {
    claimRun(inSession('s1'), 'toy:a');
    fs.writeFileSync(sidecarPath(terminal.home, 'toy:a'), 'broken');
    claimRun(inSession('s1'), 'toy:a');
    expect(sidecar()).toMatchObject({ sessions: ['s1'], takenOver: terminal.now });
    expect(events()).toEqual(['start s1', 'adopt s1']);
  });
});

it('a ticket that cannot be taken away is void without a word', () => {
  leaveTicket(root, 'toy:a', terminal.now, terminal.env);
  const lock = path.join(terminal.env.XDG_STATE_HOME ?? '', 'holdfast/lock');
  fs.rmSync(lock, { recursive: true, force: true });
  fs.mkdirSync(lock);
  expect(voidTicket(terminal, 'toy:a')).toBeUndefined();
  fs.rmdirSync(lock);
  voidTicket(terminal, 'toy:a');
  expect(tickets()).toEqual([]);
});
