// What `status` says of a run's checks: which there are, how often they refused the last claims, what it ended as.

import type { Project } from '../engine/project.ts';
import { describeWorth } from '../engine/proof/describe.ts';
import { readPin } from '../engine/proof/pin.ts';
import { readAsked, readDefinitions } from '../engine/proof/required.ts';
import type { Worth } from '../store/journal-lines.ts';
import { history } from './history.ts';
import type { KnownRun } from './runs.ts';

export type RunProof = {
  /** Names of the checks that a claim has to pass. */
  checks: readonly string[];
  /** Those that do not run, for nobody trusts them. */
  untrusted: readonly string[];
  /** They were switched off at the start. */
  off: boolean;
  /** Claims refused in a row. */
  refusals: number;
  /** How the run ended; null while it goes on. */
  ended: { worth: Worth; why: readonly string[] } | null;
};

/** Null: nobody asked for checks. Only then nothing is read. */
export function proofOfRun(project: Project, { name, live, sidecar }: KnownRun): RunProof | null {
  if (sidecar.proof === undefined) return null;
  const pin = readPin(project, name);
  const { asked, refusals, definitions } = sidecar.proof;
  const noted = [...readDefinitions(definitions).keys(), ...readAsked(asked)];
  const names = pin === null ? noted : [...pin.checks.map((check) => check.name), ...pin.untrusted];
  return {
    checks: [...new Set(names)],
    untrusted: pin?.untrusted ?? [],
    off: pin?.off ?? asked.off,
    refusals,
    ended: live ? null : endOf(project, name),
  };
}

export function describeRunProof({ checks, untrusted, off, refusals, ended }: RunProof): string {
  if (ended !== null) return describeWorth(ended.worth, ended.why);
  if (off) return 'checks switched off';
  const named = checks.map((name) => (untrusted.includes(name) ? `${name} (not trusted)` : name)).join(', ');
  const times = refusals === 1 ? 'once' : `${refusals} times in a row`;
  return `${named === '' ? 'no checks' : `checks ${named}`}${refusals === 0 ? '' : `; claim refused ${times}`}`;
}

/** A journal that cannot be read is a trouble of its own, which `status` tells beside the runs. */
function endOf(project: Project, name: string): RunProof['ended'] {
  try {
    for (const entry of history(project, name)) {
      if (entry.event === 'start') return null;
      if (entry.event === 'end' && entry.proof !== undefined)
        return { worth: entry.proof, why: entry.why ?? [] };
    }
  } catch {
    // As said above.
  }
  return null;
}
