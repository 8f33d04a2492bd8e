import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ID,
  NOW,
  projectAt,
  putLoop,
  sceneAt,
  tempFolder,
  writeAt,
} from '../../../test/fixtures/claudex/project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { commit, setStraysAside } from './commit.ts';
import { stateDirOf } from './files.ts';
import { say } from './messages.ts';
import { observe } from './observe.ts';
import type { Change, Why } from './types.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const seen = (run = ID) => {
  const found = observe(sceneAt(projectAt(root), {}, { warned: ['A'], transcript: '/old' }, run));
  if (found === null) throw new Error('the loop is gone');
  return found;
};
const allow = (why: Why, more: Omit<Change, 'log'> = {}): Change => ({
  log: { answer: 'allow', why },
  ...more,
});
const made = (change: Change, transcriptPath: string | null = null) =>
  commit(change, seen().world, sceneAt(projectAt(root), { transcriptPath }));
const logged = ({ writes }: ReturnType<typeof commit>): string | undefined =>
  writes.flatMap((write) => (write.kind === 'append' ? write.line : []))[0];

describe('the log of a loop', () => {
  it.each<[Why, string]>([
    ['malformed-id', 'the name of this state file is no id; it was moved to swept/'],
    ['elsewhere', 'the stop came from a folder outside of repo_root'],
    ['unknown-mode', 'the state names no known mode'],
    ['unknown-phase', 'the state names no known phase'],
    ['runner-in-background', 'the runner runs in the background'],
    ['runner-running', 'the runner still runs'],
    ['summary-given', 'the summary was given; the loop is done'],
    ['finished', 'the loop is done'],
    ['review-finished', 'the review is done'],
    ['review-missing', 'the review is done, but its files are missing'],
    ['cancelled', 'the loop was cancelled'],
    ['errored', 'the loop ended in an error'],
  ])('says why a stop was allowed: %s', (why, words) => {
    putLoop(projectAt(root));
    expect(logged(made(allow(why)))).toBe(`[2026-01-31T09:30:00Z] allow ${ID}: ${words}`);
  });

  it('has the first 80 characters of what a hold said, on one line', () => {
    putLoop(projectAt(root));
    const message = { name: 'draft', slots: { plan: 'missing' } };
    const text = say(message, seen().world, sceneAt(projectAt(root))).replace(/\s+/g, ' ');
    expect(logged(made({ log: { answer: 'hold', message } }))).toBe(
      `[2026-01-31T09:30:00Z] hold ${ID}: ${text.slice(0, 80)}`,
    );
  });
});

describe('what is kept of a stop', () => {
  it('is what was kept before, and what the change adds', () => {
    putLoop(projectAt(root), { phase: 'reviewing', round: '2' });
    const before = { plan: null, waitHeld: null, waitNotified: null, transcript: '/old', warned: ['A'] };
    expect(made(allow('finished')).saved).toEqual(before);
    expect(made(allow('finished'), '/new').saved).toEqual({ ...before, transcript: '/new' });
    expect(made(allow('finished', { waited: 'held' })).saved).toEqual({ ...before, waitHeld: 2 });
    expect(made(allow('finished', { waited: 'notified', warned: ['B'] })).saved).toEqual({
      ...before,
      waitNotified: 2,
      warned: ['A', 'B'],
    });
  });

  it('is the state with its new round, signal and phase', () => {
    const { text, files } = putLoop(projectAt(root), { phase: 'reviewing' });
    expect(made(allow('finished')).stateHash).toBe(fingerprint(text));
    expect(made(allow('finished')).writes).toHaveLength(1);
    const done = made(
      allow('finished', { round: 2, signal: 'max-reached', swap: { from: 'reviewing', to: 'summarizing' } }),
    );
    const state = done.writes.at(-1);
    if (state?.kind !== 'replace') throw new Error('the state is not written');
    expect(state.path).toBe(files.state);
    expect(state.content).toMatch(/^round: 2$/m);
    expect(state.content).toMatch(/^decision_signal: max-reached$/m);
    expect(state.content).toMatch(/^phase: summarizing$/m);
    expect(done.stateHash).toBe(fingerprint(state.content));
  });

  it('is nothing where the phase is not the one that is left', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    expect(() => made(allow('finished', { swap: { from: 'drafting', to: 'reviewing' } }))).toThrow(
      `${files.state} was changed by someone else during this stop and was left as it is`,
    );
  });

  it('has no runner, prompt or lock once it is cleaned up after', () => {
    const { files } = putLoop(projectAt(root));
    expect(made(allow('finished', { cleanUp: true })).writes.slice(0, -1)).toEqual(
      [files.runner, files.prompt, files.lock].map((file) => ({ kind: 'remove', path: file })),
    );
  });

  it('has a docket where a round of a plan is left behind', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.findings(1), '# Round 1\n\n## High\n- A (x)\n');
    const names = (change: Omit<Change, 'log'>): string[] =>
      made(allow('finished', change)).writes.map((write) => path.basename('path' in write ? write.path : ''));
    expect(names({ round: 2 })).toContain('docket.json');
    expect(names({ swap: { from: 'reviewing', to: 'summarizing' } })).toContain('docket.json');
    expect(names({ swap: { from: 'reviewing', to: 'done' } })).not.toContain('docket.json');
    expect(names({})).not.toContain('docket.json');
    putLoop(projectAt(root), { phase: 'reviewing', mode: 'review' });
    expect(names({ round: 2 })).not.toContain('docket.json');
  });
});

describe('a state file whose name is no id', () => {
  it('is believed in nothing, and moved out of the way', () => {
    const { dir, text } = putLoop(projectAt(root), { phase: 'reviewing', round: '3' });
    writeAt(path.join(dir.path, 'notes.state'), text);
    const { world, state, facts, stateHash } = seen('notes');
    expect(state).toEqual({ mode: 'unknown', phase: 'unknown', round: 1, maxRounds: 1, signal: 'none' });
    expect(facts).toEqual({
      ...{ id: 'malformed', cwd: 'inside', plan: 'unread', runner: 'idle', waited: 'no' },
      ...{ lastReviewed: 0, reviewFiles: 'unread', unwarned: [] },
    });
    expect(stateHash).toBe(fingerprint('notes'));
    const done = commit(allow('malformed-id', { setAside: true }), world, sceneAt(projectAt(root)));
    expect(done.writes).toEqual([
      {
        kind: 'append',
        path: path.join(dir.path, 'log'),
        line: '[2026-01-31T09:30:00Z] allow ".claude/claudex/notes.state": the name of this state file is no id; it was moved to swept/',
      },
      {
        kind: 'move',
        from: path.join(dir.path, 'notes.state'),
        to: path.join(dir.path, 'swept', `${NOW}-notes.state`),
      },
    ]);
    expect(done.stateHash).toBe(fingerprint('notes'));
  });

  it('is set aside with a line in the log, but not in a folder that others share', () => {
    const { dir } = putLoop(projectAt(root));
    writeAt(path.join(dir.path, 'notes.state'), 'x');
    setStraysAside({ ...dir, shared: true }, NOW);
    expect(fs.existsSync(path.join(dir.path, 'notes.state'))).toBe(true);
    setStraysAside(stateDirOf(projectAt(root)), NOW);
    expect(fs.readdirSync(dir.path).sort()).toEqual([`${ID}.state`, 'log', 'swept']);
    expect(fs.readdirSync(path.join(dir.path, 'swept'))).toEqual([`${NOW}-notes.state`]);
    expect(fs.readFileSync(path.join(dir.path, 'log'), 'utf8')).toBe(
      '[2026-01-31T09:30:00Z] set aside ".claude/claudex/notes.state": the name of this state file is no id; it was moved to swept/\n',
    );
  });
});
