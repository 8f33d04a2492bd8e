// Droid's command line for a session without a terminal (0.225.2): one process for each prompt, which it reads from its
// standard input.

import type { StartHow } from '../../headless.ts';

/** Going on with a session asks its maker; a fork of it does not. */
export function commandLine({ resume, model, args }: StartHow): string[] {
  return [
    ...['exec', '--output-format', 'stream-json', '--skip-permissions-unsafe'],
    ...(resume === null ? [] : ['--fork', resume]),
    ...(model === null ? [] : ['--model', model]),
    ...args,
  ];
}
