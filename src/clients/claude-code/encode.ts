// How Claude Code is answered. A hold is said as feedback where this version is known to hold for it: in 2.1.325 a
// block shows as an error and reaches the model twice, feedback shows as what it is and comes once.

import type { Environment } from '../../store/environment.ts';
import { encodeAnswer, wellFormed } from '../encode.ts';
import type { Answer, Encoded, Stop } from '../stop.ts';

/** Of a longer one the model gets a preview only. In UTF-16 units, as the client counts. */
const FEEDBACK_AT_MOST = 10_000;

/** Feedback holds since this version; an older one lets the agent go, even with a block beside it. */
const FEEDBACK_SINCE = [2, 1, 163] as const;

export function encode(answer: Answer, stop: Stop, env: Environment): Encoded {
  if (answer.kind !== 'hold' || answer.as !== 'feedback') return encodeAnswer(answer);
  const additionalContext = wellFormed(answer.reason);
  const isTaken = stop.turn !== null && knowsFeedback(env.AI_AGENT ?? '');
  if (!isTaken || additionalContext.length > FEEDBACK_AT_MOST) return encodeAnswer(answer);
  const fields = {
    hookSpecificOutput: { hookEventName: 'Stop', additionalContext },
    ...(answer.notice ? { systemMessage: wellFormed(answer.notice) } : {}),
  };
  return { stdout: `${JSON.stringify(fields)}\n`, stderr: '', exitCode: 0 };
}

/** Hooks have `_harness`; `_agent` was inherited from the shell of an agent around this client, whose version it is. */
function knowsFeedback(agent: string): boolean {
  const version = /^claude-code_(\d+)-(\d+)-(\d+)_harness$/.exec(agent)?.slice(1).map(Number);
  if (version === undefined) return false;
  for (const [at, since] of FEEDBACK_SINCE.entries()) {
    const part = version[at] ?? 0;
    if (part !== since) return part > since;
  }
  return true;
}
