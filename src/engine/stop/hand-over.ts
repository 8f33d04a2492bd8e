// In a session that `holdfast run --fresh` started, a hold is handed over to the next session: it is decided, counted
// and journalled as any other, its text is written down with it, and the session is let go.

import { DRIVER_VARIABLE } from '../../store/environment.ts';
import type { Sidecar } from '../../store/records.ts';
import { runName, type StopContext } from '../context.ts';
import type { RunHere } from './find-runs.ts';
import type { Turn } from './turn.ts';

/** Another run of the same session would be left behind, so that its holds are answered as usual. */
export async function noteHandingOver(context: StopContext, runs: readonly RunHere[]): Promise<StopContext> {
  const [only, ...others] = runs;
  if (!(DRIVER_VARIABLE in context.project.env) || only === undefined || others.length > 0) return context;
  const { tokenOfSession } = await import('../driver/token.ts');
  const token = tokenOfSession(context.project, context.stop.session);
  const name = runName(only.workflow.name, only.run);
  if (!token?.fresh || (token.run !== null && token.run !== name)) return context;
  return { ...context, handsOver: true };
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
