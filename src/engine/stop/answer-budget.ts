// How a spent budget is answered: by the last hold, then by the pause.

import type { Answer } from '../../clients/stop.ts';
import type { AskedBudget } from '../budget/at-stop.ts';
import { type GuardResult, UNCOUNTED } from '../guard/progress.ts';
import { withPause } from '../waiting/on-record.ts';
import {
  type AnyStep,
  allowUnstepped,
  answered,
  type Decided,
  formOf,
  nothingWritten,
  ofSession,
} from './answer-run.ts';
import type { Turn } from './turn.ts';

/** In place of what is due. The state stays as it is, and a verdict that is paid for is kept. */
export function holdLast(decided: Decided, step: AnyStep, guard: GuardResult, spent: AskedBudget): Turn {
  const { context, ended, budget } = decided;
  const reason = budget?.lastHold(spent.due) ?? '';
  const answer: Answer = { kind: 'hold', reason, notice: null, ...formOf(context) };
  const memory = guard.kind === 'hold' ? guard.memory : null;
  const writes = {
    ...nothingWritten(decided),
    memory: ofSession(context.stop.session, memory),
    held: true,
    ...(ended === null ? {} : { keepsVerdict: true as const }),
  };
  return answered(decided, step, guard, { answer, writes, ended: null, spent });
}

/** The agent may stop. Said once: at the stop that pauses the run. */
export function pauseRun(decided: Decided, step: AnyStep, spent: AskedBudget): Turn {
  const { context, ended, budget, sidecar } = decided;
  const keepsVerdict = ended !== null;
  if (spent.answer !== 'pause') return allowUnstepped(decided, step, UNCOUNTED, { keepsVerdict, spent });
  const { now } = context.project;
  const paused = { ...decided, sidecar: withPause(sidecar, now, now), noted: true };
  const notice = budget?.paused() ?? '';
  return allowUnstepped(paused, step, UNCOUNTED, { notice, ended: 'paused', keepsVerdict, spent });
}
