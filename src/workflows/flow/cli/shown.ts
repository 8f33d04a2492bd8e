// A run as views show it.

import fs from 'node:fs';
import type { Shown } from '../../../engine/workflow-cli.ts';
import { isObject } from '../../../store/json.ts';
import { below } from '../../../store/paths.ts';
import { readRunFile } from '../files.ts';
import type { FoundRun } from '../read-run.ts';

export function shown(root: string, { run, state, files }: FoundRun): Shown {
  const started = Date.parse(run?.started ?? '');
  return {
    state: run?.at ?? null,
    progress: state.kind === 'at' ? { unit: 'hold', at: state.held, of: state.most } : null,
    asked: readRunFile(files.task, root)?.trim() || null,
    startedAt: Number.isNaN(started) ? null : started,
    files: namesIn(files.folder).map((name) => below(files.folder, name)),
  };
}

/** Of a recorded stop. */
export function stateOf(state: unknown): string | null {
  return isObject(state) && typeof state.at === 'string' ? state.at : null;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
