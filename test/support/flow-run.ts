// A run of a flow as it lies in a project: written as `flow start` and stops leave it, without a command or a hook.

import fs from 'node:fs';
import type { Project } from '../../src/engine/project.ts';
import { writeDefinition } from '../../src/workflows/flow/definition-format.ts';
import { filesOf } from '../../src/workflows/flow/files.ts';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import { type FoundRun, readRun } from '../../src/workflows/flow/read-run.ts';
import { beginning } from '../../src/workflows/flow/stand.ts';
import { type RunState, writeRunState } from '../../src/workflows/flow/state-format.ts';
import type { Definition } from '../../src/workflows/flow/types.ts';

export const RUN = 'sample-1-1';

export function definitionOf(text: string): Definition {
  const compiled = compile(text, null);
  if (compiled.kind === 'refused')
    throw new Error(compiled.problems.map(({ place, what }) => `${place.line}: ${what}`).join('\n'));
  return compiled.definition;
}

/** Puts it there, at its beginning but for what is given, and reads it. */
export function runOf(project: Project, text: string, state: Partial<RunState> = {}): FoundRun {
  const definition = definitionOf(text);
  const files = filesOf(project.root, RUN);
  fs.mkdirSync(files.folder, { recursive: true });
  fs.writeFileSync(files.definition, writeDefinition(definition));
  fs.writeFileSync(
    files.state,
    writeRunState({
      ...{ schema: 1, flow: definition.flow, started: '2026-01-31T09:30:00.000Z' },
      ...{ from: 'holdfast.flows/sample.yaml', source: 'x', ended: null },
      ...beginning(definition, {}),
      ...state,
    }),
  );
  const found = readRun(project.root, RUN);
  if (found === null) throw new Error('the run is not there');
  return found;
}
