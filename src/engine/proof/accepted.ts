// Red checks that a run may end with: noted in its pin, named in the next notice, and kept in the journal.

import type { Project } from '../project.ts';
import { journalAccepted } from '../stop/journal.ts';
import { type Accepted, changePin, type Pin } from './pin.ts';
import { acceptedText } from './words.ts';

/** By a person, in mid-run. Null: the run has no pin that could be changed. */
export function acceptInPin(project: Project, name: string, check: string): Pin | null {
  const accepted: Accepted = { by: 'person', at: Date.now() };
  const pin = changePin(project, name, (there) => ({
    ...there,
    accepted: { ...there.accepted, [check]: accepted },
  }));
  if (pin !== null) journalAccepted(project, name, check, accepted.by);
  return pin;
}

/** For the user, once each. Null: there is nothing to say. Called where a notice is sure to follow. */
export function reportAccepted(project: Project, { run, accepted = {} }: Pin): string | null {
  const isNew = ([, { reported }]: [string, Accepted]): boolean => reported !== true;
  const found = Object.entries(accepted).filter(isNew);
  if (found.length === 0) return null;
  try {
    changePin(project, run, (there) => ({ ...there, accepted: asReported(there.accepted ?? {}) }));
  } catch {
    // Reported once more at the next stop.
  }
  for (const [name, { by }] of found) if (by !== 'person') journalAccepted(project, run, name, by);
  return acceptedText(
    found.map(([name, { by }]) => ({ name, by })),
    run,
    project.cli,
  );
}

function asReported(accepted: NonNullable<Pin['accepted']>): Record<string, Accepted> {
  return Object.fromEntries(
    Object.entries(accepted).map(([name, each]) => [name, { ...each, reported: true as const }]),
  );
}
