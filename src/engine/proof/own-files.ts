// Files that are no content of the project: our own, and those in which the workflows keep their runs.

import type { RegistryEntry } from '../workflow.ts';

/** Relative to the root. */
export function ownFiles(registry: readonly Pick<RegistryEntry, 'traces'>[]): string[] {
  return ['.holdfast', ...registry.flatMap(({ traces }) => traces)];
}
