// How long a review may take at this stop: what the config allows, but never so long that the client would end the
// hook first. A review that is killed half-way was paid for in vain.

import type { Stop } from '../clients/stop.ts';
import type { Project } from './project.ts';

/** Fired by hand: nobody ends the hook but the person, and the hooks file's own limit is as good as any. */
const BY_HAND_S = 7200;
/** To end the reviewer, read its verdict and commit it. */
const RESERVE_S = 60;
/** No reviewer is done sooner, so none is started for less. */
const LEAST_S = 60;

/** Milliseconds from the stop's start; 0: none may be started here. */
export function reviewTimeMs({ limitS = BY_HAND_S }: Stop, project: Project): number {
  const leftS = limitS - RESERVE_S;
  return leftS < LEAST_S ? 0 : Math.min(project.config.review.timeoutMs, leftS * 1000);
}
