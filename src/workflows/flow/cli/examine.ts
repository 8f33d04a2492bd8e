// A flow's text, compiled and gone through: what every check and every start does first.

import { guardLimits } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import type { Bounds } from '../checker/bounds.ts';
import { check } from '../checker/check.ts';
import { compile } from '../language/compile.ts';
import { NOWHERE, type Problem, problemLines } from '../language/problems.ts';
import type { Definition } from '../types.ts';
import type { FoundFlow } from './find-flow.ts';

export type Examined =
  | { kind: 'proven'; definition: Definition; bounds: Bounds; nodes: number }
  | { kind: 'refused'; problems: readonly Problem[] };

/** As the workflow's own (index.ts); a config may lower it. */
export const GUARD = { unmoved: 6, tools: null };

export function examine({ name, text }: FoundFlow, { config }: Project): Examined {
  const names = config.checks.map((each) => each.name);
  const compiled = compile(text, names);
  if (compiled.kind === 'refused') return compiled;
  const { definition, places } = compiled;
  if (name !== null && definition.flow !== name)
    return refused(`the file is called ${name}.yaml, and the flow in it "${definition.flow}"`);
  const { unmoved } = guardLimits(config, 'flow', GUARD);
  const checked = check(definition, places, unmoved);
  return checked.kind === 'refused' ? checked : { ...checked, definition };
}

function refused(what: string): Examined {
  return { kind: 'refused', problems: [{ place: NOWHERE, what }] };
}

/** For people, one line each with its place, the way to it below. */
export function describeProblems({ shown }: FoundFlow, problems: readonly Problem[]): string[] {
  return problems.flatMap((problem) => problemLines(shown.replace(/ \(built in\)$/, ''), problem));
}
