// All workflows, one line each, in the order of precedence: when a session has several runs, the first that
// holds answers. Adding a workflow: a folder beside this file, and a line here.

import type { RegistryEntry } from '../engine/workflow.ts';

export const registry: readonly RegistryEntry[] = [
  {
    name: 'claudex',
    traces: ['.claude/claudex'],
    presentElsewhere: (env) => (env.CLAUDEX_STATE_DIR ?? '') !== '',
    load: () => import('./claudex/index.ts').then((module) => module.workflow),
    cli: () => import('./claudex/cli/index.ts').then((module) => module.cli),
  },
  {
    name: 'taskie',
    traces: ['.taskie/plans'],
    load: () => import('./taskie/index.ts').then((module) => module.workflow),
    cli: () => import('./taskie/cli/index.ts').then((module) => module.cli),
  },
  {
    name: 'idle',
    traces: ['.claude/idle-loop.local.md', '.jwz'],
    load: () => import('./idle/index.ts').then((module) => module.workflow),
    cli: () => import('./idle/cli/index.ts').then((module) => module.cli),
  },
];
