import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { rollback } from './rollback.ts';

const OTHER = '20260131-092900-bbbbbb';
const NONE = ['0', 'Removed 0 loops: there are none here.'];

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});
const putAll = (place: Project, id: string) => {
  const { dir, files } = putLoop(place, {}, { id });
  for (const file of [files.lock, files.runner, files.prompt, files.findings(1)]) writeAt(file, 'x');
  return dir;
};

describe('claudex rollback', () => {
  it('is a command without words', () => {
    const { run: _, ...rest } = rollback;
    expect(rest).toEqual({
      name: 'rollback',
      summary: 'remove every loop of this project; PLAN.md, reviews/ and the log stay',
      ...{ usage: '', options: {}, writes: true, words: { least: 0, most: 0 } },
    });
  });

  it('removes nothing where there is nothing, and writes nothing', async () => {
    expect(await called(rollback, null)).toEqual(NONE);
    expect(await called(rollback, project)).toEqual(NONE);
    writeAt(path.join(root, '.claude/claudex/log'), 'x');
    expect(await called(rollback, project)).toEqual(NONE);
    expect(fs.readdirSync(root).toSorted()).toEqual(['.claude', '.git']);
  });

  it.each([
    [[ID], '1 loop'],
    [[ID, OTHER], '2 loops'],
  ])('removes all that is of the loops %j', async (ids, count) => {
    for (const id of ids) putAll(project, id);
    writeAt(path.join(root, 'PLAN.md'), 'x');
    const log = path.join(root, '.claude/claudex/log');
    expect(await called(rollback, project)).toEqual([
      '0',
      `Removed ${count}. PLAN.md and reviews/ are untouched; ${log} is kept.`,
    ]);
    expect(fs.readdirSync(path.dirname(log))).toEqual(['log']);
    expect(fs.readFileSync(log, 'utf8')).toBe(
      `[2026-01-31T09:30:00Z] rollback: ${ids.length} loops removed\n`,
    );
    expect(fs.existsSync(path.join(root, 'PLAN.md'))).toBe(true);
  });

  it('goes by the names', async () => {
    const dir = putAll(project, ID);
    const kept = ['.x.state', 'notes.lock', 'notes.txt', `${OTHER}.bak`, `${OTHER}.state.old`, 'swept'];
    const removed = ['notes.state', `${OTHER}-runner.sh`, OTHER];
    for (const name of [...kept, ...removed]) writeAt(path.join(dir.path, name), 'x');
    expect((await called(rollback, project))[1]).toMatch(/^Removed 2 loops\. /);
    expect(fs.readdirSync(dir.path).toSorted()).toEqual([...kept, 'log'].toSorted());
  });

  it('removes what a loop left that is gone itself', async () => {
    const dir = putAll(project, ID);
    fs.rmSync(path.join(dir.path, `${ID}.state`));
    expect((await called(rollback, project))[1]).toMatch(/^Removed 0 loops\. PLAN/);
    expect(fs.readdirSync(dir.path)).toEqual(['log']);
  });

  it('in a folder that others share removes this project’s alone', async () => {
    const shared = projectIn(root, { env: { CLAUDEX_STATE_DIR: path.join(root, '../shared') } });
    fs.mkdirSync(path.join(root, '../shared'));
    const dir = putAll(shared, ID);
    putLoop(shared, {}, { id: OTHER, repoRoot: path.dirname(root) });
    writeAt(path.join(dir.path, 'notes.state'), 'x');
    expect((await called(rollback, shared))[1]).toMatch(/^Removed 1 loop\. /);
    expect(fs.readdirSync(dir.path).toSorted()).toEqual([`${OTHER}.state`, 'log', 'notes.state']);
  });
});
