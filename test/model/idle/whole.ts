// All there is to explore of idle, in one module (test/support/as-built.ts).

import { explore } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/idle/decide.ts';
import { idleModel } from './model.ts';

export const exploreAll = () => explore(idleModel(decide));
