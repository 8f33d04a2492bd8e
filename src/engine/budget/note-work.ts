// Notes that a run's client begins to work, or works no longer, where no stop tells it: its turn failed, the driver
// started or ended it. The next stop counts it.

import type { Project } from '../project.ts';
import { marked } from './changes.ts';
import { hasBudget } from './place.ts';
import { changeBudget } from './record.ts';

export function noteWork(
  project: Pick<Project, 'root' | 'env' | 'now'>,
  name: string,
  kind: 'begins' | 'ends',
): void {
  if (!hasBudget(project, name)) return;
  changeBudget(project, name, (there) => there && marked(there, { at: project.now, kind }));
}
