// Copilot CLI's command line for a session without a terminal (1.0.102): one process for each prompt, which it reads from
// its input.

import type { StartHow } from '../../headless.ts';

export function commandLine({ session, resume, access, allowed, model, args }: StartHow): string[] {
  const id = resume ?? session;
  return [
    ...['--output-format', 'json'],
    // For a session that is there and for a new one alike.
    ...(id === null ? [] : ['--session-id', id]),
    ...accessOf(access, allowed),
    ...(model === null ? [] : ['--model', model]),
    ...args,
  ];
}

/**
 * It writes in the project alone, without the folder for temporary files, and what no rule allows it denies, since nobody
 * is there to be asked.
 */
function accessOf(access: StartHow['access'], allowed: readonly string[]): string[] {
  if (access === 'full') return ['--allow-all'];
  const rules = ['write', ...allowed.flatMap(ruleFor)];
  return ['--disallow-temp-dir', ...rules.flatMap((rule) => ['--allow-tool', rule])];
}

/** The command line itself, and the same with more after it. One that a rule cannot hold gets none. */
function ruleFor(command: string): string[] {
  const line = command.trim();
  return line === '' || /[()*,:'"`$<>\\\n]/.test(line) ? [] : [`shell(${line}:*)`];
}
