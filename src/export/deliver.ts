// Brings one request to the collector: again after a pause where it says later, longer each time. Bounded where somebody
// waits for the end; for as long as it takes where the exporter follows.

import type { Answer } from './send.ts';

export type Patience = {
  /** How often it is tried; a follower tries for ever. */
  tries: number;
  /** The pause before the second try; each further one is twice as long. */
  firstMs: number;
  mostMs: number;
  /** As long as that it lets the collector say when to come again. */
  mostAskedMs: number;
};

/** With seven tries half a minute at most, but for what the collector itself asks for. */
export const PATIENCE: Omit<Patience, 'tries'> = { firstMs: 500, mostMs: 30_000, mostAskedMs: 30_000 };
export const ENDLESS: Patience = { ...PATIENCE, tries: Number.POSITIVE_INFINITY, mostAskedMs: 300_000 };

export type Delivery = Exclude<Answer, { kind: 'later' }> | { kind: 'given-up'; why: string };

/** `pause` resolves to false where the wait was cut short: nothing more is tried then. `waits` hears of every pause. */
export async function deliver(
  attempt: () => Promise<Answer>,
  { tries, firstMs, mostMs, mostAskedMs }: Patience,
  pause: (ms: number) => Promise<boolean>,
  waits: (why: string, ms: number) => void,
): Promise<Delivery> {
  for (let tried = 1; ; tried++) {
    const answer = await attempt();
    if (answer.kind !== 'later') return answer;
    if (tried >= tries) return { kind: 'given-up', why: answer.why };
    // Uneven, so that many machines do not all come back at once.
    const usual = Math.min(mostMs, firstMs * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);
    const ms = Math.round(Math.max(usual, Math.min(answer.afterMs ?? 0, mostAskedMs)));
    waits(answer.why, ms);
    if (!(await pause(ms))) return { kind: 'given-up', why: answer.why };
  }
}
