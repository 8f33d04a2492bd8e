import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW, projectAt, sceneAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { leaveToken } from '../../store/driver-tokens.ts';
import { DRIVER_VARIABLE } from '../../store/environment.ts';
import { ensureHome } from '../../store/home.ts';
import { journalFromEnd } from '../../store/journal.ts';
import { keptWords } from '../../store/kept.ts';
import { NEW_SESSION, newSidecar, type Sidecar, type Waiting } from '../../store/records.ts';
import { readSession, readSidecar, writeSession, writeSidecar } from '../../store/sidecars.ts';
import { leaveTicket, waitingRuns } from '../../store/tickets.ts';
import type { StopContext } from '../context.ts';
import { bindByDriver } from '../driver/bind.ts';
import { lastHandOver, pendingHandOver } from '../driver/hand-over.ts';
import { leaveDriverToken, tokenOfSession } from '../driver/token.ts';
import type { Project } from '../project.ts';
import { noteAnswered, noteShown, showQuestions } from '../waiting/question.ts';
import type { AnyWorkflow } from '../workflow.ts';
import { forgetRuns, type RunHere } from './find-runs.ts';
import { handOver, noteDriver } from './hand-over.ts';
import { keepAllSignals, keepSignals } from './keep-signals.ts';
import type { Turn } from './turn.ts';

let folder: string;
let project: Project;
beforeEach(() => {
  folder = tempFolder();
  const root = path.join(folder, 'project');
  fs.mkdirSync(root);
  fs.mkdirSync(path.join(folder, 'home'));
  project = projectAt(root, { env: { HOME: path.join(folder, 'home') } });
  ensureHome(root);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

function contextOf(session: string | null = 's1', env = project.env): StopContext {
  const here = { ...project, env };
  return {
    stop: sceneAt(here, { session, turn: 't1' }).stop,
    project: here,
    runtime: { lockPatienceMs: 2000, env, registry: [] },
    decidedOn: new Map(),
  } as unknown as StopContext;
}

const put = (name: string, more: Partial<Sidecar> = {}): void =>
  writeSidecar(project.root, { ...newSidecar(name), sessions: ['s1'], ...more });
const saved = (name = 'toy:a'): Sidecar => readSidecar(project.root, name);

describe('a signal at a stop that passes the run by', () => {
  const workflow = {
    name: 'toy',
    signalGiven: () => ({ word: 'done', state: 'now' }),
    keepSignal: (known: unknown, word: string) => ({ known: known ?? null, word }),
  } as unknown as AnyWorkflow;
  const here: RunHere = { workflow, run: 'a' };
  const words = (): string[] => keptWords({ root: project.root, env: project.env, run: 'toy:a' });

  it('is kept in the run’s own notes, where these can be written', async () => {
    put('toy:a', { saved: 'mine' });
    expect(await keepSignals([here], 'writable', contextOf())).toEqual([]);
    expect(saved().saved).toEqual({ known: 'mine', word: 'done' });
    expect(words()).toEqual([]);
  });

  it('is nobody’s where another session took the run meanwhile', async () => {
    put('toy:a', { saved: 'mine' });
    const adopted = {
      ...workflow,
      signalGiven: () => {
        put('toy:a', { saved: 'mine', sessions: ['s2'] });
        return { word: 'done', state: 'now' };
      },
    } as unknown as AnyWorkflow;
    expect(await keepSignals([{ ...here, workflow: adopted }], 'writable', contextOf())).toEqual([]);
    expect([saved().saved, words()]).toEqual(['mine', []]);
  });

  it('is kept beside them where serving the run has just failed', async () => {
    put('toy:a', { saved: 'mine' });
    expect(await keepSignals([here], 'unwritable', contextOf())).toEqual([]);
    expect(saved().saved).toBe('mine');
    expect(words()).toEqual(['done']);
  });

  it('is spent where the state moved on, seen by all', async () => {
    put('toy:a');
    const context = contextOf();
    context.decidedOn.set('toy:a', 'before');
    await keepSignals([here], 'unwritable', context);
    expect(words()).toEqual([]);
    context.decidedOn.set('toy:a', 'now');
    await keepSignals([here], 'unwritable', context);
    expect(words()).toEqual(['done']);
  });

  it('is kept beside the notes where they cannot be written, with a line in the journal', async () => {
    put('toy:a');
    const broken = {
      ...workflow,
      keepSignal: () => {
        throw new Error('the disk is full');
      },
    } as unknown as AnyWorkflow;
    expect(await keepSignals([{ ...here, workflow: broken }], 'writable', contextOf())).toEqual([]);
    expect(words()).toEqual(['done']);
    expect([...journalFromEnd(project.root)]).toMatchObject([{ run: 'a', error: 'Error: the disk is full' }]);
  });

  it('is lost where nothing can be written, and that is said', async () => {
    put('toy:a');
    vi.spyOn(fs, 'openSync').mockImplementation(((file: string, ...rest: never[]) => {
      if (String(file).includes('~')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return (openSync as (...args: unknown[]) => number)(file, ...rest);
    }) as typeof fs.openSync);
    expect(await keepSignals([here], 'unwritable', contextOf())).toEqual([
      expect.stringMatching(
        /^Holdfast: a completion signal for toy:a was given at this stop, but nothing can be/,
      ),
    ]);
  });

  it('is none of another session’s, and none where none was given', async () => {
    put('toy:a', { sessions: ['s2'] });
    await keepSignals([here], 'unwritable', contextOf());
    put('toy:b');
    const quiet = { ...workflow, signalGiven: () => null } as unknown as AnyWorkflow;
    const none = { name: 'toy' } as unknown as AnyWorkflow;
    const runs = [quiet, none].map((each) => ({ workflow: each, run: 'b' }));
    expect(await keepSignals(runs, 'unwritable', contextOf())).toEqual([]);
    expect([words(), keptWords({ root: project.root, env: project.env, run: 'toy:b' })]).toEqual([[], []]);
  });

  it('is asked for again after an error that passes, and then it is in the journal', async () => {
    put('toy:a');
    let asked = 0;
    const failing = (times: number) =>
      ({
        ...workflow,
        signalGiven: () => {
          if (asked++ < times) throw new Error('too many files');
          return { word: 'done', state: 'now' };
        },
      }) as unknown as AnyWorkflow;
    await keepSignals([{ ...here, workflow: failing(1) }], 'unwritable', contextOf());
    expect(words()).toEqual(['done']);
    asked = 0;
    await keepSignals([{ ...here, workflow: failing(2) }], 'unwritable', contextOf());
    expect([...journalFromEnd(project.root)]).toMatchObject([{ error: 'Error: too many files' }]);
  });

  it('writes nothing where the notes have it already', async () => {
    put('toy:a', { saved: 'mine' });
    const same = { ...workflow, keepSignal: (known: unknown) => known } as unknown as AnyWorkflow;
    const file = path.join(project.home, 'runs/toy-a.json');
    const before = fs.statSync(file).ino;
    expect(await keepSignals([{ ...here, workflow: same }], 'writable', contextOf())).toEqual([]);
    expect(fs.statSync(file).ino).toBe(before);
  });

  it('of all runs is none where nobody knows which there are', async () => {
    writeSession(project.root, 's1', { ...NEW_SESSION, runs: ['toy:a'] });
    const broken = contextOf();
    expect(await keepAllSignals('writable', broken)).toEqual([]);
    const file = fs.readdirSync(path.join(project.home, 'sessions'))[0] ?? '';
    fs.writeFileSync(path.join(project.home, 'sessions', file), '{');
    expect(await keepAllSignals('writable', broken)).toEqual([]);
  });
});

const { openSync } = fs;

describe('one question of several runs', () => {
  const runs: RunHere[] = ['a', 'b'].map((run) => ({ workflow: { name: 'toy' } as AnyWorkflow, run }));
  const asked: Waiting = { for: 'person', since: NOW - 5, until: NOW + 5, what: 'Which?', shown: null };
  const shown = { marker: 'm', turn: 't' };

  it('is noted as shown where it was not', async () => {
    put('toy:a', { waiting: asked });
    put('toy:b', { waiting: { ...asked, shown: { marker: 'before', turn: null } } });
    await noteShown(runs, { ...asked, shown }, contextOf());
    expect(saved('toy:a').waiting?.shown).toEqual(shown);
    expect(saved('toy:b').waiting?.shown).toEqual({ marker: 'before', turn: null });
  });

  it('is answered for all that wait for the same, and for no other', async () => {
    put('toy:a', { waiting: asked });
    put('toy:b', { waiting: { ...asked, since: NOW - 6 } });
    await noteAnswered(runs, asked, contextOf());
    expect([saved('toy:a').waiting, saved('toy:a').waits?.waited]).toEqual([undefined, 5]);
    expect(saved('toy:b').waiting?.since).toBe(NOW - 6);
    put('toy:a', { waiting: { ...asked, what: 'Other?' } });
    put('toy:b', { waiting: { ...asked, for: 'work' } });
    await noteAnswered(runs, asked, contextOf());
    expect([saved('toy:a').waiting?.what, saved('toy:b').waiting?.for]).toEqual(['Other?', 'work']);
  });

  it('is shown once at a stop that serves none, and not after its time', async () => {
    put('toy:a', { waiting: asked });
    put('toy:b', { waiting: asked });
    const said = await showQuestions(runs, contextOf());
    expect(said).toEqual([
      'Holdfast: the agent asks: Which?\nIt waits for your answer: write it here, and the work goes on.',
    ]);
    expect(saved('toy:b').waiting?.shown).toEqual({ marker: null, turn: 't1' });
    expect(await showQuestions(runs, contextOf())).toEqual([]);
    put('toy:a', { waiting: { ...asked, until: NOW } });
    expect(await showQuestions(runs, contextOf())).toEqual([]);
    expect(saved('toy:a').waiting?.shown).toBeNull();
  });

  it('is none of a run that is another session’s, or waits for nothing', async () => {
    put('toy:a', { waiting: asked, sessions: ['s2'] });
    put('toy:b');
    expect(await showQuestions(runs, contextOf())).toEqual([]);
    expect(saved('toy:a').waiting).toEqual(asked);
  });

  it('that cannot be noted costs the others nothing', async () => {
    put('toy:a');
    put('toy:b', { waiting: asked });
    fs.writeFileSync(path.join(project.home, 'runs/toy-a.json'), '{"schema":99}');
    expect(await showQuestions(runs, contextOf())).toHaveLength(1);
    expect([...journalFromEnd(project.root)]).toMatchObject([{ workflow: 'toy', run: 'a' }]);
  });
});

describe('a session', () => {
  it('forgets runs that are over, and nothing else', async () => {
    await forgetRuns(['toy:a'], contextOf());
    expect(readSession(project.root, 's1')).toBeNull();
    const index = { ...NEW_SESSION, runs: ['toy:a', 'toy:b'], notified: ['x'] };
    writeSession(project.root, 's1', index);
    await forgetRuns([], contextOf());
    await forgetRuns(['toy:a'], contextOf(null));
    expect(readSession(project.root, 's1')).toEqual(index);
    await forgetRuns(['toy:a', 'toy:c'], contextOf());
    expect(readSession(project.root, 's1')).toEqual({ ...index, runs: ['toy:b'] });
  });
});

describe('a hold that is handed over', () => {
  const runs: RunHere[] = ['a', 'b'].map((run) => ({ workflow: { name: 'toy' } as AnyWorkflow, run }));
  const only = runs.slice(0, 1);
  const tokenFor = (run: string | null, more: object = {}): NodeJS.ProcessEnv => {
    const record = { root: project.root, run, session: 's1', fresh: true, left: NOW, ...more };
    return { ...project.env, [DRIVER_VARIABLE]: leaveToken(record, project.env) };
  };
  const hands = async (env: NodeJS.ProcessEnv, which = only, session = 's1'): Promise<boolean> =>
    (await noteDriver(contextOf(session, env), which)).handsOver === true;

  it('is one of the driver’s session, with this run alone', async () => {
    expect(await hands(tokenFor('toy:a'))).toBe(true);
    expect(await hands(tokenFor(null))).toBe(true);
    expect(await hands(tokenFor('toy:a'), runs)).toBe(false);
    expect(await hands(tokenFor('toy:a'), [])).toBe(false);
    expect(await hands(tokenFor('toy:b'))).toBe(false);
    expect(await hands(tokenFor('toy:a', { fresh: false }))).toBe(false);
    expect(await hands(tokenFor('toy:a'), only, 's2')).toBe(false);
    expect(await hands(tokenFor('toy:a', { root: '/elsewhere' }))).toBe(false);
    expect(await hands({ ...project.env })).toBe(false);
    expect(tokenOfSession({ ...project, env: tokenFor('toy:a') }, null)).toBeNull();
  });

  const turnWith = (kind: 'hold' | 'allow', sidecar: Sidecar): Turn =>
    ({
      kind: 'answer',
      served: { answer: { kind, reason: 'Go on.' } },
      writes: { sidecar },
    }) as unknown as Turn;

  it('is written down with its text', () => {
    const turn = turnWith('hold', newSidecar('toy:a'));
    const next = handOver(turn, { ...contextOf(), handsOver: true });
    expect(next).toEqual({
      ...turn,
      served: { answer: { kind: 'hold', reason: 'Go on.' }, handedOver: true },
      writes: { sidecar: { ...newSidecar('toy:a'), handover: { session: 's1', text: 'Go on.' } } },
    });
    expect(handOver(turn, contextOf())).toBe(turn);
    expect(handOver(turn, { ...contextOf(null), handsOver: true })).toBe(turn);
    const allow = turnWith('allow', newSidecar('toy:a'));
    expect(handOver(allow, { ...contextOf(), handsOver: true })).toBe(allow);
    const other = { kind: 'not-ours' } as const;
    expect(handOver(other, { ...contextOf(), handsOver: true })).toBe(other);
  });

  it('is behind a session that is held as usual', () => {
    const known = { ...newSidecar('toy:a'), handover: { session: 's0', text: 'Before.' } };
    expect(handOver(turnWith('hold', known), contextOf())).toMatchObject({
      writes: { sidecar: { handover: undefined } },
    });
  });

  it('is pending as long as it is the session’s that handed it over', () => {
    const handover = { session: 's1', text: 'Go on.' };
    put('toy:a');
    expect([pendingHandOver(project.root, 'toy:a'), lastHandOver(project.root, 'toy:a')]).toEqual([
      null,
      null,
    ]);
    put('toy:a', { handover });
    expect(pendingHandOver(project.root, 'toy:a')).toEqual(handover);
    put('toy:a', { handover, sessions: ['s2'] });
    expect(pendingHandOver(project.root, 'toy:a')).toBeNull();
    expect(lastHandOver(project.root, 'toy:a')).toBe('Go on.');
  });
});

describe('a session that the driver started', () => {
  const start = (more: object = {}): Project => {
    const { env } = leaveDriverToken(project, 'toy:a', { session: null, fresh: false, ...more });
    return { ...project, env: { ...project.env, ...env } };
  };
  const begin = (here: Project, resumes = false, session: string | null = 's9'): Promise<void> =>
    bindByDriver(contextOf(session, here.env), resumes);

  it('has the run, and no ticket is left for another', async () => {
    put('toy:a', { sessions: [], waiting: { for: 'work', since: NOW - 5, until: NOW + 5, what: 'x' } });
    const here = start();
    leaveTicket(project.root, 'toy:a', NOW, project.env);
    await begin(here);
    expect(saved().sessions).toEqual(['s9']);
    expect(saved().waiting).toBeUndefined();
    expect(readSession(project.root, 's9')?.runs).toEqual(['toy:a']);
    expect(waitingRuns(project.root, NOW, project.env)).toEqual([]);
  });

  it('is not one without the variable, without an id, or that resumes another', async () => {
    put('toy:a', { sessions: [] });
    await begin(project);
    const here = start();
    await begin(here, false, null);
    await begin(here, true);
    expect(saved().sessions).toEqual([]);
    const fork = start({ forks: true });
    await begin(fork, false);
    expect(saved().sessions).toEqual([]);
    await begin(fork, true);
    expect(saved().sessions).toEqual(['s9']);
  });

  it('goes on with what was handed over, with its counts', async () => {
    const memory = { held: true, noProgress: 2, noTools: 1, toolsUnknown: 0, released: false };
    const rest = { artifacts: { stamp: '', content: '' }, marker: null, notified: null };
    put('toy:a', { guard: { s1: { ...memory, ...rest } }, handover: { session: 's1', text: 'Go on.' } });
    await begin(start());
    expect(saved().sessions).toEqual(['s9']);
    expect(saved().guard.s9?.noProgress).toBe(2);
  });
});
