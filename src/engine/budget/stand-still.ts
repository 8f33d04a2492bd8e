// A session met a limit: until its next stop the hours of its run's budget do not count. The first event counts.

import type { Project } from '../project.ts';
import { answered } from './changes.ts';
import { changeBudget } from './record.ts';

export function standStillAt(project: Project, name: string): void {
  const still = { for: 'limit', since: project.now, until: null } as const;
  changeBudget(project, name, (there) =>
    there === null || there.clock.still !== null ? there : answered(there, { kind: 'allowed', still }),
  );
}
