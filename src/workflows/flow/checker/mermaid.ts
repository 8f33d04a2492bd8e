// A flow as a Mermaid diagram, from its definition: what the checker has gone through.

import type { Condition, Definition, Line } from '../types.ts';

export function mermaidOf(definition: Definition): string {
  const { start, states } = definition;
  const lines = ['stateDiagram-v2', `  [*] --> ${idOf(start)}`];
  for (const [name, state] of Object.entries(states)) {
    if (idOf(name) !== name) lines.push(`  state "${name}" as ${idOf(name)}`);
    if (state.kind === 'end') lines.push(`  ${idOf(name)} --> [*]: ${state.end}`);
    else {
      if (state.kind === 'pause') lines.push(`  note right of ${idOf(name)}: a person's turn`);
      for (const { label, to } of waysOut(state)) lines.push(`  ${idOf(name)} --> ${idOf(to)}: ${label}`);
    }
  }
  return lines.join('\n');
}

export type WayOut = { label: string; to: string };

/** In the order in which they are looked at. */
export function waysOut(state: Definition['states'][string]): WayOut[] {
  if (state.kind === 'end') return [];
  const lines = state.leave.map(({ when, to }) => ({ label: labelOf(when), to }));
  if (state.kind === 'pause' || state.otherwise === null) return lines;
  return [
    ...lines,
    { label: `after ${state.holds} ${state.holds === 1 ? 'hold' : 'holds'}`, to: state.otherwise },
  ];
}

/** `finished, test passed`. */
export function labelOf(when: Line['when']): string {
  return when.map(wordOf).join(', ');
}

function wordOf(condition: Condition): string {
  switch (condition.kind) {
    case 'visits':
      return condition.least === 1 ? 'always' : `visit ${condition.least} or later`;
    case 'signal':
      return `says ${condition.name}`;
    case 'file':
      return `${plain(condition.glob)} ${condition.is}`;
    case 'check':
      return `${condition.name} ${condition.is}`;
    case 'review':
      return `${condition.name} ${condition.is === 'clean' ? 'clean' : 'has findings'}`;
  }
}

/** What Mermaid would read as its own. */
const plain = (text: string): string => text.replace(/[;:#\n]/g, ' ');

/** A dash is no part of an id there. */
const idOf = (name: string): string =>
  name === 'end' || name === 'state' ? `${name}_` : name.replaceAll('-', '_');
