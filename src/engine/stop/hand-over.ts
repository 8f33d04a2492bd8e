// In a session that `holdfast run --fresh` started, a hold is handed over to the next session: it is decided, counted
// and journalled as any other, its text is written down with it, and the session is let go.

import { DRIVER_VARIABLE } from '../../store/environment.ts';
import type { Sidecar } from '../../store/records.ts';
import { hasBudget } from '../budget/place.ts';
import { runName, type StopContext } from '../context.ts';
import type { RunHere } from './find-runs.ts';
import type { Turn } from './turn.ts';

/** What the driver wants of this session. Asked where its variable is alone. */
export async function noteDriver(context: StopContext, runs: readonly RunHere[]): Promise<StopContext> {
  const { project, stop } = context;
  if (!(DRIVER_VARIABLE in project.env) || runs.length === 0) return context;
  const { tokenOfSession } = await import('../driver/token.ts');
  const token = tokenOfSession(project, stop.session);
  if (token === null) return context;
  const { run, fresh } = token;
  const isBounded = run !== null && (project.config.budget !== null || hasBudget(project, run));
  return {
    ...context,
    ...(isBounded ? { driven: run } : {}),
    ...(fresh && isAlone(runs, run) ? { handsOver: true as const } : {}),
  };
}

/** Another run of the same session would be left behind, so that its holds are answered as usual. */
function isAlone([only, ...others]: readonly RunHere[], run: string | null): boolean {
  if (only === undefined || others.length > 0) return false;
  return run === null || run === runName(only.workflow.name, only.run);
}

/** Called before what the turn wants written is written. */
export function handOver(turn: Turn, { stop, handsOver }: StopContext): Turn {
  if (turn.kind !== 'answer' || turn.served.answer.kind !== 'hold') return turn;
  const { served, writes } = turn;
  const withText = (handover: Sidecar['handover']) => ({
    ...writes,
    sidecar: { ...writes.sidecar, handover },
  });
  if (handsOver && stop.session !== null) {
    const text = turn.served.answer.reason;
    return {
      ...turn,
      served: { ...served, handedOver: true },
      writes: withText({ session: stop.session, text }),
    };
  }
  // This session is held as usual: what it was given at its start is behind it.
  return writes.sidecar.handover === undefined ? turn : { ...turn, writes: withText(undefined) };
}
