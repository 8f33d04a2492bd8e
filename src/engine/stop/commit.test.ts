import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { disk } from '../../store/disk.ts';
import { attemptFolder } from '../../store/home.ts';
import { NO_GUARD_MEMORY, newSidecar, type ReviewAttempt, type Sidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { commitStep, type ToCommit } from './commit.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
  writeIn(project, 'state', 'old');
});
afterEach(() => void vi.restoreAllMocks());

const sidecar: Sidecar = { ...newSidecar('toy:a'), sessions: ['s1'], saved: 'old' };
const memory = { ...NO_GUARD_MEMORY, held: true, noProgress: 1 };
const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'toy', kind: 'k', number: 1, file: 'review.md', model: 'opus' },
  ...{ owner: 's1', deadline: 1, status: 'done', verdict: 'findings', before: 'before' },
};
const at = (name: string): string => path.join(project.root, name);
const commit = (stateHash = 'after', file = at('state')) => ({
  writes: ['prompt', 'state'].map((name) => ({
    ...{ kind: 'replace' as const, path: name === 'state' ? file : at(name), content: 'new' },
  })),
  ...{ stateHash, saved: 'new' },
});
const step = (what: Partial<ToCommit>): void =>
  commitStep(project, {
    ...{ sidecar, stateHash: 'before', commit: null, memory: null, held: false, applied: null, passed: null },
    ...what,
  });
const saved = (): Sidecar => readSidecar(project.root, 'toy:a');

/** The names of the files in the order in which they come to stand; at the nth it dies. */
function renames(nth = 99): string[] {
  const names: string[] = [];
  const { rename } = disk;
  vi.spyOn(disk, 'rename').mockImplementation((from, to) => {
    if (names.push(path.basename(to)) >= nth) throw new Error('killed');
    rename(from, to);
  });
  return names;
}

describe('a step', () => {
  it('writes the sidecar first and the state last; what it rests on goes after that', () => {
    writeIn(project, '.holdfast/attempts/a1/stdout', 'PASS');
    const names = renames();
    step({
      ...{ commit: commit(), memory: { session: 's1', memory }, held: true, applied: attempt },
      sidecar: { ...sidecar, attempts: [attempt], guard: { s2: memory } },
    });
    expect(names).toEqual(['toy-a.json', 'prompt', 'state']);
    expect(saved()).toMatchObject({ committed: { before: 'before', after: 'after' }, saved: 'new' });
    expect(saved()).toMatchObject({ guard: { s1: memory, s2: memory }, attempts: [attempt] });
    expect(fs.existsSync(attemptFolder(project.home, 'a1'))).toBe(false);
  });

  it.each([1, 2, 3])('cut short at write %i leaves the old state, and the verdict is found again', (nth) => {
    writeIn(project, '.holdfast/attempts/a1/stdout', 'PASS');
    writeSidecar(project.root, { ...sidecar, attempts: [attempt] });
    renames(nth);
    const cut = { sidecar: saved(), commit: commit(), held: true, applied: attempt };
    expect(() => step(cut)).toThrow('killed');
    expect(fs.readFileSync(at('state'), 'utf8')).toBe('old');
    expect(saved()).toMatchObject({ attempts: [attempt], committed: nth === 1 ? null : { after: 'after' } });
    expect(fs.existsSync(attemptFolder(project.home, 'a1'))).toBe(true);
  });

  it('writes where the workflow’s files were moved to, and nowhere else', () => {
    const outside = path.join(path.dirname(project.root), 'elsewhere');
    fs.mkdirSync(outside);
    const file = path.join(outside, 'state');
    expect(() => step({ commit: commit('after', file) })).toThrow('elsewhere');
    expect(fs.existsSync(file)).toBe(false);
    const [, write] = commit('after', file).writes;
    step({ commit: { ...commit(), writes: write ? [write] : [], within: outside } });
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
  });

  it('that is no hold, or only notes something, does not take a moved state for ours', () => {
    const committed = { before: 'x', after: 'y' };
    for (const what of [{ memory: { session: 's1', memory } }, { commit: commit('before') }]) {
      step({ sidecar: { ...sidecar, committed }, ...what });
      expect(saved().committed).toEqual(committed);
    }
    const names = renames();
    step({});
    expect(names).toEqual([]);
  });

  it('of a hold without a change marks the state as the one we last saw', () => {
    step({ held: true, memory: { session: 's1', memory } });
    expect(saved()).toMatchObject({ committed: { before: 'before', after: 'before' }, saved: 'old' });
  });

  it('forgets a review at once when the state stays, and one of another state with its files', () => {
    for (const what of [{ applied: attempt }, { passed: attempt }]) {
      writeIn(project, '.holdfast/attempts/a1/stdout', 'PASS');
      step({ ...what, sidecar: { ...sidecar, attempts: 'applied' in what ? [attempt] : [] } });
      expect([saved().attempts, fs.existsSync(attemptFolder(project.home, 'a1'))]).toEqual([[], false]);
    }
    step({ sidecar: { ...sidecar, attempts: [attempt] }, keepsVerdict: true });
    expect(saved().attempts).toEqual([attempt]);
  });

  it.each([
    ['clean', 'before', { count: 0, state: '' }],
    ['findings', 'before', { count: 0, state: '' }],
    ['none', 'before', { count: 3, state: 'before' }],
    ['failed', 'before', { count: 3, state: 'before' }],
    ['failed', 'another', { count: 1, state: 'before' }],
  ] as const)(
    'with the verdict %s after two failures of the state "%s" counts',
    (verdict, state, failures) => {
      const cause = { kind: 'exit-code', code: 3 } as const;
      const applied = { ...attempt, verdict, cause };
      step({ sidecar: { ...sidecar, attempts: [applied], failures: { count: 2, state } }, applied });
      expect(saved().failures).toEqual(failures.count === 0 ? failures : { ...failures, cause });
    },
  );
});

describe('what the guard remembers', () => {
  const released = { ...memory, noProgress: 3, noTools: 3, toolsUnknown: 2, released: true };
  const moved: Sidecar = { ...sidecar, guard: { s1: released, s2: released } };

  it.each([
    ['is live again for all where an allowed stop commits a state that others moved', 'h3', true, false],
    ['stays where the state was ours', 'h2', true, true],
    ['stays where it was found before our own commit', 'h1', true, true],
    ['stays where nothing is committed: the next stop can still tell who moved it', 'h3', false, true],
  ])('%s', (_, stateHash, commits, isReleased) => {
    const committed = { before: 'h1', after: 'h2' };
    const given = { memory: { session: 's1', memory: released }, commit: commits ? commit() : null };
    step({ sidecar: { ...moved, committed }, stateHash, ...given });
    const expected = isReleased ? released : { ...NO_GUARD_MEMORY, held: true };
    expect(saved().guard).toEqual({ s1: expected, s2: expected });
  });
});
