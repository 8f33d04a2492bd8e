// Brings a run's budget up to this stop: the tokens of its session, the time, a review that ended. One record is
// written, as a whole: a hook that dies before has counted nothing, one that dies after has counted it once.

import { clientNamed } from '../../clients/index.ts';
import { readSmall } from '../../store/read-small.ts';
import type { ReviewAttempt, Sidecar } from '../../store/records.ts';
import { readSession } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';
import { outputFiles, reviewIn } from '../work/attempt.ts';
import { type CountedReview, type Metered, metered } from './changes.ts';
import { hasBudget } from './place.ts';
import { readUsage } from './read-usage.ts';
import { changeBudget, readBudget } from './record.ts';
import type { Budget, Meter } from './types.ts';

/** `isHeld`: whether what is used from now on is this run's; false where another run of the session holds the agent. */
export async function meter(
  known: Budget,
  sidecar: Sidecar,
  context: StopContext,
  isHeld: boolean,
): Promise<Budget> {
  const { project } = context;
  const usage = await usageUpToNow(known, sidecar, context, isHeld);
  const review = await reviewThatEnded(known, sidecar, context);
  const next = changeBudget(project, known.run, (there) =>
    there === null ? null : metered(there, { now: project.now, usage, review }),
  );
  return next ?? known;
}

/** What a paused run's session uses is not the run's. */
async function usageUpToNow(
  known: Budget,
  { takenOver }: Sidecar,
  { stop, project }: StopContext,
  isHeld: boolean,
): Promise<Metered['usage']> {
  const { session } = stop;
  if (known.limits.tokens === null || known.stage === 'paused' || session === null) return null;
  const reader = await clientNamed(stop.client).usage?.();
  if (reader === undefined) return null;
  const { meter: before, clock, startedAt } = known;
  const isSame = before.session === session;
  const from = before.session === null ? startedAt : Math.min(takenOver ?? clock.at, project.now);
  const start: Meter = isSame
    ? before
    : {
        ...before,
        ...{ session, files: {}, since: Math.max(startedAt, from) },
        isHeld: !isAnotherHeld(known, session, project),
      };
  const { after, used } = readUsage(start, { stop, reader, since: clock.at });
  return { before, after: { ...after, isHeld }, used };
}

/** Before this run came to the session, was another one of it the one held? Then that one counts what was used. */
function isAnotherHeld(known: Budget, session: string, project: StopContext['project']): boolean {
  const others = readSession(project.root, session)?.runs ?? [];
  return others.some((name) => {
    if (name === known.run || !hasBudget(project, name)) return false;
    const other = readBudget(project, name);
    return other?.meter.session === session && other.meter.isHeld && other.stage !== 'paused';
  });
}

/** One without a verdict is no review, but what it cost is spent. */
async function reviewThatEnded(
  known: Budget,
  sidecar: Sidecar,
  { project, runtime }: StopContext,
): Promise<CountedReview | null> {
  const attempt = reviewIn(sidecar);
  if (attempt?.status !== 'done' || known.reviewed.includes(attempt.id)) return null;
  const reviewer = await runtime.findReviewer(attempt.reviewer);
  const spend = reviewer.readSpend?.(readSmall(outputFiles(project, attempt.id).stdout)) ?? null;
  const { input = 0, cacheCreation = 0, output = 0, cacheRead = 0 } = spend?.tokens ?? {};
  return {
    key: attempt.id,
    counts: hasVerdict(attempt),
    tokens: input + cacheCreation + output,
    ...{ cacheRead, usd: spend?.usd ?? 0 },
  };
}

function hasVerdict({ verdict }: ReviewAttempt): boolean {
  return verdict === 'clean' || verdict === 'findings';
}
