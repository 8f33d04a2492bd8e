// Brings a run's budget up to this stop: the tokens of its session, the time, a review that ended. One record is
// written, as a whole: a hook that dies before has counted nothing, one that dies after has counted it once.

import { clientNamed } from '../../clients/index.ts';
import type { ReviewAttempt, Sidecar } from '../../store/records.ts';
import { readSession } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';
import type { ReviewReport } from '../work/report.ts';
import { spendOf } from '../work/report-of.ts';
import { type CountedReview, type Metered, metered } from './changes.ts';
import { hasBudget } from './place.ts';
import { readUsage } from './read-usage.ts';
import { readWork } from './read-work.ts';
import { changeBudget, readBudget } from './record.ts';
import type { Budget, Meter } from './types.ts';

export type ToMeter = {
  known: Budget;
  sidecar: Sidecar;
  /** A finished review, and what it says that it cost. */
  finished: ReviewAttempt | null;
  report: ReviewReport | null;
  /** Whether what is used from now on is this run's; false where another run of the session holds the agent. */
  isHeld: boolean;
};

export async function meter(what: ToMeter, context: StopContext): Promise<Budget> {
  const { known, isHeld } = what;
  const { project } = context;
  const sidecar = asDriven(what, context);
  const usage = await usageUpToNow(known, sidecar, context, isHeld);
  const review = reviewThatEnded(what);
  const mostOpen = project.config.wait.workMs;
  // A paused run's session works for nobody but its user.
  const work =
    known.stage === 'paused' ? {} : { work: { ...(await readWork(known, sidecar, context)), mostOpen } };
  const next = changeBudget(project, known.run, (there) =>
    there === null ? null : metered(there, { now: project.now, usage, review, ...work }),
  );
  return next ?? known;
}

/**
 * In a session that the driver started all is this run's from its client's start on. The driver noted that where no agent
 * writes; since when a session has a run stands in the project.
 */
function asDriven({ known, sidecar }: ToMeter, { driven }: StopContext): Sidecar {
  if (driven !== known.run) return sidecar;
  const { at, marks = [] } = known.clock;
  const begun = marks.find((mark) => mark.kind === 'begins' && mark.at > at)?.at ?? at;
  return { ...sidecar, takenOver: Math.min(sidecar.takenOver ?? at, begun) };
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
  const { after, used } = readUsage(start, { stop, reader, now: project.now });
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
function reviewThatEnded({ finished, report }: ToMeter): CountedReview | null {
  if (finished === null) return null;
  const spend = spendOf(finished, report);
  const { input = 0, cacheCreation = 0, output = 0, cacheRead = 0 } = spend?.tokens ?? {};
  return {
    key: finished.id,
    counts: finished.verdict === 'clean' || finished.verdict === 'findings',
    tokens: input + cacheCreation + output,
    ...{ cacheRead, usd: spend?.usd ?? 0 },
  };
}
