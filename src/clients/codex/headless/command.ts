// Codex's command line for a session without a terminal (0.166.0): one process for each prompt, which it reads from
// its standard input.

import type { StartHow } from '../../headless.ts';

export function commandLine({ resume, access, model, args }: StartHow): string[] {
  return [
    'exec',
    ...(resume === null ? [] : ['resume']),
    '--json',
    ...accessOf(access),
    // Otherwise it waits for the network for ever, and nobody is told.
    ...['-c', 'features.unbounded_connection_retries=false'],
    ...(model === null ? [] : ['--model', model]),
    ...args,
    ...(resume === null ? [] : [resume]),
    '-',
  ];
}

/** `exec resume` knows no `--sandbox`, so the setting is given by its name. */
function accessOf(access: StartHow['access']): string[] {
  if (access === 'full') return ['--dangerously-bypass-approvals-and-sandbox'];
  return ['-c', 'sandbox_mode="workspace-write"', '-c', 'approval_policy="never"'];
}
