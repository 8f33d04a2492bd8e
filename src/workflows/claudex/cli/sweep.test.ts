import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  ID,
  NOW,
  projectAt,
  putLoop,
  tempFolder,
  writeAt,
} from '../../../../test/fixtures/claudex/project.ts';
import { budgetOf, giveBudget } from '../../../../test/support/bare-project.ts';
import { homeOf, journalPath, sessionPath, sidecarPath } from '../../../store/home.ts';
import { appendToJournal } from '../../../store/journal.ts';
import type { StopEntry } from '../../../store/journal-lines.ts';
import { NO_WAITS, type Sidecar } from '../../../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { stateDirOf } from '../files.ts';
import { readLoops } from '../loops.ts';
import { sweep } from './sweep.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const MINUTE = 60_000;
const FRESH = '20260131-092900-bbbbbb';

/** A loop that last moved so many minutes ago, with everything that belongs to it. */
function oldLoop(minutes: number, fields: Record<string, string> = {}) {
  const project = projectAt(root);
  const made = putLoop(project, { phase: 'reviewing', ...fields });
  const time = NOW - minutes * MINUTE;
  for (const file of [made.files.lock, made.files.runner, made.files.prompt, made.files.findings(1)])
    writeAt(file, 'x\n', time);
  fs.utimesSync(made.files.state, time / 1000, time / 1000);
  return { project, ...made };
}

describe('the sweep', () => {
  it('takes a loop in which nothing moved for more than the threshold, with all that belongs to it', {
    tags: ['C2.1.l', 'C2.3.f'],
  }, () => {
    const { project, dir } = oldLoop(16);
    expect(sweep(project, dir, 15)).toEqual([ID]);
    expect(fs.readdirSync(dir.path).sort()).toEqual(['log', 'swept']);
    expect(fs.readdirSync(path.join(dir.path, 'swept', ID)).sort()).toEqual([
      ID,
      `${ID}-prompt.txt`,
      `${ID}-runner.sh`,
      `${ID}.lock`,
      `${ID}.state`,
    ]);
    expect(fs.existsSync(path.join(dir.path, 'swept', ID, ID, 'findings-round-1.md'))).toBe(true);
  });

  it('keeps a fresh loop beside a stale one', { tags: ['C2.3.g'] }, () => {
    const { project, dir } = oldLoop(16);
    putLoop(project, {}, { id: FRESH });
    expect(sweep(project, dir, 15)).toEqual([ID]);
    expect(readLoops(dir).map(({ id }) => id)).toEqual([FRESH]);
  });

  it('goes by the threshold it is given', { tags: ['C2.1.k'] }, () => {
    const { project, dir } = oldLoop(14);
    expect(sweep(project, dir, 15)).toEqual([]);
    expect(sweep(project, dir, 13)).toEqual([ID]);
  });

  it('takes none that moved at the threshold itself, also where its notes cannot be read', () => {
    const { project, dir } = oldLoop(15);
    expect(sweep(project, dir, 15)).toEqual([]);
    writeAt(sidecarPath(homeOf(root), `claudex:${ID}`), '{', NOW - 180 * MINUTE);
    expect(sweep(project, dir, 15)).toEqual([]);
    expect(sweep(project, dir, 16)).toEqual([]);
    expect(sweep(project, dir, 14)).toEqual([ID]);
  });

  it('leaves a loop whose budget is spent', () => {
    const { project, dir } = oldLoop(600);
    const budgeted = { ...project, env: { XDG_STATE_HOME: path.join(root, 'state') } };
    giveBudget(budgeted, budgetOf(budgeted, `claudex:${ID}`, { stage: 'paused' }));
    expect(sweep(budgeted, dir, 15)).toEqual([]);
    giveBudget(budgeted, budgetOf(budgeted, `claudex:${ID}`, { stage: 'open' }));
    expect(sweep(budgeted, dir, 15)).toEqual([ID]);
  });

  it('takes one that no session has as yet, however fresh its notes', () => {
    const { project, dir } = oldLoop(16);
    writeSidecar(root, readSidecar(root, `claudex:${ID}`));
    const notes = sidecarPath(homeOf(root), `claudex:${ID}`);
    fs.utimesSync(notes, NOW / 1000, NOW / 1000);
    expect(sweep(project, dir, 15)).toEqual([ID]);
  });

  it.each(['done', 'cancelled', 'errored'])(
    'leaves a loop that is %s for audit',
    { tags: ['C2.1.k'] },
    (phase) => {
      const { project, dir } = oldLoop(600, { phase });
      expect(sweep(project, dir, 15)).toEqual([]);
      expect(readLoops(dir)).toHaveLength(1);
    },
  );

  it('takes a stale loop in an unknown phase', () => {
    const { project, dir } = oldLoop(16, { phase: 'dreaming' });
    expect(sweep(project, dir, 15)).toEqual([ID]);
  });

  it('counts findings, a heartbeat and PLAN.md as activity', () => {
    for (const file of ['findings-round-2.md', 'running', '../../../PLAN.md']) {
      const { project, dir, files } = oldLoop(16);
      writeAt(path.join(files.folder, file), '2\n', NOW - MINUTE);
      expect(sweep(project, dir, 15)).toEqual([]);
      fs.rmSync(path.join(files.folder, file));
    }
  });

  it('says in the log what it took and by which threshold', () => {
    const { project, dir } = oldLoop(16);
    sweep(project, dir, 15);
    expect(fs.readFileSync(path.join(dir.path, 'log'), 'utf8')).toBe(
      `[2026-01-31T09:30:00Z] swept ${ID}: nothing moved for more than 15 minutes\n`,
    );
  });

  describe('of a loop that waits', () => {
    const HOUR = 60 * MINUTE;

    function waitingLoop(minutes: number, notes: Partial<Sidecar>) {
      const made = oldLoop(minutes);
      writeSidecar(root, { ...readSidecar(root, `claudex:${ID}`), ...notes });
      return made;
    }

    const until = (time: number | null): Sidecar['waiting'] => ({
      for: 'limit',
      since: NOW - HOUR,
      until: time,
      what: 'rate_limit',
    });

    it.each([
      ['at a time that is known', NOW + MINUTE],
      ['at a time unknown', null],
    ])('spares it until that ends %s', (_, time) => {
      const { project, dir } = waitingLoop(600, { waiting: until(time) });
      expect(sweep(project, dir, 15)).toEqual([]);
    });

    it('takes it once that is long over', () => {
      const { project, dir } = waitingLoop(600, { waiting: until(NOW - MINUTE) });
      expect(sweep(project, dir, 15)).toEqual([ID]);
    });

    it('does not count the time that it waited', () => {
      const waits = { ...NO_WAITS, waited: 50 * MINUTE };
      const { project, dir } = waitingLoop(64, { waits });
      expect(sweep(project, dir, 15)).toEqual([]);
      expect(sweep(project, dir, 14)).toEqual([]);
      expect(sweep(project, dir, 13)).toEqual([ID]);
    });
  });

  describe('of a loop of another session', () => {
    const HOUR = 60 * MINUTE;

    /** An old loop of another session, of which every trace is older than two hours. */
    function foreignLoop() {
      const made = oldLoop(600);
      bind(root, `claudex:${ID}`, ['somebody'], {
        saved: { plan: null, transcript: path.join(root, 'transcript.jsonl') },
      });
      const traces = {
        sidecar: sidecarPath(homeOf(root), `claudex:${ID}`),
        session: sessionPath(homeOf(root), 'somebody'),
        transcript: path.join(root, 'transcript.jsonl'),
        journal: journalPath(homeOf(root)),
      };
      writeAt(traces.transcript, '{}\n');
      appendToJournal(root, { ...STOP, session: 'another', time: new Date(NOW).toISOString() });
      for (const file of Object.values(traces)) touch(file, 2 * HOUR + MINUTE);
      return { ...made, traces };
    }

    const touch = (file: string, ago: number): void =>
      fs.utimesSync(file, (NOW - ago) / 1000, (NOW - ago) / 1000);

    const STOP: StopEntry = {
      schema: 2,
      ...{ time: '', event: 'stop', client: 'claude-code', session: 'somebody', turn: null, workflow: null },
      ...{ run: null, state: null, facts: null, guard: null, step: null, answer: 'allow', notice: false },
      ...{ error: null, milliseconds: 1 },
    };

    it('takes it when nothing of that session was seen for two hours', () => {
      const { project, dir } = foreignLoop();
      expect(sweep(project, dir, 15)).toEqual([ID]);
      expect(fs.existsSync(path.join(dir.path, 'swept', ID, `${ID}.state`))).toBe(true);
    });

    it.each(['sidecar', 'session', 'transcript'] as const)(
      'spares it when its %s was written less than two hours ago',
      (trace) => {
        const { project, dir, traces } = foreignLoop();
        touch(traces[trace], 2 * HOUR - MINUTE);
        expect(sweep(project, dir, 15)).toEqual([]);
        expect(readLoops(dir)).toHaveLength(1);
      },
    );

    it('spares it when its transcript was written two hours ago to the millisecond', () => {
      const { project, dir, traces } = foreignLoop();
      touch(traces.transcript, 2 * HOUR);
      expect(sweep(project, dir, 15)).toEqual([]);
    });

    it('spares it when the journal has a stop of that session from the last two hours', () => {
      const { project, dir } = foreignLoop();
      appendToJournal(root, { ...STOP, time: new Date(NOW - 2 * HOUR + MINUTE).toISOString() });
      appendToJournal(root, { ...STOP, session: 'another', time: new Date(NOW).toISOString() });
      expect(sweep(project, dir, 15)).toEqual([]);
    });

    it('takes it when its last stop in the journal is older than two hours', () => {
      const { project, dir } = foreignLoop();
      appendToJournal(root, { ...STOP, time: new Date(NOW - 2 * HOUR - MINUTE).toISOString() });
      expect(sweep(project, dir, 15)).toEqual([ID]);
    });

    it('takes one that is our own as any other', () => {
      const { dir, traces } = foreignLoop();
      touch(traces.sidecar, 0);
      const theirs = projectAt(root, { env: { CLAUDE_CODE_SESSION_ID: 'somebody' } });
      expect(sweep(theirs, dir, 15)).toEqual([ID]);
    });

    it('takes one that is our own beside another’s', () => {
      const { dir, traces } = foreignLoop();
      bind(root, `claudex:${ID}`, ['somebody', 'us']);
      touch(traces.sidecar, 0);
      const ours = projectAt(root, { env: { CLAUDE_CODE_SESSION_ID: 'us' } });
      expect(sweep(ours, dir, 15)).toEqual([ID]);
    });

    it('goes by the age of notes that nobody can read', () => {
      const { project, dir, traces } = foreignLoop();
      fs.writeFileSync(traces.sidecar, '{');
      touch(traces.sidecar, HOUR);
      expect(sweep(project, dir, 15)).toEqual([]);
      touch(traces.sidecar, 3 * HOUR);
      expect(sweep(project, dir, 15)).toEqual([ID]);
    });
  });

  it('keeps what was swept before under the same name', () => {
    const { project, dir } = oldLoop(16);
    sweep(project, dir, 15);
    oldLoop(20);
    sweep(project, dir, 15);
    expect(fs.readdirSync(path.join(dir.path, 'swept')).sort()).toEqual([ID, `${ID}-2`]);
  });

  it('moves a state file whose name is no id out of the way', () => {
    const { project, dir } = oldLoop(1);
    writeAt(path.join(dir.path, 'notes.state'), 'phase: drafting\n');
    sweep(project, dir, 15);
    expect(fs.existsSync(path.join(dir.path, 'swept/notes/notes.state'))).toBe(true);
  });

  it('leaves such a file where other projects keep theirs, too', () => {
    const outside = tempFolder();
    onTestFinished(() => fs.rmSync(outside, { recursive: true }));
    const project = projectAt(root, { env: { CLAUDEX_STATE_DIR: outside } });
    writeAt(path.join(outside, 'notes.state'), 'phase: drafting\n');
    expect(sweep(project, stateDirOf(project), 15)).toEqual([]);
    expect(fs.readdirSync(outside)).toEqual(['notes.state']);
  });

  it.each(['swept', 'log', 'notes'])('sets %s.state aside alone, never what bears its name', (name) => {
    const { project, dir } = oldLoop(1);
    const at = (file: string): string => path.join(dir.path, file);
    writeAt(at('log'), 'a line\n');
    writeAt(at('swept/earlier/kept.state'), 'x\n');
    writeAt(at('notes/mine.md'), 'x\n');
    writeAt(at('notes.lock'), 'x\n');
    writeAt(at(`${name}.state`), 'phase: drafting\n');
    expect(sweep(project, dir, 15)).toEqual([]);
    expect(fs.readdirSync(at(`swept/${name}`))).toEqual([`${name}.state`]);
    expect(fs.existsSync(at(`${name}.state`))).toBe(false);
    expect(fs.readFileSync(at('log'), 'utf8')).toBe('a line\n');
    for (const kept of ['swept/earlier/kept.state', 'notes/mine.md', 'notes.lock'])
      expect(fs.existsSync(at(kept)), kept).toBe(true);
  });

  it('does nothing where there is nothing', () => {
    const project = projectAt(root);
    expect(sweep(project, stateDirOf(project), 15)).toEqual([]);
    expect(fs.readdirSync(root)).toEqual([]);
  });
});
