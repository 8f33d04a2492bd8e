// The flags about checks at a start, and whether there is anything to note at all: most starts know no checks, and then
// nothing else of proof is loaded.

import type { ProofNotes } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { hasUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { type Call, WrongUsage } from '../workflow-cli.ts';

export type ProofFlags = {
  /** By name, of the user's own file too. */
  checks: readonly string[];
  off: boolean;
  /** The check whose pass ends the frame. */
  until: string | null;
  /** Checks that may be red at the end. */
  acceptRed: readonly string[];
};

export type ProofAtStart = {
  notes: ProofNotes;
  /** What the user must know before anything else. */
  firstLine: string | null;
  lines: readonly string[];
};

export const PROOF_OPTIONS = {
  check: { type: 'string', multiple: true },
  'no-check': { type: 'boolean' },
  'accept-red': { type: 'string', multiple: true },
} as const;

export const UNTIL_OPTION = { until: { type: 'string' } } as const;

export const PROOF_USAGE = '[--check NAME]… [--no-check] [--accept-red NAME]…';

export const PROOF_HELP =
  "--check NAME: a check of your own config must pass too, beside the project's. --no-check: none is run, and what had checks ends unproven. --accept-red NAME: that check may be red at the end, which is then unproven.";

export function proofFlags(flags: Call['flags']): ProofFlags {
  const checks = namesIn(flags.check);
  const acceptRed = namesIn(flags['accept-red']);
  const off = flags['no-check'] === true;
  const until = typeof flags.until === 'string' ? flags.until : null;
  if (off && checks.length > 0) throw new WrongUsage('--check and --no-check exclude each other.');
  if (off && until !== null) throw new WrongUsage('--until and --no-check exclude each other.');
  if (off && acceptRed.length > 0) throw new WrongUsage('--accept-red and --no-check exclude each other.');
  if (until !== null && acceptRed.includes(until))
    throw new WrongUsage(
      `--until ${until} goes on until that check passes, so --accept-red ${until} cannot go with it.`,
    );
  return { checks, off, until, acceptRed };
}

const namesIn = (given: Call['flags'][string] = []): string[] =>
  (Array.isArray(given) ? given : [given]).map(String);

export const isProofAsked = ({ checks, off, until, acceptRed }: ProofFlags): boolean =>
  off || until !== null || checks.length > 0 || acceptRed.length > 0;

/** Null: there is nothing to note. `without`: files that are no content. */
export async function proofAtStart(
  project: Project,
  flags: ProofFlags,
  without: readonly string[],
): Promise<ProofAtStart | null> {
  const { config, env } = project;
  const isThere =
    Object.keys(config.project.checks ?? {}).length > 0 ||
    config.protect.paths.length > 0 ||
    isProofAsked(flags) ||
    hasUserRecord(env, 'trust');
  if (!isThere) return null;
  const { noteProof } = await import('./start.ts');
  return noteProof(project, flags, without);
}

/** Under the lock, after the run was claimed and before its state is there. */
export function writeProofNotes({ root }: Project, name: string, proof: ProofNotes): void {
  writeSidecar(root, { ...readSidecar(root, name), proof });
}
