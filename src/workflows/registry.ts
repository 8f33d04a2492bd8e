// All workflows, one line each, in the order of precedence: when a session has several runs, the first that
// holds answers. Adding a workflow: a folder beside this file, and a line here.

import type { RegistryEntry } from '../engine/machinery.ts';

export const registry: readonly RegistryEntry[] = [];
