// How a run stands, from everything that is known of it (pure); and what is wanted of a person.

import type { DrivenStand, StopAt } from '../engine/driven.ts';
import { isUnshown } from '../engine/waiting/wait.ts';
import type { Sidecar, Waiting } from '../store/records.ts';
import { shownWord } from '../text/quoted.ts';
import type { BudgetView, ProofView, WaitingView } from './model.ts';
import { endFrom, type RecordedEnd, type RunEnd, type Standing } from './run-state.ts';

export type KnownOfRun = {
  name: string;
  /** By its own files, its session can be held. Null: it has none, and only the journal knows of it. */
  live: boolean | null;
  /** What its workflow says; null: nothing beside that. */
  stand: DrivenStand | null;
  sidecar: Sidecar;
  /** The last word of the journal on it, where that is an end. */
  recorded: RecordedEnd | null;
  /** How the workflow's own files say that it ended. */
  own: RecordedEnd | null;
  /** `holdfast run` drives it, has ended with it in this way, or (null) neither. */
  drive: 'on' | { ended: string } | null;
  stops: number;
  /** On record, and not over. */
  wait: Waiting | null;
  waiting: WaitingView | null;
  budget: BudgetView | null;
  proof: Pick<ProofView, 'untrusted' | 'off'> | null;
  /** Why its state or its notes cannot be read, with what to do. */
  unreadable: string | null;
  /** What is typed in its session to start its next stage; null: plain words do. */
  goOn: string | null;
};

export type KnownStanding = Standing & {
  /** What is wanted of a person, in a sentence or two with the command; null: nothing. */
  needs: string | null;
};

export function standingOf(run: KnownOfRun): KnownStanding {
  if (run.unreadable !== null) return { status: 'needs-you', end: null, needs: run.unreadable };
  const end = endOf(run);
  if (end !== null) return { status: 'ended', end, needs: null };
  const { stand, budget, drive, waiting, wait } = run;
  const goOn = `\`holdfast resume ${shownWord(run.name)}\``;
  if (budget?.stage === 'paused') return { status: 'paused', end: null, needs: budget.text };
  if (stand?.kind === 'stale')
    return going('paused', `It went stale: nothing moved for hours. To go on: ${goOn}`);
  const wanted = wantedOf(run);
  if (wanted !== null) return going('needs-you', wanted);
  if (drive !== null && drive !== 'on')
    return going(
      'paused',
      `\`holdfast run\` ended (${drive.ended}), and nothing drives it. To go on: ${goOn}`,
    );
  if (stand?.kind === 'goes-on' && stand.reached !== null && drive !== 'on')
    return going('your-turn', nextStage(run, stand.reached));
  if (wait === null && run.sidecar.sessions.length === 0 && run.stops === 0 && drive === null)
    return going('not-started', null);
  return going(waiting !== null || wait !== null ? 'waiting' : 'running', null);
}

const going = (status: Standing['status'], needs: string | null): KnownStanding => ({
  ...{ status, needs },
  end: null,
});

/**
 * The journal's last word goes first where it says that a person or a stop took the run from its session: its own files
 * may stay as they were.
 */
function endOf({ live, stand, sidecar, recorded, own }: KnownOfRun): RunEnd | null {
  const isTaken = recorded?.outcome === 'cancelled' || recorded?.outcome === 'released';
  if (recorded !== null && isTaken) return endFrom(recorded);
  if (live === true && Object.values(sidecar.guard).some((memory) => memory.released))
    return endFrom({ outcome: 'released', at: null, worth: null, why: [] });
  if (live === true || stand?.kind === 'stale') return null;
  const end = recorded?.outcome == null ? (own ?? recorded) : recorded;
  if (end !== null) return endFrom(end);
  return endFrom({ outcome: null, at: null, worth: null, why: [] });
}

/** A question, a decision, a login. */
function wantedOf({ stand, wait, waiting, proof, drive }: KnownOfRun): string | null {
  // One that is still to be shown by its session's next stop is for no one yet.
  if (wait?.for === 'person' && !isUnshown(wait)) return waiting?.text ?? null;
  if (wait?.for === 'limit' && /^(authentication_failed|billing_error)$/.test(wait.what))
    return waiting?.text ?? null;
  if (stand?.kind === 'person' && drive !== 'on') return stand.why;
  const [check] = proof?.untrusted ?? [];
  if (check !== undefined && proof?.off === false)
    return `Its check "${check}" is not trusted, so what it claims stays unproven: look at it with \`holdfast trust\`.`;
  return null;
}

/** The session may be at it already: nothing tells from outside. */
function nextStage({ goOn }: KnownOfRun, reached: StopAt): string {
  const passed = { plan: 'The plan has', tasks: 'The tasks have', task: 'The task has' }[reached];
  return `${passed} passed review, and a person starts what follows: unless it goes on already, type ${goOn === null ? '"go on"' : `\`${goOn}\``} in its session.`;
}
