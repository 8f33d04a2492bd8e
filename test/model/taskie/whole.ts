// What there is to explore of taskie, in one module (test/support/as-built.ts): what `npm test` goes through, and all.

import { explore } from '../../../src/explorer/explorer.ts';
import { transition } from '../../../src/workflows/taskie/cli/transitions.ts';
import { decide } from '../../../src/workflows/taskie/decide.ts';
import { trackedStarts } from './domains.ts';
import { invariants } from './invariants.ts';
import { SOME_FIELDS, taskieEdits, taskieRuns } from './model.ts';

export const exploreRuns = () => explore(taskieRuns(decide));
export const exploreEdits = () => explore(taskieEdits(decide));

export const exploreSomeRuns = () =>
  explore(taskieRuns(decide, invariants, transition, trackedStarts.slice(1, 2)));
export const exploreSomeEdits = () => explore(taskieEdits(decide, invariants, SOME_FIELDS));
