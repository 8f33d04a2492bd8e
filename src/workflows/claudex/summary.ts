// How a loop went, honestly: a round that nobody reviewed is called so.

import { explainExit } from './exit-codes.ts';
import { type Counts, describeCounts } from './findings.ts';
import type { World } from './observe.ts';
import { personaOf } from './personas.ts';
import { readExitCode } from './review-progress.ts';

type Rounds = Pick<World, 'loop' | 'maxRounds' | 'rounds'>;
type RoundsOnDisk = Rounds & Pick<World, 'dir' | 'files' | 'reviewer'>;

/** More lines than this help nobody, and a hold must stay short. */
const MOST_LINES = 20;

export function roundsTable(world: RoundsOnDisk): string {
  const { loop, maxRounds } = world;
  const last = Math.min(loop.round, maxRounds);
  const first = Math.max(1, last - MOST_LINES + 1);
  const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index).map(
    (round) => `- Round ${round} (${personaOf(round).label}): ${describeRound(world, round)}`,
  );
  return (first > 1 ? [`- Rounds 1 to ${first - 1}: see their findings files`, ...lines] : lines).join('\n');
}

/** What a round found; of one that was not reviewed, how its runner ended, if it was ever started. */
export function describeRound({ rounds, dir, files, reviewer }: RoundsOnDisk, round: number): string {
  const counts: Counts | undefined = rounds.get(round);
  if (counts !== undefined) return describeCounts(counts);
  const code = readExitCode(dir, files, round);
  return code === null ? 'not reviewed' : `not reviewed (${explainExit(code, reviewer)})`;
}

/** Null: none of the loop's rounds was reviewed. */
export function lastReviewed({ loop, maxRounds, rounds }: Rounds): number | null {
  const last = Math.min(loop.round, maxRounds);
  const reviewed = [...rounds.keys()].filter((round) => round <= last);
  return reviewed.length === 0 ? null : Math.max(...reviewed);
}

/** What may be said of a loop that the agent declared done. */
export function verdictOn({ loop, maxRounds, rounds }: Rounds): string {
  const last = Math.min(loop.round, maxRounds);
  const reviewed = [...rounds.keys()].filter((round) => round <= last);
  if (reviewed.length === 0)
    return 'No review ran in this loop: nobody but its author has examined the plan. Say so plainly.';
  if (!rounds.has(last))
    return `Round ${last} was not reviewed, so nobody has examined the plan since round ${Math.max(...reviewed)}. Say so plainly.`;
  if (reviewed.length < last)
    return `${last - reviewed.length} of the rounds were not reviewed. Say so plainly.`;
  return `The loop was declared done after the review of round ${last}.`;
}

export function elapsed(startedAtMs: number | null, now: number): string {
  if (startedAtMs === null) return 'unknown';
  const minutes = Math.max(0, Math.round((now - startedAtMs) / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Cut by code points, so that no character is torn. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text.slice(0, most * 2 + 2));
  return characters.length <= most ? text : `${characters.slice(0, most).join('')} …`;
}
