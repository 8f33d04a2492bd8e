// A run as it stands on disk: the definition it was started with, its state, and what a decision sees of both.

import { fingerprint } from '../../store/fingerprint.ts';
import { readDefinition } from './definition-format.ts';
import { filesOf, type RunFiles, readRunFile } from './files.ts';
import { isRunId } from './names.ts';
import { standing } from './stand.ts';
import { type RunState, readRunState } from './state-format.ts';
import type { Definition, State } from './types.ts';

export type FoundRun = {
  files: RunFiles;
  /** The definition's text, to compare it with the pinned one. */
  text: string;
  definition: Definition | null;
  run: RunState | null;
  state: State;
  stateHash: string;
};

/** Null: there is no such run. */
export function readRun(root: string, run: string): FoundRun | null {
  if (!isRunId(run)) return null;
  const files = filesOf(root, run);
  const stateText = readRunFile(files.state, root);
  if (stateText === null) return null;
  const text = readRunFile(files.definition, root) ?? '';
  const found = {
    files,
    text,
    definition: readDefinition(text),
    run: readRunState(stateText),
    stateHash: fingerprint(stateText),
  };
  return { ...found, state: stateOf(found) };
}

function stateOf({ definition, run }: Pick<FoundRun, 'definition' | 'run'>): State {
  if (run === null) return { kind: 'unreadable', what: 'state' };
  if (run.ended !== null) return { kind: 'ended', outcome: run.ended };
  if (definition === null) return { kind: 'unreadable', what: 'definition' };
  return standing(definition, run) ?? { kind: 'unreadable', what: 'state' };
}
