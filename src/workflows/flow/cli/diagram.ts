// The states of a run, from the definition it was started with: views draw it.

import type { Project } from '../../../engine/project.ts';
import type { Diagram } from '../../../engine/workflow-cli.ts';
import { waysOut } from '../checker/mermaid.ts';
import { readRun } from '../read-run.ts';

/** Null: there is no such run, or nobody can read its definition. */
export function diagram({ root }: Project, run: string): Diagram | null {
  const definition = readRun(root, run)?.definition ?? null;
  if (definition === null) return null;
  const { start, states } = definition;
  return {
    start,
    states: Object.fromEntries(Object.keys(states).map((name) => [name, name])),
    ways: Object.entries(states).flatMap(([from, state]) =>
      waysOut(state).map(({ label, to }) => ({ from, to, by: label })),
    ),
  };
}
