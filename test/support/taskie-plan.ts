// A project with a plan in it for what is called in this process: only files, no hook and no command line around it.

import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../src/engine/project.ts';
import { openPlan, type PlanFolder } from '../../src/workflows/taskie/files.ts';
import { FULL_STATE, TASKS, taskText } from '../fixtures/taskie/plan.ts';
import { emptyFolder, projectIn } from './bare-project.ts';

export type PlanScene = {
  root: string;
  /** Of the session `session-1`, with a `claude` on its PATH. */
  project: Project;
  /** Absolute path of a file of a plan. */
  at(name: string, plan?: string): string;
  put(name: string, text: string, plan?: string): void;
  setState(fields: object, plan?: string): void;
  /** A valid plan of two tasks, in that state. */
  sound(fields?: object): void;
  folder(): PlanFolder;
};

export function planScene(): PlanScene {
  const root = emptyFolder();
  const bin = path.join(path.dirname(root), 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  const at = (name: string, plan = 'my-plan'): string => path.join(root, '.taskie/plans', plan, name);
  const put = (name: string, text: string, plan = 'my-plan'): void => {
    fs.mkdirSync(path.dirname(at(name, plan)), { recursive: true });
    fs.writeFileSync(at(name, plan), text);
  };
  const setState = (fields: object, plan = 'my-plan'): void =>
    put('state.json', JSON.stringify({ ...FULL_STATE, ...fields }), plan);
  return {
    ...{ root, at, put, setState },
    project: projectIn(root, {
      env: { CLAUDE_CODE_SESSION_ID: 'session-1', PATH: `${bin}:${process.env.PATH}` },
    }),
    sound(fields = {}) {
      put('plan.md', '# Plan\n\n## Overview\n\nSmall.\n');
      put('tasks.md', TASKS);
      for (const task of ['1', '2']) put(`task-${task}.md`, taskText(task));
      setState(fields);
    },
    folder() {
      const found = openPlan(root, 'my-plan');
      if (found === null) throw new Error('there is no plan here');
      return found;
    },
  };
}
