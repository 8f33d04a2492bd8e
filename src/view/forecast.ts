// How much is still to come at this pace: what the run's own bound and its budget leave, times what one took (pure).

import type { Forecast, Progress } from './model.ts';
import { describeSpan } from './times.ts';

/**
 * `times`: when the last ones were in which something moved, the oldest first: two make a pace. `iterationsLeft`: by the
 * budget; null: that does not tell. Null: it is too early to say.
 */
export function forecastOf(
  progress: Progress | null,
  iterationsLeft: number | null,
  times: readonly number[],
): Forecast | null {
  const own = progress === null || progress.of === null ? null : Math.max(0, progress.of - progress.at);
  const bounds = [own, iterationsLeft].filter((each) => each !== null);
  if (bounds.length === 0 || times.length < 2) return null;
  const more = Math.min(...bounds);
  const unit = progress?.unit ?? 'iteration';
  const pace = paceOf(times);
  const milliseconds = pace === null ? null : Math.round(more * pace);
  const about = milliseconds === null || more === 0 ? '' : `, about ${describeSpan(milliseconds)}`;
  return {
    more,
    unit,
    milliseconds,
    text: `at this pace at most ${more} more ${more === 1 ? unit : `${unit}s`}${about}`,
  };
}

const OF_THE_LAST = 10;

/** Milliseconds from one to the next; the middle one, so that a night's wait between two does not count. */
function paceOf(times: readonly number[]): number | null {
  const last = times.slice(-OF_THE_LAST - 1);
  const spans = last.slice(1).map((time, index) => time - (last[index] ?? time));
  const sorted = spans.filter((span) => span > 0).sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
