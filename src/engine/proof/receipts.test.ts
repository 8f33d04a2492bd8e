import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { findReceipt, keepReceipt, takeAsOfNow, wasRedBy } from './receipts.ts';
import type { Receipt } from './types.ts';

let folder: string;
let project: { root: string; env: { HOME: string } };

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-receipts-')));
  project = { root: path.join(folder, 'project'), env: { HOME: path.join(folder, 'home') } };
  for (const place of Object.values({ root: project.root, home: project.env.HOME })) fs.mkdirSync(place);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  ...{ check: 'test', definition: 'd', content: 'c', end: 'passed', code: 0, milliseconds: 5 },
  ...{ flaky: false, tail: 'ok', at: 1 },
  ...more,
});

const folderOfReceipts = (): string => path.join(project.env.HOME, '.local/state/holdfast/receipts');

describe('a receipt', () => {
  it('is found for its definition and its content, and for no other', () => {
    expect(findReceipt(project, 'd', 'c')).toBeNull();
    keepReceipt(project, receipt());
    expect(findReceipt(project, 'd', 'c')).toEqual(receipt());
    expect(findReceipt(project, 'other', 'c')).toBeNull();
    expect(findReceipt(project, 'd', 'other')).toBeNull();
  });

  it('takes the place of the one before it', () => {
    keepReceipt(project, receipt());
    keepReceipt(project, receipt({ content: 'between' }));
    keepReceipt(project, receipt({ end: 'failed', code: 1, at: 2 }));
    expect(findReceipt(project, 'd', 'c')).toMatchObject({ end: 'failed', at: 2 });
    keepReceipt(project, receipt({ at: 3 }));
    expect(findReceipt(project, 'd', 'c')).toMatchObject({ end: 'passed', at: 3 });
  });

  it('that was red says since when, until it passes', () => {
    keepReceipt(project, receipt({ end: 'failed', code: 1, at: 2 }));
    keepReceipt(project, receipt({ end: 'timed-out', code: null, at: 3 }));
    expect(findReceipt(project, 'd', 'c')).toMatchObject({ end: 'timed-out', code: null, at: 2 });
    keepReceipt(project, receipt({ at: 4 }));
    keepReceipt(project, receipt({ end: 'failed', code: 1, at: 5 }));
    expect(findReceipt(project, 'd', 'c')).toMatchObject({ end: 'failed', at: 5 });
  });

  it('was red by a time or not', () => {
    keepReceipt(project, receipt({ end: 'failed', at: 2 }));
    keepReceipt(project, receipt({ content: 'passed', at: 2 }));
    expect([1, 2, 3].map((time) => wasRedBy(project, 'd', 'c', time))).toEqual([false, true, true]);
    expect(wasRedBy(project, 'd', 'passed', 3)).toBe(false);
    expect(wasRedBy(project, 'd', 'other', 3)).toBe(false);
  });

  it('from a time that is still to come counts as noted now', () => {
    const now = Date.now();
    const here = { ...bareProject(now), ...project };
    expect(takeAsOfNow(here)).toEqual([]);
    keepReceipt(project, receipt({ end: 'failed', at: now - 1 }));
    expect(takeAsOfNow(here)).toEqual([]);
    for (const content of ['one', 'two'])
      keepReceipt(project, receipt({ check: 'late', content, end: 'failed', at: now + 3_600_000 }));
    expect(wasRedBy(project, 'd', 'one', now)).toBe(false);
    expect(takeAsOfNow(here)).toEqual(['late']);
    expect(['c', 'one', 'two'].map((content) => findReceipt(project, 'd', content)?.at)).toEqual([
      ...[now - 1, now, now],
    ]);
    expect(takeAsOfNow(here)).toEqual([]);
  });

  it('goes when there are 200 newer ones', () => {
    keepReceipt(project, receipt({ content: 'old' }));
    for (let count = 0; count < 199; count++) keepReceipt(project, receipt({ content: `c${count}` }));
    expect(findReceipt(project, 'd', 'old')).not.toBeNull();
    keepReceipt(project, receipt({ content: 'newest' }));
    expect(findReceipt(project, 'd', 'old')).toBeNull();
    expect(findReceipt(project, 'd', 'c0')).not.toBeNull();
  });

  it('is the repository’s: another project has none, a linked work tree has it', () => {
    const { root } = project;
    const tree = path.join(folder, 'tree');
    const own = path.join(root, '.git/worktrees/tree');
    for (const place of [own, tree, path.join(root, '.git/objects')])
      fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
    fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${own}\n`);
    fs.writeFileSync(path.join(own, 'gitdir'), `${tree}/.git\n`);
    fs.writeFileSync(path.join(own, 'commondir'), '../..\n');
    keepReceipt(project, receipt());
    expect(findReceipt({ ...project, root: tree }, 'd', 'c')).not.toBeNull();
    expect(findReceipt({ ...project, root: folder }, 'd', 'c')).toBeNull();
    // One that only says that it belongs there.
    const liar = path.join(folder, 'liar');
    fs.mkdirSync(liar);
    fs.writeFileSync(path.join(liar, '.git'), `gitdir: ${own}\n`);
    expect(findReceipt({ ...project, root: liar }, 'd', 'c')).toBeNull();
  });

  it('lies where only the user may read and write, and counts for nothing when it is torn', () => {
    keepReceipt(project, receipt());
    const [name = ''] = fs.readdirSync(folderOfReceipts());
    const file = path.join(folderOfReceipts(), name);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const text = fs.readFileSync(file, 'utf8');
    for (const broken of [text.slice(0, -20), text.replace('"passed"', '"proven"'), '', 'null', '[]']) {
      fs.writeFileSync(file, broken);
      expect(findReceipt(project, 'd', 'c')).toBeNull();
    }
    keepReceipt(project, receipt());
    expect(findReceipt(project, 'd', 'c')).not.toBeNull();
  });
});
