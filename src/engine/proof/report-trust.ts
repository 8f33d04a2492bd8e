// Every trust given here is reported to the user in the next notice, whoever gave it.

import type { Project } from '../project.ts';
import { noteReported, trustOf, unreportedTrust } from './trust.ts';
import { trustGivenText } from './words.ts';

/** Null: there is none that was not reported. Called where a notice is sure to follow. */
export function reportTrust(project: Project): string | null {
  const given = unreportedTrust(trustOf(project));
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
