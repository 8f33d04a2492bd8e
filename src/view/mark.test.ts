import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget, NOW, writeIn } from '../../test/support/bare-project.ts';
import { putOutput } from '../../test/support/outputs.ts';
import type { Project } from '../engine/project.ts';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import { ensureHome } from '../store/home.ts';
import { type Attempt, newSidecar } from '../store/records.ts';
import { registry } from '../workflows/registry.ts';
import { markOf, stampOf } from './mark.ts';
import type { KnownRun } from './runs.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(15_000 * 1000);
  ensureHome(project.root);
});

const runOf = (more: Partial<KnownRun> = {}): KnownRun => ({
  ...{ run: 'a', live: true, stage: 'at work', detail: {}, name: 'idle:a', stateTrouble: null },
  ...{ notesTrouble: null, sidecar: newSidecar('idle:a'), cli: {} as WorkflowCli },
  workflow: {} as KnownRun['workflow'],
  ...more,
});

/** Whether what is done shows. */
function shows(change: () => void, runs: readonly KnownRun[] = []): boolean {
  const before = markOf(project, runs);
  expect(markOf(project, runs)).toBe(before);
  change();
  return markOf(project, runs) !== before;
}

describe('a change in a project', () => {
  it.each([
    '.holdfast/journal.jsonl',
    '.holdfast/journal/1.jsonl',
    '.holdfast/runs/a.json',
    ...registry.flatMap(({ traces }) => traces.map((trace) => `${trace}/a`)),
  ])('shows by %s', (file) => {
    expect(shows(() => writeIn(project, file, 'x'))).toBe(true);
  });

  it('shows not where nobody looks', () => {
    expect(shows(() => writeIn(project, 'src/a.ts', 'x'))).toBe(false);
    expect(shows(() => giveBudget(project, budgetOf(project, 'idle:a')))).toBe(false);
  });

  it('shows in the budget of a run that goes on, and of no other', () => {
    const change = (tokens: number) => () =>
      giveBudget(project, budgetOf(project, 'idle:a', { spent: { tokens } }));
    expect(shows(change(1), [runOf()])).toBe(true);
    expect(shows(change(20), [runOf({ live: false })])).toBe(false);
    expect(shows(change(300), [runOf({ name: 'idle:b' })])).toBe(false);
  });

  it('shows in a live run’s file, beside it, and in the file that its state is of', () => {
    const file = writeIn(project, 'plans/a.md.state', 'x');
    const runs = [runOf({ file })];
    expect(shows(() => fs.writeFileSync(file, 'longer'), runs)).toBe(true);
    expect(shows(() => void writeIn(project, 'plans/a.md', 'x'), runs)).toBe(true);
    expect(shows(() => fs.writeFileSync(path.join(project.root, 'plans/a.md'), 'longer'), runs)).toBe(true);
    expect(shows(() => void writeIn(project, 'plans/b.md', 'x'), runs)).toBe(true);
    const other = writeIn(project, 'plans/b.md', 'y');
    expect(shows(() => fs.writeFileSync(other, 'longer'), runs)).toBe(false);
    expect(shows(() => fs.writeFileSync(file, 'x'), [runOf({ file, live: false })])).toBe(false);
  });

  it('shows in what its work prints', () => {
    const sidecar = { ...newSidecar('idle:a'), attempts: [{ id: 'w1' } as Attempt] };
    const write = (text: string) => () => {
      for (const name of ['stdout', 'stderr'] as const) putOutput(project, 'w1', text, name);
    };
    expect(shows(write('x'), [runOf({ sidecar })])).toBe(true);
    expect(shows(write('longer'), [runOf({ sidecar })])).toBe(true);
    expect(shows(write('x'), [runOf()])).toBe(false);
  });
});

it('the clock counts where a run goes on, every fifteen seconds', () => {
  const at = (ms: number, live: boolean): string =>
    markOf({ ...project, now: project.now + ms }, [runOf({ live })]).split(' ')[0] ?? '';
  expect([0, 14_999, 15_000].map((ms) => at(ms, true))).toEqual(['1000', '1000', '1001']);
  expect([0, 15_000].map((ms) => at(ms, false))).toEqual(['0', '0']);
});

it('a place is known by its number, its size and its time', () => {
  const file = writeIn(project, 'a', 'abc');
  fs.utimesSync(file, NOW / 1000, NOW / 1000);
  const { ino } = fs.lstatSync(file);
  expect(stampOf(file)).toBe(`${ino}:3:${NOW}`);
  expect(stampOf(path.join(project.root, 'none'))).toBe('-');
  expect(stampOf(path.join(file, 'below'))).toBe('?');
  expect(stampOf(path.join(project.root, 'x'.repeat(300)))).toBe('?');
});
