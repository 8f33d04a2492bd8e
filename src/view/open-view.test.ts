import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import { putOutput } from '../../test/support/outputs.ts';
import type { Project } from '../engine/project.ts';
import type { JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { history, isAbout, nameOf, stops } from './history.ts';
import { markOf, stampOf } from './mark.ts';
import { olderPage } from './older.ts';
import { openView } from './open-view.ts';

const time = (second: number): string => new Date(Date.UTC(2026, 10, 17, 9, 0, second)).toISOString();
const start = (run: string, second = 0, more: object = {}) => ({
  ...{ schema: 2, time: time(second), session: null, event: 'start', workflow: 'toy', run },
  ...more,
});
const stop = (run: string | null, second = 0): object => ({
  ...{ schema: 2, time: time(second), event: 'stop', client: 'codex', session: 's1', turn: null },
  ...{ workflow: run === null ? null : 'toy', run, state: {}, facts: {}, guard: null },
  ...{ step: { kind: 'hold', message: { name: 'go-on', slots: {} } }, answer: 'hold', notice: false },
  ...{ error: null, milliseconds: 1 },
});
const written = (...lines: readonly (object | string)[]): Project => {
  const project = bareProject();
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  writeIn(project, '.holdfast/journal.jsonl', text);
  return project;
};
const view = ({ root, env }: Project, more: object = {}) =>
  openView({ roots: [root], env, clock: () => 5, ...more });

describe('a view over a project', () => {
  it('shows the runs that only the journal knows, the newest first', async () => {
    const project = written(start('old', 0), stop('new', 3), stop('old', 1), stop(null, 9), 'no json');
    const opened = await view(project);
    const [shown] = opened.model().projects;
    expect(opened.model().at).toBe(5);
    expect(shown).toMatchObject({ root: project.root, name: 'project', leftOut: 0, readBackTo: null });
    expect(shown?.id).toMatch(/^[0-9a-f]{12}$/);
    expect(shown?.runs.map(({ id, stage }) => [id, stage])).toEqual([
      [`${shown?.id}/toy:new`, 'its files are gone'],
      [`${shown?.id}/toy:old`, 'its files are gone'],
    ]);
    expect(shown?.runs[1]).toMatchObject({ startedAt: Date.parse(time(0)), counts: { stops: 1 } });
  });

  it('passes over lines without a run or a time', async () => {
    const lines = [start('a', 0, { time: 'noon' }), { ...start('b'), run: null }, start('c')];
    const [shown] = (await view(written(...lines))).model().projects;
    expect(shown?.runs.map(({ run }) => run)).toEqual(['c']);
  });

  it('shows two hundred runs, says how many are left out, and forgets the oldest of more than four hundred', async () => {
    const runs = (count: number) => Array.from({ length: count }, (_, index) => start(`r${index}`, index));
    const shown = async (count: number) => (await view(written(...runs(count)))).model().projects[0];
    expect(await shown(200)).toMatchObject({ runs: { length: 200 }, leftOut: 0 });
    const more = await shown(201);
    expect(more).toMatchObject({ runs: { length: 200 }, leftOut: 1 });
    expect(more?.runs[0]?.run).toBe('r200');
    expect((await shown(400))?.leftOut).toBe(200);
    expect((await shown(402))?.leftOut).toBe(200);
  });

  it('reads back as far as it is told to, and says how far', async () => {
    const lines = [start('a'), start('b'), start('c')].map((line) => JSON.stringify(line));
    const project = written(...lines);
    const size = JSON.stringify(start('a')).length + 1;
    const [shown] = (await view(project, { back: size })).model().projects;
    expect(shown?.runs.map(({ run }) => run)).toEqual(['c']);
    expect(shown?.readBackTo).toEqual({ segment: 1, offset: 2 * size });
    expect((await view(project, { back: 3 * size })).model().projects[0]?.readBackTo).toBeNull();
  });

  it('is the same until something is added', async () => {
    const project = written(start('a'));
    const opened = await view(project);
    const before = opened.model();
    expect(await opened.refresh()).toBe(false);
    expect(opened.model()).toBe(before);
    fs.appendFileSync(path.join(project.home, 'journal.jsonl'), `${JSON.stringify(stop('a', 1))}\n`);
    expect(await opened.refresh()).toBe(true);
    expect(opened.model().projects[0]?.runs[0]?.counts.stops).toBe(1);
    expect(await opened.refresh()).toBe(false);
  });

  it('says what is in the way of a project, and shows the others', async () => {
    const project = written(start('a'));
    const broken = `${project.root}\0/odd`;
    const opened = await view(project, { roots: [broken, project.root] });
    const [first, second] = opened.model().projects;
    expect(first).toMatchObject({ root: broken, name: 'odd', runs: [], leftOut: 0, readBackTo: null });
    expect(first?.troubles).toEqual([
      { what: expect.stringContaining(' cannot be read: '), fix: 'look at it with `holdfast doctor` there' },
    ]);
    expect(second?.runs).toHaveLength(1);
  });

  it('knows nothing of a project that it does not show', async () => {
    const opened = await view(written(start('a')));
    expect(await opened.older('none', { before: null, run: null, most: 5 })).toEqual({
      ...{ stops: [], events: [], next: null },
    });
    expect(opened.raw('none', { segment: 1, offset: 0 })).toBeNull();
    const id = opened.model().projects[0]?.id ?? '';
    expect(opened.raw(id, { segment: 1, offset: 0 })).toBe(JSON.stringify(start('a')));
  });
});

describe('a page of what is older', () => {
  const lines = [
    start('a', 0),
    stop('a', 1),
    'torn',
    start('b', 2),
    stop('b', 3),
    start('x', 4, { time: 'noon' }),
  ];
  const offsets = lines.map((_, index) =>
    lines
      .slice(0, index)
      .reduce<number>(
        (sum, line) => sum + (typeof line === 'string' ? line : JSON.stringify(line)).length + 1,
        0,
      ),
  );
  const at = (index: number) => ({ segment: 1, offset: offsets[index] ?? -1 });
  const page = (more: object = {}) =>
    olderPage(written(...lines).root, { before: null, run: null, most: 10, ...more });

  it('has the newest first, each with its run', async () => {
    const { stops: found, events, next } = await page();
    expect(found).toMatchObject([
      { run: 'toy:b', at: Date.parse(time(3)), kind: 'held', why: 'It said "go on".', position: at(4) },
      { run: 'toy:a', at: Date.parse(time(1)), position: at(1) },
    ]);
    expect(events).toEqual([
      {
        position: at(3),
        at: Date.parse(time(2)),
        event: 'start',
        text: 'started in a terminal',
        run: 'toy:b',
      },
      {
        position: at(0),
        at: Date.parse(time(0)),
        event: 'start',
        text: 'started in a terminal',
        run: 'toy:a',
      },
    ]);
    expect(next).toBeNull();
  });

  it('ends after as many as are wanted, and the next one goes on there', async () => {
    const first = await page({ most: 2 });
    expect([first.stops.length, first.events.length, first.next]).toEqual([1, 1, at(3)]);
    const second = await page({ before: first.next, most: 2 });
    expect([second.stops.length, second.events.length, second.next]).toEqual([1, 1, null]);
    expect(await page({ most: 0 })).toEqual({ stops: [], events: [], next: null });
  });

  it('is of one run alone where that is wanted', async () => {
    const { stops: found, events } = await page({ run: 'toy:a' });
    expect([found.length, events.length, found[0]?.run]).toEqual([1, 1, 'toy:a']);
    expect((await page({ run: 'a' })).stops).toEqual([]);
  });

  it('has a thousand at most', async () => {
    const { root } = written(...Array.from({ length: 1001 }, () => start('a')));
    const { events, next } = await olderPage(root, { before: null, run: null, most: 5000 });
    expect([events.length, next]).toEqual([
      1000,
      { segment: 1, offset: JSON.stringify(start('a')).length + 1 },
    ]);
  });
});

describe('the history of a project', () => {
  it('has every line, the newest first, or those of one run', () => {
    const project = written(start('a', 0), stop('b', 1), stop('a', 2), {
      ...start('a', 3),
      workflow: 'idle',
    });
    const names = (run?: string) =>
      [...history(project, run)].map((entry) => `${entry.event} ${nameOf(entry)}`);
    expect(names()).toEqual(['start idle:a', 'stop toy:a', 'stop toy:b', 'start toy:a']);
    expect(names('toy:a')).toEqual(['stop toy:a', 'start toy:a']);
    expect(names('a')).toEqual(['start idle:a', 'stop toy:a', 'start toy:a']);
    expect([...stops(project, 'a')]).toHaveLength(1);
    expect([...stops(project)]).toHaveLength(2);
  });

  it('has names for what is about no run', () => {
    expect(nameOf(stop(null) as StopEntry)).toBeNull();
    expect(nameOf({ ...start('a'), run: null } as unknown as JournalEntry)).toBe('toy:');
    expect(isAbout(stop(null) as StopEntry, 'a')).toBe(false);
  });

  it('is refused where the journal cannot be read, with what to do', () => {
    const project = written('no journal');
    expect(() => [...history(project)]).toThrow(
      `${project.home}/journal.jsonl holds no line that can be read as a stop; to fix it, run \`mv ${project.home}/journal.jsonl ${project.home}/journal.jsonl.aside\``,
    );
  });
});

describe('the mark of a project', () => {
  it('tells a file that is there, one that is not, and a place that cannot be', () => {
    const project = bareProject();
    const file = writeIn(project, 'a', 'abc');
    const { ino, mtimeMs } = fs.lstatSync(file);
    expect(stampOf(file)).toBe(`${ino}:3:${mtimeMs}`);
    expect(stampOf(path.join(project.root, 'b'))).toBe('-');
    expect(stampOf('a\0b')).toBe('?');
  });

  it('changes with the journal, and with the clock only while a run is live', () => {
    const project = written(start('a'));
    const run = (live: boolean) => ({ live, name: 'toy:a', sidecar: { attempts: [{ id: 'x' }] } }) as never;
    const marks = (now: number, live: boolean) => markOf({ ...project, now }, [run(live)]);
    expect(marks(0, false)).toBe(marks(999_999, false));
    expect(marks(15_000, true)).toBe(marks(29_999, true));
    expect(marks(14_999, true)).not.toBe(marks(15_000, true));
    expect(marks(29_999, true)).not.toBe(marks(30_000, true));
    expect(marks(15_000, true).split(' ')[0]).toBe('1');
    const before = marks(0, true);
    putOutput(project, 'x', 'out');
    const after = marks(0, true);
    expect(after).not.toBe(before);
    fs.appendFileSync(path.join(project.home, 'journal.jsonl'), 'x');
    expect(marks(0, true)).not.toBe(after);
  });

  it('changes with the state file of a live run, its folder, and the file that it belongs to', () => {
    const project = written(start('a'));
    const file = writeIn(project, 'runs/a.md.state', '1');
    const run = { live: true, name: 'toy:a', sidecar: { attempts: [] }, file } as never;
    const mark = (live = run) => markOf(project, [live]);
    const first = mark();
    fs.appendFileSync(file, '2');
    const second = mark();
    expect(second).not.toBe(first);
    writeIn(project, 'runs/a.md', 'plan');
    const third = mark();
    expect(third).not.toBe(second);
    fs.appendFileSync(path.join(project.root, 'runs/a.md'), ' more');
    expect(mark()).not.toBe(third);
    const over = { live: false, name: 'toy:a', sidecar: { attempts: [] }, file } as never;
    expect(markOf(project, [over])).toBe(markOf(project, []));
  });
});
