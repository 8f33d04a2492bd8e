import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { Project } from '../project.ts';
import { findReceipt, keepReceipt, takeAsOfNow, wasRedBy } from './receipts.ts';
import type { Receipt } from './types.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const keep = (more: Partial<Receipt> = {}): void => {
  const about = {
    check: 'test',
    definition: 'd',
    content: 'c',
    end: 'passed',
    code: 0,
    milliseconds: 5,
  } as const;
  keepReceipt(project, { ...about, flaky: false, tail: 'ok', at: 1, ...more });
};
const find = (content = 'c', definition = 'd') => findReceipt(project, definition, content);

describe('a receipt', () => {
  it('is found for its definition and its content, and takes the place of the one before it', () => {
    expect(find()).toBeNull();
    keep();
    expect([find()?.tail, find('c', 'other'), find('other')]).toEqual(['ok', null, null]);
    keep({ content: 'between' });
    keep({ end: 'failed', code: 1, at: 2 });
    expect(find()).toMatchObject({ end: 'failed', at: 2 });
    keep({ at: 3 });
    expect(find()).toMatchObject({ end: 'passed', at: 3 });
  });

  it('that was red says since when, until it passes', () => {
    for (const at of [3, 4]) keep({ end: at === 3 ? 'failed' : 'timed-out', code: null, at });
    expect(find()).toMatchObject({ end: 'timed-out', at: 3 });
    expect([2, 3, 4].map((time) => wasRedBy(project, 'd', 'c', time))).toEqual([false, true, true]);
    keep({ at: 5 });
    expect([wasRedBy(project, 'd', 'c', 9), wasRedBy(project, 'd', 'other', 9)]).toEqual([false, false]);
    keep({ end: 'failed', at: 6 });
    expect(find()?.at).toBe(6);
  });

  it('from a time that is still to come counts as noted now', () => {
    const now = Date.now();
    const here = { ...project, now };
    keep({ end: 'failed', at: now - 1 });
    expect(takeAsOfNow(here)).toEqual([]);
    for (const content of ['one', 'two'])
      keep({ check: 'late', content, end: 'failed', at: now + 3_600_000 });
    expect(takeAsOfNow(here)).toEqual(['late']);
    expect(['c', 'one', 'two'].map((content) => find(content)?.at)).toEqual([now - 1, now, now]);
    expect(takeAsOfNow(here)).toEqual([]);
  });

  it('goes when there are 200 newer ones', () => {
    for (let count = 0; count < 200; count++) keep({ content: `c${count}` });
    expect(find('c0')).not.toBeNull();
    keep({ content: 'newest' });
    expect([find('c0'), find('c1')?.content]).toEqual([null, 'c1']);
  });

  it('lies where only the user may read and write, and counts for nothing when it is torn or another’s', () => {
    keep();
    const folder = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast/receipts');
    const file = path.join(folder, fs.readdirSync(folder)[0] ?? '');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const text = fs.readFileSync(file, 'utf8');
    const other = text.replace(project.root, '/elsewhere');
    for (const broken of [text.slice(0, -20), text.replace('"passed"', '"proven"'), '', 'null', other]) {
      fs.writeFileSync(file, broken);
      expect(find()).toBeNull();
    }
    keep({ content: 'new' });
    expect([find(), find('new')?.content]).toEqual([null, 'new']);
  });
});
