// claudex as the hook drives it, beside what decide, observe and commit do: its runs, what counts as moved, and its end.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../test/fixtures/claudex/project.ts';
import { contextIn, emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { workflow } from './index.ts';
import { observe } from './observe.ts';

const OTHER = '20260131-092900-bbbbbb';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});

describe('the loops of a project, for a stop', () => {
  it('are none where there are none', () => {
    expect(workflow.newestRun(project)).toBeNull();
    expect(workflow.unfinishedRuns(project)).toEqual([]);
  });

  it('are those that nobody has finished, and the newest of all', () => {
    const old = putLoop(project, { phase: 'dreaming' });
    fs.utimesSync(old.files.state, 1, 1);
    putLoop(project, { phase: 'done' }, { id: OTHER });
    expect(workflow.newestRun(project)).toBe(OTHER);
    expect(workflow.unfinishedRuns(project)).toEqual([
      { run: `claudex:${ID}`, adopt: `holdfast adopt claudex:${ID}` },
    ]);
  });

  it('are never switched off, and let go after three holds without progress', () => {
    expect(workflow.disabled({})).toBe(false);
    expect([workflow.name, workflow.guard]).toEqual(['claudex', { unmoved: 3, tools: 12 }]);
  });

  it('move with PLAN.md and with the findings there are', () => {
    const { files } = putLoop(project, { phase: 'reviewing', round: '2' });
    writeAt(files.findings(1), '## High\n- A (x)\n');
    const world = observe(contextIn(project, ID))?.world;
    expect(world && workflow.artifacts(world, contextIn(project, ID))).toEqual([
      path.join(root, 'PLAN.md'),
      files.findings(1),
    ]);
  });

  it('ask for a review where a runner is written', () => {
    const log = { answer: 'allow', why: 'finished' };
    expect(workflow.asksForReview?.({ log })).toBe(false);
    expect(workflow.asksForReview?.({ log, runner: { round: 1, owedFrom: 1 } })).toBe(true);
  });

  it('are let go with where they stood', () => {
    const state = { mode: 'plan', phase: 'reviewing', round: 2, maxRounds: 3, signal: 'none' };
    expect(workflow.released(state, contextIn(project, ID), 'four')).toEqual({
      name: 'released',
      slots: { phase: 'reviewing', round: 2, max: 3, holds: 'four' },
    });
  });

  it('are rid of state files that are no loops', () => {
    const { dir } = putLoop(project);
    writeAt(path.join(dir.path, 'notes.state'), 'x');
    workflow.putAway?.(project);
    expect(fs.readdirSync(dir.path).sort()).toEqual([`${ID}.state`, 'log', 'swept']);
    expect(fs.readdirSync(path.join(dir.path, 'swept'))).toEqual([`${project.now}-notes.state`]);
  });
});
