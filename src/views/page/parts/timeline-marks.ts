// Which marks the timeline has: a stop each, or, where there is no room for each, those that lie together.

import type { StopKind, StopView } from '../../../view/model.ts';

export const LANES: readonly { kind: StopKind; name: string; always: boolean }[] = [
  { kind: 'held', name: 'held', always: true },
  { kind: 'allowed', name: 'allowed', always: true },
  { kind: 'waits', name: 'waits', always: false },
  { kind: 'let-go', name: 'let go', always: false },
  { kind: 'failed', name: 'failed', always: false },
];

export type Mark = {
  key: string;
  /** The newest of those that lie together. */
  stop: StopView;
  count: number;
  /** Where it stands in time. */
  from: number;
};

/** No two of a row may be closer than this, in pixels. */
const APART = 9;

/** `stops`: the newest first. Answers with the oldest first. */
export function gather(stops: readonly StopView[], width: number): Mark[] {
  const newest = stops[0]?.at ?? 0;
  const oldest = stops.at(-1)?.at ?? 0;
  const perPixel = Math.max(1, newest - oldest) / Math.max(1, width);
  const lastOf = new Map<StopKind, Mark>();
  const marks: Mark[] = [];
  for (const stop of [...stops].reverse()) {
    const before = lastOf.get(stop.kind);
    if (before !== undefined && stop.at - before.from < APART * perPixel) {
      before.stop = stop;
      before.count += 1;
      continue;
    }
    const { segment, offset } = stop.position;
    const mark = { key: `${segment}-${offset}`, stop, count: 1, from: stop.at };
    lastOf.set(stop.kind, mark);
    marks.push(mark);
  }
  return marks;
}
