import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, NOW } from '../../test/support/bare-project.ts';
import { startRun } from '../../test/support/cli-runs.ts';
import type { Project } from '../engine/project.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { ensureHome, journalPath } from '../store/home.ts';
import { appendToJournal } from '../store/journal.ts';
import type { EndEntry, JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { noteLooked } from '../store/looked.ts';
import type { ProjectView } from './model.ts';
import { MOST_RUNS, ProjectReader } from './project-reader.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(NOW);
  ensureHome(project.root);
});

const ALL = 10_000_000;
const reader = (back = ALL): ProjectReader => new ProjectReader(project.root, back);
const stopOf = (run: string | null, seconds = 0, more: Partial<StopEntry> = {}): StopEntry => ({
  ...{ schema: 2, event: 'stop', time: new Date(NOW + seconds * 1000).toISOString(), turn: null },
  ...{ client: 'claude-code', session: 's1', workflow: run === null ? null : 'idle', run, state: null },
  ...{ facts: null, guard: null, step: null, answer: 'hold', notice: false, error: null, milliseconds: 1 },
  ...more,
});
const add = (...lines: readonly JournalEntry[]): void => {
  for (const line of lines) appendToJournal(project.root, line);
};
const addMany = (lines: readonly JournalEntry[]): void =>
  fs.appendFileSync(journalPath(project.home), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
async function seen(by: ProjectReader, at: Project = project): Promise<ProjectView> {
  const view = await by.read(at);
  if (view === null) throw new Error('nothing has changed');
  return view;
}
const namesIn = ({ runs }: ProjectView): string[] => runs.map(({ name }) => name);

describe('a project that is read again and again', () => {
  it('has a short id of its own, its folder and its name', async () => {
    const one = reader();
    expect(one.id).toBe(fingerprint(project.root).slice(0, 12));
    expect(await one.read(project)).toEqual({
      ...{ id: one.id, root: project.root, name: 'project', runs: [], leftOut: 0, troubles: [] },
      readBackTo: null,
    });
  });

  it('is not read again before something has changed', async () => {
    const one = reader();
    await seen(one);
    expect(await one.read(project)).toBeNull();
    // Without a live run the clock alone changes nothing.
    expect(await one.read({ ...project, now: NOW + 3_600_000 })).toBeNull();
    add(stopOf('a'));
    expect(namesIn(await seen(one))).toEqual(['idle:a']);
    expect(await one.read(project)).toBeNull();
  });

  it('has of its journal what was added, once', async () => {
    const one = reader();
    add(stopOf('a', 1), stopOf('a', 2, { answer: 'allow' }));
    expect((await seen(one)).runs[0]).toMatchObject({ counts: { stops: 2, held: 1 }, movedAt: NOW + 2000 });
    add(stopOf('a', 3));
    expect((await seen(one)).runs[0]).toMatchObject({ counts: { stops: 3, held: 2 }, movedAt: NOW + 3000 });
  });

  it('shows nothing of lines about no run, or without a time', async () => {
    add(stopOf(null), stopOf('a', 0, { workflow: null }), stopOf('b', 0, { time: 'once' }), stopOf('c'));
    fs.appendFileSync(journalPath(project.home), 'no line\n');
    add(stopOf('d', -1));
    expect(namesIn(await seen(reader()))).toEqual(['idle:c', 'idle:d']);
  });

  it('has the run first that moved last', async () => {
    add(stopOf('a', 2), stopOf('b', 3), stopOf('c', 1));
    expect(namesIn(await seen(reader()))).toEqual(['idle:b', 'idle:a', 'idle:c']);
  });

  it('says from where on its journal was read, where that is not all', async () => {
    addMany(Array.from({ length: 40 }, (_, index) => stopOf(`r${index}`, index)));
    const all = await seen(reader());
    expect(all.readBackTo).toBeNull();
    expect(all.runs).toHaveLength(40);
    const some = await seen(reader(1000));
    expect(some.readBackTo).toEqual({ segment: 1, offset: expect.any(Number) });
    expect(some.readBackTo?.offset).toBeGreaterThan(0);
    expect(namesIn(some)[0]).toBe('idle:r39');
    expect(some.runs.length).toBeLessThan(10);
  });

  it(`shows ${MOST_RUNS} runs, says how many are left out, and forgets the oldest of twice as many`, async () => {
    addMany(Array.from({ length: MOST_RUNS }, (_, index) => stopOf(`r${index}`, index)));
    const one = reader();
    expect(await seen(one)).toMatchObject({ leftOut: 0 });
    addMany([stopOf('more', 1000)]);
    const view = await seen(one);
    expect(view.leftOut).toBe(1);
    expect(view.runs).toHaveLength(MOST_RUNS);
    expect(namesIn(view)).not.toContain('idle:r0');
    // One that moves again is the last to be forgotten.
    addMany([stopOf('r0', 2000)]);
    addMany(Array.from({ length: MOST_RUNS - 1 }, (_, index) => stopOf(`s${index}`, 3000 + index)));
    expect((await seen(one)).leftOut).toBe(MOST_RUNS);
    addMany([stopOf('last', 9000)]);
    expect((await seen(one)).leftOut).toBe(MOST_RUNS);
    addMany([stopOf('r1', 9001)]);
    // It was forgotten, so that nothing is known of it but this.
    const again = await seen(one);
    expect(again.runs[0]).toMatchObject({ name: 'idle:r1', counts: { stops: 1 } });
    expect(again.leftOut).toBe(MOST_RUNS);
    addMany([stopOf('r0', 9002)]);
    expect((await seen(one)).runs[0]).toMatchObject({ name: 'idle:r0', counts: { stops: 3 } });
  });

  it('has what is in the way of its files', async () => {
    const link = path.join(project.root, '.taskie');
    fs.symlinkSync('nowhere', link);
    const { troubles } = await seen(reader());
    expect(troubles).toEqual([{ what: `${link} is a link to nowhere`, fix: `run \`rm ${link}\`` }]);
  });
});

it('a run with files is shown with what they say, and as gone when they are', async () => {
  const name = await startRun(project.root, ['idle', 'loop', 'a task'], 's1');
  add(stopOf('other', -1));
  const now = Math.ceil(Date.now() / 15_000) * 15_000;
  const one = reader();
  expect((await seen(one, { ...project, now })).runs).toMatchObject([
    { name, live: true, status: 'running', asked: 'a task' },
    { name: 'idle:other', live: false, stage: 'a later one took its place' },
  ]);
  // What a live run is like depends on the clock.
  expect(await one.read({ ...project, now: now + 14_999 })).toBeNull();
  expect(await one.read({ ...project, now: now + 15_000 })).not.toBeNull();
  for (const folder of ['.claude', '.jwz'])
    fs.rmSync(path.join(project.root, folder), { recursive: true, force: true });
  expect((await seen(one, { ...project, now })).runs).toMatchObject([
    { name, live: false, stage: 'its files are gone' },
    { name: 'idle:other' },
  ]);
});

it('a run that its user put away stays so until something happens to it', async () => {
  const end = (at: number) => ({ ...stopOf('a', at), event: 'end', outcome: 'stuck' }) as unknown as EndEntry;
  add(stopOf('a', -9), end(-9));
  const one = reader();
  expect((await seen(one)).runs).toMatchObject([{ unseen: true, dismissed: false }]);
  noteLooked(project.root, project.env, 'dismissed', { 'idle:a': NOW - 9000 });
  expect((await seen(one)).runs).toMatchObject([{ unseen: false, dismissed: true }]);
  add(stopOf('a', -5), end(-5));
  expect((await seen(one)).runs).toMatchObject([{ unseen: true, dismissed: false }]);
  noteLooked(project.root, project.env, 'seen', { 'idle:a': NOW - 5000 });
  expect((await seen(one)).runs).toMatchObject([{ unseen: false, dismissed: false }]);
});

it('a run that is over is looked at again only where something of it has changed', async () => {
  add(stopOf('a', 1), stopOf('b', 2));
  const one = reader();
  const [b, a] = (await seen(one)).runs;
  add(stopOf('b', 3));
  // The same day, hours later.
  const again = (await seen(one, { ...project, now: NOW + 3 * 3_600_000 })).runs;
  expect(again[1]).toBe(a);
  expect(again[0]).not.toBe(b);
  expect(again[0]).toMatchObject({ name: 'idle:b', counts: { stops: 2 } });
  add(stopOf('b', 4));
  const nextDay = (await seen(one, { ...project, now: NOW + 24 * 3_600_000 })).runs;
  expect(nextDay[1]).not.toBe(a);
  expect(nextDay[1]).toEqual(a);
});
