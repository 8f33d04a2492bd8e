// What there is to explore of idle, in one module (test/support/as-built.ts): what `npm test` goes through, and all.

import { explore } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/idle/decide.ts';
import { editableAlone } from './domains.ts';
import { invariants } from './invariants.ts';
import { idleModel } from './model.ts';

export const exploreAll = () => explore(idleModel(decide));
export const exploreSome = () => explore(idleModel(decide, invariants, editableAlone));
