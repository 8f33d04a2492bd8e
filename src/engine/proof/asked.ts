// Were checks asked for in this run? The one part of proof that every stop of a workflow with claims has loaded, so it
// asks as little as it can: a claim of a run without checks costs one question whether a file is there.

import type { ProofNotes, Sidecar } from '../../store/records.ts';
import { hasUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { hasPin } from './pin-place.ts';
import type { Proof } from './types.ts';

/** The run has no checks: the agent's word is all there is. */
export const UNASKED: Proof = {
  claim: 'stands',
  worth: 'unasked',
  why: [],
  checks: [],
  protectedChanged: 0,
};

/** A frame names a check that the run does not have: it goes on until its signal or its limit. */
export const NO_UNTIL: Proof = { ...UNASKED, claim: 'refused' };

/** Somebody who trusts checks may trust some of this repository, whatever an agent left of our notes: prove looks. */
export function isAsked(sidecar: Sidecar, project: Project, name: string): boolean {
  return sidecar.proof !== undefined || hasPin(project, name) || hasUserRecord(project.env, 'trust');
}

/** In the user's state folder: records of checks that run, of any project (check-record.ts). It goes with the last one. */
export const CHECKING = 'checking';

export const isAnyChecking = ({ env }: Pick<Project, 'env'>): boolean => hasUserRecord(env, CHECKING);

/** At a run's first stop, or where its start noted something: is there anything to pin? */
export function mayBePinned({ proof, committed }: Sidecar, { config, env }: Project): boolean {
  if (proof !== undefined) return !proof.pinned;
  if (committed !== null) return false;
  return config.checks.length > 0 || config.protect.paths.length > 0 || hasUserRecord(env, 'trust');
}

/** Of a run whose start noted nothing. */
export const NO_NOTES: ProofNotes = {
  asked: { checks: null, off: false },
  definitions: '',
  content: null,
  pinned: false,
  refusals: 0,
  cannotRunSaid: false,
  protectedSaid: false,
};
