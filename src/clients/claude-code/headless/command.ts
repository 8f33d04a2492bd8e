// Claude Code's command line for a session without a terminal (2.1.325): one long process that takes prompts as JSON
// lines and says all that it does in the same way.

import type { StartHow } from '../../headless.ts';

const STREAM = [
  ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'],
  ...['--verbose', '--include-hook-events'],
];

export function commandLine({ session, resume, access, allowed, model, args }: StartHow): string[] {
  return [
    ...STREAM,
    ...(resume === null ? [] : ['--resume', resume]),
    ...(resume === null && session !== null ? ['--session-id', session] : []),
    ...accessOf(access, allowed),
    ...(model === null ? [] : ['--model', model]),
    ...args,
  ];
}

export function promptLine(prompt: string): string {
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`;
}

/** `acceptEdits` lets it edit files in the project; a command it denies, since nobody is there to be asked. */
function accessOf(access: StartHow['access'], allowed: readonly string[]): string[] {
  if (access === 'full') return ['--dangerously-skip-permissions'];
  const rules = allowed.flatMap(rulesFor);
  // The list takes up all words up to the next option, so that one stands after it.
  return [...(rules.length === 0 ? [] : ['--allowedTools', ...rules]), '--permission-mode', 'acceptEdits'];
}

/**
 * The command line itself, and the same with more after it. A rule cannot hold a bracket, and a star in it stands for
 * anything: such a command line gets no rule, and is denied by its name.
 */
function rulesFor(command: string): string[] {
  const line = command.trim();
  if (line === '' || /[()*,\n\\]/.test(line)) return [];
  return [`Bash(${line})`, `Bash(${line} *)`];
}
