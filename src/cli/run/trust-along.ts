// What the user trusts in a folder of a repository is trusted in a work tree that their own command made of it, where the
// very same commands stand there. Worktrees share it anyway, but for a folder that is not the top of one.

import type { Project } from '../../engine/project.ts';
import { definitionOf } from '../../engine/proof/definition.ts';
import { addTrust, isTrusted, trustOf } from '../../engine/proof/trust.ts';

export function carryTrust(from: Project, to: Project): void {
  const trust = trustOf(from);
  const before = Date.now() + 1;
  const known = from.config.checks
    .filter((check) => check.from === 'project' && isTrusted(check, trust, before))
    .map((check) => definitionOf(check));
  const same = to.config.checks.filter(
    (check) => check.from === 'project' && known.includes(definitionOf(check)),
  );
  if (same.length > 0) addTrust(to, same);
}
