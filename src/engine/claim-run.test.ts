import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn } from '../../test/support/bare-project.ts';
import { journalIn } from '../../test/support/stop-here.ts';
import { sidecarPath } from '../store/home.ts';
import type { Waiting } from '../store/records.ts';
import { bind, readSession, readSidecar, writeSidecar } from '../store/sidecars.ts';
import { leaveTicket, waitingRuns } from '../store/tickets.ts';
import { COMMAND_PATIENCE_MS, claimRun, endFormerWait, voidTicket } from './claim-run.ts';
import type { Project } from './project.ts';

let root: string;
let terminal: Project;
beforeEach(() => {
  root = emptyFolder();
  terminal = projectIn(root);
});
const inSession = (session: string): Project => projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: session } });
const sidecar = () => readSidecar(root, 'toy:a');
const tickets = () => waitingRuns(root, terminal.now, terminal.env);
const events = (): unknown[] => journalIn(terminal).map(({ event, run, session }) => [event, run, session]);
const LIMIT: Waiting = { for: 'limit', since: 0, until: null, what: 'limit' };
const wait = (): void => writeSidecar(root, { ...sidecar(), waiting: LIMIT });

it('a command waits longer for the lock than a hook', () => {
  expect(COMMAND_PATIENCE_MS).toBe(15_000);
});

describe('a run that is claimed', () => {
  it('in a terminal is the next session’s', () => {
    expect(claimRun(terminal, 'toy:a', 'saved')).toBe('the next session here');
    expect([sidecar().sessions, sidecar().saved, tickets()]).toEqual([[], 'saved', ['toy:a']]);
    expect(events()).toEqual([['start', 'a', null]]);
  });

  it('in a client is its session’s, and no ticket is left for it', () => {
    leaveTicket(root, 'toy:a', terminal.now, terminal.env);
    leaveTicket(root, 'toy:b', terminal.now, terminal.env);
    expect(claimRun(inSession('s1'), 'toy:a')).toBe('this session');
    expect([sidecar().sessions, tickets()]).toEqual([['s1'], ['toy:b']]);
    expect(readSession(root, 's1')?.runs).toEqual(['toy:a']);
    expect(events()).toEqual([['start', 'a', 's1']]);
  });

  it('is adopted from another session, and waits no more for what that waited for', () => {
    claimRun(inSession('s1'), 'toy:a');
    wait();
    claimRun(inSession('s2'), 'toy:a');
    expect(sidecar()).toMatchObject({ sessions: ['s2'], takenOver: terminal.now });
    expect(sidecar().waiting).toBeUndefined();
    expect(events()).toEqual([
      ['start', 'a', 's1'],
      ['adopt', 'a', 's2'],
    ]);
  });

  it('again by its own session goes on, without a word in the journal', () => {
    claimRun(inSession('s1'), 'toy:a');
    writeSidecar(root, { ...sidecar(), waiting: LIMIT, takenOver: 1 });
    claimRun(inSession('s1'), 'toy:a');
    expect(sidecar()).toMatchObject({ waiting: LIMIT, takenOver: 1 });
    expect(events()).toHaveLength(1);
  });

  it('is in the journal as the command says', () => {
    claimRun(inSession('s1'), 'toy:a', undefined, 'adopt');
    claimRun(inSession('s2'), 'toy:a', undefined, null);
    expect(events()).toEqual([['adopt', 'a', 's1']]);
  });

  it('and whose notes cannot be read is another’s up to now', () => {
    claimRun(inSession('s1'), 'toy:a');
    fs.writeFileSync(sidecarPath(terminal.home, 'toy:a'), 'broken');
    claimRun(inSession('s1'), 'toy:a');
    expect(sidecar()).toMatchObject({ sessions: ['s1'], takenOver: terminal.now });
    expect(events()).toHaveLength(2);
  });

  it('is refused where the session’s stops would never find it', () => {
    const started = (folder: string): Project => {
      const home = path.join(path.dirname(root), 'home');
      fs.mkdirSync(path.join(home, '.claude/projects/one'), { recursive: true });
      const line = `${JSON.stringify({ cwd: folder })}\n`;
      fs.writeFileSync(path.join(home, '.claude/projects/one/s1.jsonl'), line);
      return inSession('s1');
    };
    const elsewhere = emptyFolder();
    expect(() => claimRun(started(elsewhere), 'toy:a')).toThrow(
      `toy:a lies in ${root} and would never hold this session: it was started in ${elsewhere}, `,
    );
    expect(fs.existsSync(sidecarPath(terminal.home, 'toy:a'))).toBe(false);
    expect(claimRun(started(root), 'toy:a')).toBe('this session');
  });

  it('is the session’s with a doubt where nothing tells where that was started', () => {
    fs.rmSync(path.join(root, '.git'), { recursive: true });
    expect(claimRun(inSession('s1'), 'toy:a')).toBe(
      `this session (if its client was started in ${root} or below)`,
    );
  });
});

describe('a wait of a former session', () => {
  it('is over, but for its question', () => {
    bind(root, 'toy:a', ['s1']);
    wait();
    endFormerWait(root, 'toy:a', 7);
    expect([sidecar().waiting, sidecar().takenOver]).toEqual([undefined, 7]);
    const asked: Waiting = {
      for: 'person',
      since: 5,
      until: 90,
      what: 'Which?',
      shown: { marker: null, turn: null },
    };
    writeSidecar(root, { ...sidecar(), waiting: asked });
    endFormerWait(root, 'toy:a', 8);
    expect([sidecar().waiting, sidecar().takenOver]).toEqual([{ ...asked, shown: null }, 8]);
  });
});

describe('a ticket', () => {
  it('is void without a word where it cannot be changed', () => {
    leaveTicket(root, 'toy:a', terminal.now, terminal.env);
    const state = terminal.env.XDG_STATE_HOME ?? '';
    fs.rmSync(path.join(state, 'holdfast', 'lock'), { recursive: true, force: true });
    fs.mkdirSync(path.join(state, 'holdfast', 'lock'));
    expect(voidTicket(terminal, 'toy:a')).toBeUndefined();
    fs.rmdirSync(path.join(state, 'holdfast', 'lock'));
    voidTicket(terminal, 'toy:a');
    expect(tickets()).toEqual([]);
  });
});
