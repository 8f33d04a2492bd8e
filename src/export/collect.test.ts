import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { at, start, stop } from '../../test/export/lines.ts';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import { type Batch, collect, type Wanted } from './collect.ts';
import { logId, projectId } from './ids.ts';
import type { ExportState } from './state.ts';

const sender = { instance: 'i', secret: 's' };
const EMPTY: ExportState = { schema: 1, since: 5, journals: {}, series: {} };
const textOf = (lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

function journalWith(...lines: readonly (object | string)[]): string {
  const project = bareProject();
  writeIn(project, '.holdfast/journal.jsonl', textOf(lines));
  return project.root;
}

const collected = (roots: readonly string[], more: Partial<Wanted> = {}, state = EMPTY): Batch =>
  collect(state, { sender, roots, since: null, paths: false, lines: 100, ...more });
const bodies = ({ logs }: Batch): string[] => logs.map(({ body }) => body);
const counts = ({ next }: Batch): string[] => Object.values(next.series).map(({ metric }) => metric);
const [STARTED, HELD] = ['idle: run started', 'idle: stop held'];

describe('a batch', () => {
  it('has all lines of all projects, and how it stands once they are sent', () => {
    const [one, other, none] = [journalWith(start(0), stop(1)), journalWith(start(2)), bareProject().root];
    const batch = collected([one, none, other]);
    expect(batch).toMatchObject({ lines: 3, projects: 2, more: false });
    expect(bodies(batch)).toEqual([STARTED, HELD, STARTED]);
    expect(batch.spans.map(({ name }) => name)).toEqual(['stop']);
    expect(batch.next).toMatchObject({ schema: 1, since: 5 });
    const ids = [one, other].map((root) => projectId(sender, root));
    expect(Object.keys(batch.next.journals)).toEqual(ids);
    expect(batch.next.journals[ids[0] ?? '']).toMatchObject({
      cursor: { segment: 1, offset: textOf([start(0), stop(1)]).length },
      runs: { 'idle:loop-1794782641-17581': { since: Date.parse(at(0)) } },
    });
    expect(EMPTY.journals).toEqual({});
  });

  it('is empty where nothing was added, and nothing is changed then', () => {
    const root = journalWith(start(0));
    const { next } = collected([root]);
    const again = collected([root], {}, next);
    expect(again).toMatchObject({ lines: 0, projects: 0, more: false, spans: [], logs: [] });
    expect(again.next).toEqual(next);
  });

  it('has as many lines as were wanted, and says that there may be more', () => {
    const roots = [journalWith(start(0), stop(1)), journalWith(start(2))];
    const first = collected(roots, { lines: 1 });
    expect(first).toMatchObject({ lines: 1, projects: 1, more: true });
    expect(bodies(first)).toEqual([STARTED]);
    const second = collected(roots, { lines: 2 }, first.next);
    expect(second).toMatchObject({ lines: 2, projects: 2, more: true });
    expect(bodies(second)).toEqual([HELD, STARTED]);
    expect(collected(roots, { lines: 2 }, second.next)).toMatchObject({ lines: 0, more: false });
    const whole = collected(roots, { lines: 2 });
    expect(whole).toMatchObject({ lines: 2, projects: 1, more: true });
    expect(collected(roots, { lines: 4 })).toMatchObject({ lines: 3, more: false });
  });

  it('leaves out what is older than was wanted, and still knows its run by it', () => {
    const root = journalWith(start(0), stop(1), stop(2));
    const batch = collected([root], { since: Date.parse(at(1)) });
    expect(bodies(batch)).toEqual([HELD, HELD]);
    expect(batch.lines).toBe(3);
    const whole = collected([root]);
    expect(batch.spans).toEqual(whole.spans);
    expect(counts(batch)).not.toContain('started');
  });

  it('counts lines that cannot be read, or whose time is none', () => {
    const root = journalWith('no line', { ...start(0), time: '1970-01-01T00:00:00.000Z' }, start(1));
    const batch = collected([root]);
    expect(bodies(batch)).toEqual([STARTED]);
    expect(batch.lines).toBe(3);
    const unreadable = Object.values(batch.next.series).filter(({ metric }) => metric === 'unreadable');
    expect(unreadable).toMatchObject([
      { labels: { 'holdfast.project': projectId(sender, root) }, count: 2, sum: 2 },
    ]);
  });

  it('knows a line by its place and its text', () => {
    const root = journalWith(start(0), stop(1));
    const first = JSON.stringify(start(0));
    const key = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
    const keys = [...[key(`1 0 ${first}`), key(`1 ${first.length + 1} ${JSON.stringify(stop(1))}`)]];
    expect(collected([root]).logs.map(({ attributes }) => attributes['log.record.uid'])).toEqual(
      keys.map((each) => logId(projectId(sender, root), each)),
    );
  });

  it('has everything once more where another journal is in the place of the one that was sent', () => {
    const project = bareProject();
    writeIn(project, '.holdfast/journal.jsonl', textOf([start(0), stop(1)]));
    const { next } = collected([project.root]);
    writeIn(project, '.holdfast/journal.jsonl', textOf([stop(5), stop(6)]));
    expect(bodies(collected([project.root], {}, next))).toEqual([HELD, HELD]);
  });
});
