// The diagrams of docs/states.md, put in by the build: the states of the workflows that are built in.

import type { Diagram } from '../../engine/workflow-cli.ts';
import type { RunView } from '../../view/model.ts';
import type { RunPage } from '../shown.ts';

/** By the heading they stand under: `idle`, `claudex: plan`. */
declare const HOLDFAST_DIAGRAMS: Readonly<Record<string, Diagram>>;

export function withDiagram(page: RunPage): RunPage {
  return page.diagram === null ? { ...page, diagram: drawnFor(page.run) } : page;
}

/** A workflow with several has one for each of its modes. */
function drawnFor({ workflow, detail }: RunView): Diagram | null {
  const exact = `${workflow}: ${String(detail.mode)}`;
  return HOLDFAST_DIAGRAMS[workflow] ?? HOLDFAST_DIAGRAMS[exact] ?? null;
}
