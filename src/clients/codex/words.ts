// How Codex's hooks are spoken of, and what a user does about them.

import type { CodexHook } from './hooks.ts';

/** As its screens read in 0.166.0. */
export const PRESS =
  'start codex, choose "Review hooks" where it says "Hooks need review", look at them and press t (in an open session: /hooks, then t)';

export function howToTrust(cli: string): string {
  return `${PRESS}; or run: ${cli} install --client codex --trust`;
}

export function noHooks(problems: readonly string[]): string {
  const [problem] = problems;
  return problem === undefined
    ? 'Codex lists none of its hooks: are hooks switched off there? `codex features enable hooks` turns them on.'
    : `Codex cannot use its hooks: ${problem}`;
}

/** stop → Stop, as hooks.json and Codex's own screens spell it. */
export function eventLabel({ event }: CodexHook): string {
  return event.charAt(0).toUpperCase() + event.slice(1);
}
