// What comes next when the client has ended its turn or itself, row by row of the table in docs/contracts/unattended.md.
// Pure. A run that is over is never started again; a limit costs no try; every row of tries without progress ends.

import type { Trouble } from '../clients/headless.ts';
import { LONGEST_WAIT } from './clock.ts';
import {
  type Counts,
  type EndCode,
  type Next,
  NO_COUNTS,
  type Say,
  type Situation,
  type Stand,
  type Why,
} from './types.ts';

/** Most tries in a row without progress, beside the first: the third crash in a row is the last. */
export const MOST: Most = {
  ...{ crashes: 2, errors: 10, limits: 200, prompts: 3 },
  ...{ overflows: 2, handed: 20, toolsAlone: 12 },
};

/** A model of all ways needs only a few of each. */
export type Most = Readonly<
  Record<'crashes' | 'errors' | 'limits' | 'prompts' | 'overflows' | 'handed' | 'toolsAlone', number>
>;

/** Refused tool calls after which it is the permissions that are in the way. */
export const MANY_DENIED = 3;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A reset to the second is too early by the other side's clock. */
const AFTER_RESET = 5 * SECOND;

export function judge(situation: Situation, most: Most = MOST): Next {
  const counts = countedBack(situation, most);
  const at = { ...situation, counts, most };
  const { stand } = at;
  switch (stand.kind) {
    case 'over':
      return judgeOver(stand);
    case 'shed':
      return finish(5, 'cancelled-by-agent');
    case 'paused':
      return finish(7, 'paused');
    case 'question':
      return finish(6, 'question');
    case 'person':
      return finish(6, 'person');
    case 'taken-over':
      return finish(6, 'taken-over');
    case 'released':
      return judgeReleased(at);
    case 'goes-on':
      if (stand.reached !== null && stand.reached === at.stopAt) return finish(0, 'stop-at');
      return judgeActive(at, 'continue');
    case 'handed-over':
      return judgeHandedOver(at);
    case 'waits':
      return judgeWaiting(at, stand);
    case 'none':
    case 'active':
    case 'stale':
      return judgeActive(at, 'go-on');
  }
}

type Judged = Situation & { most: Most };

/** What moved ends every row; tool calls alone do so a few times, as they do for the guard. */
function countedBack({ counts, progress }: Situation, most: Most): Counts {
  const { persisted, toolsAlone } = counts;
  if (progress === 'state') return { ...NO_COUNTS, persisted };
  if (progress === 'none' || toolsAlone >= most.toolsAlone) return counts;
  return { ...NO_COUNTS, persisted, toolsAlone: toolsAlone + 1 };
}

function judgeOver({ outcome, worth }: Extract<Stand, { kind: 'over' }>): Next {
  if (outcome === null) return finish(5, 'unknown-end');
  if (outcome !== 'completed') return finish(5, outcome);
  return worth === 'unproven' ? finish(4, 'unproven') : finish(0, 'completed');
}

function judgeReleased({ counts, persist, denied }: Situation): Next {
  if (denied >= MANY_DENIED) return finish(6, 'denied');
  if (counts.persisted >= persist) return finish(5, 'released');
  const next = { ...NO_COUNTS, persisted: counts.persisted + 1 };
  return { kind: 'go', session: 'new', at: null, say: 'new-session', counts: next };
}

/** The guard bounds holds before they are handed over; this one is for a hook that does not. */
function judgeHandedOver(at: Judged): Next {
  const { end, counts } = at;
  if (end.trouble !== null || end.how === 'never') return inNewSession(judgeActive(at, 'handed-over'));
  if (counts.handed >= at.most.handed) return finish(5, 'handed');
  const next = { ...counts, handed: counts.handed + 1 };
  return { kind: 'go', session: 'new', at: null, say: 'handed-over', counts: next };
}

/** The session that handed over is done with it. */
function inNewSession(next: Next): Next {
  return next.kind === 'go' ? { ...next, session: 'new', say: 'handed-over' } : next;
}

/** The client's own words on what ended the turn come first: the run's notes may be of an earlier one. */
function judgeWaiting(at: Judged, wait: Extract<Stand, { kind: 'waits' }>): Next {
  const { end } = at;
  if (end.trouble !== null || end.how === 'never') return judgeActive(at, 'go-on');
  switch (wait.for) {
    case 'work':
      return end.how === 'turn' ? { kind: 'listen' } : judgeActive(at, 'go-on');
    case 'limit':
      return afterLimit(at, wait.until);
    case 'prompt':
      return judgeActive(at, 'go-on');
  }
}

/** The run wants to go on, and the client has stopped. `say`: what it is told where nothing was wrong with it. */
function judgeActive(at: Judged, say: Say): Next {
  const { end, denied } = at;
  if (end.trouble !== null) return afterTrouble(at, end.trouble, say);
  switch (end.how) {
    case 'turn':
      if (denied >= MANY_DENIED && at.progress !== 'state') return finish(6, 'denied');
      return again(at, 'prompts', say);
    case 'ended':
    case 'silent':
    case 'never':
    case 'shed':
      return afterCrash(at, say);
  }
}

/** One that did not even begin could not be started, whatever it said of it. */
function afterCrash(at: Judged, say: Say): Next {
  if (at.end.how === 'never' && at.counts.crashes >= at.most.crashes) return finish(1, 'never-began');
  return again(at, 'crashes', say === 'go-on' ? 'after-crash' : say);
}

function afterTrouble(at: Judged, trouble: Trouble, say: Say): Next {
  const { counts, now } = at;
  switch (trouble.what) {
    case 'limit':
      return afterLimit(at, trouble.resetsAt);
    case 'network':
    case 'server': {
      const wait = Math.min(10 * MINUTE, 15 * SECOND * 2 ** counts.errors);
      return again(at, 'errors', say === 'go-on' ? 'after-error' : say, now + wait);
    }
    case 'context':
      if (counts.overflows >= at.most.overflows) return finish(5, 'overflows');
      return {
        kind: 'go',
        session: counts.overflows === 0 ? 'same' : 'new',
        at: null,
        say: counts.overflows === 0 ? 'compact' : 'new-session',
        counts: { ...counts, overflows: counts.overflows + 1 },
      };
    case 'login':
      return finish(6, 'login');
    case 'billing':
      return finish(6, 'billing');
    case 'refused':
    case 'unknown':
      return afterCrash(at, say);
  }
}

/** Costs none of the other tries, and is itself bounded by a week of waits without any progress. */
function afterLimit({ counts, now, most }: Judged, resetsAt: number | null): Next {
  if (counts.limits >= most.limits) return finish(5, 'limits');
  const unknown = Math.min(60 * MINUTE, 5 * MINUTE * 2 ** counts.limits);
  // One that should be over, and is not, is as good as unknown.
  const isKnown = resetsAt !== null && resetsAt > now;
  const at = isKnown ? Math.min(resetsAt + AFTER_RESET, now + LONGEST_WAIT) : now + unknown;
  const next = { ...counts, limits: counts.limits + 1 };
  return { kind: 'go', session: 'same', at, say: 'after-limit', counts: next };
}

function again(
  { counts, most }: Judged,
  row: 'crashes' | 'errors' | 'prompts',
  say: Say,
  at: number | null = null,
): Next {
  if (counts[row] >= most[row]) return finish(5, row);
  return { kind: 'go', session: 'same', at, say, counts: { ...counts, [row]: counts[row] + 1 } };
}

const finish = (code: EndCode, why: Why): Next => ({ kind: 'finish', code, why });
