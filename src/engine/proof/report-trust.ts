// Every trust given here is reported to the user in the next notice, whoever gave it; and one that does not count, since
// the clock was ahead, in each until it is given again.

import type { Project } from '../project.ts';
import { isTrustAhead, noteReported, type TrustedCheck, trustOf, unreportedTrust } from './trust.ts';
import { trustAheadText, trustGivenText } from './words.ts';

/** Null: there is nothing to say. Called where a notice is sure to follow. */
export function reportTrust(project: Project): string | null {
  const trust = trustOf(project);
  const ahead = project.config.checks.filter((check) => isTrustAhead(check, trust));
  const lines = [
    reportGiven(project, unreportedTrust(trust)),
    ahead.length === 0 ? null : `Holdfast: ${trustAheadText(ahead, project.cli)}`,
  ].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join('\n');
}

function reportGiven(project: Project, given: readonly TrustedCheck[]): string | null {
  if (given.length === 0) return null;
  try {
    noteReported(project, given);
  } catch {
    // Reported once more at the next stop.
  }
  return trustGivenText(
    given.map(({ name }) => name),
    project.cli,
  );
}
