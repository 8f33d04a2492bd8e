// All there is to explore of taskie, in one module (test/support/as-built.ts).

import { explore } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/taskie/decide.ts';
import { taskieEdits, taskieRuns } from './model.ts';

export const exploreRuns = () => explore(taskieRuns(decide));
export const exploreEdits = () => explore(taskieEdits(decide));
