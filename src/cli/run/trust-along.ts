// A work tree of a repository is another folder, and trust is given by folder. What the user trusts in the repository is
// trusted in a work tree that their own command made of it, where the very same commands stand there.

import type { Project } from '../../engine/project.ts';
import { definitionOf } from '../../engine/proof/definition.ts';
import { giveTrust, isTrusted, trustOf } from '../../engine/proof/trust.ts';

export function carryTrust(from: Project, to: Project): void {
  const trust = trustOf(from);
  const before = Date.now() + 1;
  const known = from.config.checks
    .filter((check) => check.from === 'project' && isTrusted(check, trust, before))
    .map((check) => definitionOf(check));
  const same = to.config.checks.filter(
    (check) => check.from === 'project' && known.includes(definitionOf(check)),
  );
  if (same.length > 0) giveTrust(to, same);
}
