import { decide as taskie } from '../../src/workflows/taskie/decide.ts';
import { decide as idle } from '../../src/workflows/idle/decide.ts';
import { explore } from './explorer/explorer.ts';
import { taskieEdits } from './taskie/model.ts';
import { idleModel } from './idle/model.ts';
for (const m of [taskieEdits(taskie), idleModel(idle)] as any[]) { const t = performance.now(); console.log(explore(m), performance.now() - t); }
