// How long a client lets the hook run, from what the packaging passes on (`--limit`). A review that outlasts it is
// killed half-way and paid for nothing, so where nobody knows the limit, none is started.

/** What both clients give a hook that names no time (Claude Code 2.1.197, Codex 0.166.0). */
const DEFAULT_S = 600;

export const ownLimit = (passed: number | null): number => passed ?? DEFAULT_S;

/** Without one, its own default may be as short as 30 s (Copilot 1.0.102). */
export const passedLimit = (passed: number | null): number | null => passed;

/** It may count in milliseconds, as Qwen Code does: what our hooks file says in seconds is no promise there. */
export const noLimitKnown = (): null => null;

/** Gemini CLI counts in milliseconds (0.61.0), so what its hooks file says is passed on in them. */
export const limitInMilliseconds = (passed: number | null): number | null =>
  passed === null ? null : Math.floor(passed / 1000);
