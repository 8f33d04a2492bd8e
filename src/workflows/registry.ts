// All workflows, one line each, in the order of precedence: when a session has several runs, the first that
// holds answers. Adding a workflow: a folder beside this file, a folder of skills in plugins/, and a line here.

import type { RegistryEntry } from '../engine/workflow.ts';

export const registry: readonly RegistryEntry[] = [
  {
    name: 'claudex',
    description:
      'Drafts a plan and has another model attack it in rounds until it holds; also reviews a diff once.',
    begin: 'plan',
    traces: ['.claude/claudex'],
    movedBy: 'CLAUDEX_STATE_DIR',
    load: () => import('./claudex/index.ts').then((module) => module.workflow),
    cli: () => import('./claudex/cli/index.ts').then((module) => module.cli),
    short: () => import('./claudex/short.ts').then((module) => module.liveRuns),
  },
  {
    name: 'taskie',
    description:
      'Plan, tasks and code in stages, each reviewed by fresh reviewers until two reviews in a row are clean.',
    begin: 'new-plan',
    traces: ['.taskie/plans'],
    load: () => import('./taskie/index.ts').then((module) => module.workflow),
    cli: () => import('./taskie/cli/index.ts').then((module) => module.cli),
    short: () => import('./taskie/short.ts').then((module) => module.liveRuns),
  },
  {
    name: 'flow',
    description:
      "A team's own loop, written in twenty lines of YAML and proven to end before it runs; five are built in.",
    begin: 'start',
    traces: ['.holdfast/flow'],
    load: () => import('./flow/index.ts').then((module) => module.workflow),
    cli: () => import('./flow/cli/index.ts').then((module) => module.cli),
    short: () => import('./flow/short.ts').then((module) => module.liveRuns),
  },
  {
    name: 'idle',
    description:
      'Loops inside loops that keep the agent at a task, an issue or all issues until a completion signal.',
    begin: 'loop',
    traces: ['.claude/idle-loop.local.md', '.jwz'],
    load: () => import('./idle/index.ts').then((module) => module.workflow),
    cli: () => import('./idle/cli/index.ts').then((module) => module.cli),
    short: () => import('./idle/short.ts').then((module) => module.liveRuns),
  },
];
