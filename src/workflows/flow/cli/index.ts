// flow at the command line.

import type { WorkflowCli } from '../../../engine/workflow-cli.ts';
import { below } from '../../../store/paths.ts';
import { RUNS } from '../names.ts';
import { check } from './check.ts';
import { diagram } from './diagram.ts';
import { explain } from './explain.ts';
import { list } from './list.ts';
import { newFlow } from './new.ts';
import { redecide } from './replay.ts';
import { cancel, runs } from './runs.ts';
import { stateOf } from './shown.ts';
import { start } from './start.ts';
import { status } from './status.ts';

export const cli: WorkflowCli = {
  commands: [newFlow, list, check, start, status],
  runs,
  places: ({ root }) => [{ path: below(root, RUNS), kind: 'folder' }],
  cancel,
  redecide,
  stateOf,
  explain,
  diagram,
  demo: () => import('./demo.ts').then((module) => module.demo),
};
