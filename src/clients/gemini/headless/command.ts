// Gemini CLI's command line for a session without a terminal (0.61.0): one process for each prompt, which it reads from
// its standard input.

import type { StartHow } from '../../headless.ts';

/** `policies`: the files and folders that say what `edit` allows. */
export function commandLine(
  { resume, access, model, args }: StartHow,
  policies: readonly string[],
): string[] {
  return [
    ...['--output-format', 'stream-json'],
    ...(resume === null ? [] : ['--resume', resume]),
    ...accessOf(access, policies),
    ...(model === null ? [] : ['--model', model]),
    ...args,
  ];
}

/**
 * It does not start in a folder that nobody trusts. Once trusted, the project's own settings may start programs: with
 * `edit` that is the user's to give.
 */
function accessOf(access: StartHow['access'], policies: readonly string[]): string[] {
  if (access === 'full') return ['--approval-mode', 'yolo', '--skip-trust'];
  return ['--approval-mode', 'default', ...policies.flatMap((place) => ['--policy', place])];
}
