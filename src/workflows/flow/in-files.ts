// A run as its files have it: the definition it was started with, its task, its state.

import type { RunContext } from '../../engine/context.ts';
import type { InFiles } from '../../engine/workflow.ts';
import { readRunFile } from './files.ts';
import { readRun } from './read-run.ts';

export function inFiles({ project, run }: Pick<RunContext, 'project' | 'run'>): InFiles {
  const { root } = project;
  const found = readRun(root, run);
  if (found === null) return { kind: 'gone' };
  if (found.state.kind === 'ended') return { kind: 'over' };
  const { definition, task, state } = found.files;
  const writes = [definition, task, state].flatMap((file) => {
    const content = readRunFile(file, root);
    return content === null ? [] : [{ kind: 'replace', path: file, content } as const];
  });
  return { kind: 'live', writes };
}
