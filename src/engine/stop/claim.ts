// A claim at a stop: what a turn knows of it, and what a decision and the run's notes make of that. Pure but for one
// question whether the run has checks at all; everything else about proof is loaded when it has (engine/proof/prove.ts).

import type { Json, JsonObject } from '../../store/json.ts';
import type { Sidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { isAsked, NO_UNTIL, UNASKED } from '../proof/asked.ts';
import type { CheckFact, Proof } from '../proof/types.ts';
import type { AskedFacts, EngineFacts, ProofFacts, ReviewOutcome, Step } from '../step.ts';
import type { AnyWorkflow, ReviewCall } from '../workflow.ts';
import type { Fetched } from './turn.ts';

/** Of the one check a frame waits for, only what was asked in this very state: another may have come on top. */
export function factsOfProof(
  { claims }: AnyWorkflow,
  { claim, until, checks }: Fetched,
  state: string,
): ProofFacts & AskedFacts {
  if (!claims) return NOT_CLAIMING;
  const named = checks.map(
    ({ name, proved }) => [name, proved.proof.checks[0] ?? notOfThisRun(name)] as const,
  );
  return {
    proof: claim?.proof ?? null,
    until: until?.state === state ? until.proved.proof : null,
    ...(named.length === 0 ? {} : { checks: Object.fromEntries(named) }),
  };
}

/** One that the run does not have is one that nobody trusted for it. */
const notOfThisRun = (name: string): CheckFact => ({
  ...{ name, end: 'untrusted', code: null, milliseconds: null, from: null },
});

const NOT_CLAIMING: ProofFacts = { proof: UNASKED, until: NO_UNTIL };

/** The sidecar with what this stop learned about proof. */
export function withNotes(sidecar: Sidecar, { pinned, claim, until, checks }: Fetched): Sidecar {
  const proof = claim?.notes ?? until?.proved.notes ?? checks.at(-1)?.proved.notes ?? pinned?.notes ?? null;
  return proof === null ? sidecar : { ...sidecar, proof };
}

type Known = JsonObject & EngineFacts;

/** Where the run has no checks the claim stands as it is, at once. */
export function decideClaim(
  workflow: AnyWorkflow,
  state: Json,
  facts: Known,
  sidecar: Sidecar,
  project: Project,
  name: string,
): { step: Step<Json>; facts: Known } {
  const step = workflow.decide(state, facts);
  if (step.kind !== 'prove' || step.check !== undefined || isAsked(sidecar, project, name))
    return { step, facts };
  const unasked = { ...facts, ...NOT_CLAIMING };
  return { step: workflow.decide(state, unasked), facts: unasked };
}

/** In a row, over the whole run: it ends here, whatever moved. */
export function isRefusedTooOften(proof: Proof | null | undefined): boolean {
  return proof?.why.includes('refused-too-often') === true;
}

/** A reviewer is to look at protected files that changed. */
export function withWhatChanged(call: ReviewCall, { claim }: Fetched): ReviewCall {
  const changed = claim?.said.reviewer ?? null;
  return changed === null ? call : { ...call, prompt: `${call.prompt}\n\n${changed}` };
}

/**
 * As the journal holds them: that nothing was asked goes without saying, so that a run without checks leaves the lines it
 * always left. A step that waits for a proof says that there was none yet.
 */
export function factsToRecord(facts: JsonObject, step: Step<Json>): JsonObject {
  if (step.kind === 'prove') return facts;
  const { proof, until, ...rest } = facts as JsonObject & Partial<ProofFacts> & Partial<ReviewOutcome>;
  return {
    ...rest,
    ...(proof === null || proof === UNASKED ? {} : { proof }),
    ...(until === null || until === NO_UNTIL ? {} : { until }),
  } as JsonObject;
}
