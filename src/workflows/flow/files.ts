// Where a run's files are, and reading them: the compiled definition, the state, the task.

import fs from 'node:fs';
import { changedAt, isDenied, isPassing, readInside } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { isRunId, RUNS, runFolder } from './names.ts';

export type RunFiles = { folder: string; definition: string; state: string; task: string };

export function filesOf(root: string, run: string): RunFiles {
  const folder = below(root, runFolder(run));
  const at = (name: string): string => below(folder, name);
  return { folder, definition: at('definition.json'), state: at('state.json'), task: at('task.md') };
}

const READ_AT_MOST = 1024 * 1024;

/** Null: there is none. A link out of the project, a FIFO, a giant: `''`, which is no state either. */
export function readRunFile(file: string, root: string): string | null {
  try {
    return readInside(file, root, READ_AT_MOST);
  } catch (error) {
    if (isPassing(error) || isDenied(error)) throw error;
    return '';
  }
}

/** Ids of all runs, the one that changed last first. */
export function listRuns(root: string): string[] {
  const runs = namesIn(below(root, RUNS)).filter(isRunId);
  const times = new Map(runs.map((run) => [run, changedAt(filesOf(root, run).state)]));
  return runs.sort(
    (one, other) => Number(times.get(other)) - Number(times.get(one)) || (one < other ? 1 : -1),
  );
}

function namesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
