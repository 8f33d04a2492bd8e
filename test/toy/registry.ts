// Stands in for src/workflows/registry.ts in the build that the engine's tests run.

import type { RegistryEntry } from '../../src/engine/workflow.ts';

export const registry: readonly RegistryEntry[] = [
  {
    name: 'toy',
    description: 'A workflow for tests.',
    begin: 'start',
    traces: ['.toy'],
    movedBy: 'TOY_FOLDER',
    load: () => import('./workflow.ts').then((module) => module.toy),
    cli: () => import('./cli.ts').then((module) => module.toyCli),
  },
  {
    name: 'toy2',
    description: 'Another workflow for tests.',
    begin: 'start',
    traces: ['.toy2'],
    load: () => import('./workflow.ts').then((module) => module.toy2),
    cli: () => import('./cli.ts').then((module) => module.toy2Cli),
  },
];
