// Stands in for src/workflows/registry.ts in the build that the engine's tests run.

import type { RegistryEntry } from '../../src/engine/machinery.ts';

export const registry: readonly RegistryEntry[] = [
  {
    name: 'toy',
    traces: ['.toy'],
    load: () => import('./workflow.ts').then((module) => module.workflow),
    desk: () => import('./desk.ts').then((module) => module.desk),
  },
];
