// Qwen Code's command line for a session without a terminal (0.24.4): one process for each prompt, which it reads from
// its input. (With `--input-format stream-json` it takes several, but then waits without end for somebody to allow what
// nobody allowed.)

import type { StartHow } from '../../headless.ts';

export function commandLine({ session, resume, access, allowed, model, args }: StartHow): string[] {
  return [
    ...['--output-format', 'stream-json'],
    ...(resume === null ? [] : ['--resume', resume]),
    ...(resume === null && session !== null ? ['--session-id', session] : []),
    ...accessOf(access, allowed),
    ...(model === null ? [] : ['--model', model]),
    ...args,
  ];
}

const SHELL = 'run_shell_command';

/** `/` is the project. By these names alone: a tool that no rule names so is taken away from the agent. */
const WRITING = ['edit', 'write_file', 'notebook_edit'];
const EDITS = WRITING.map((tool) => `${tool}(/**)`);

/** With these an edit becomes a command: of git's (in a work tree `.git` is a file), or of its own at its next start. */
const OWN = ['/.git', '/.git/**', '/.qwen/**', '/.env'];

/**
 * A rule for a command holds whatever is substituted in its words, and wherever its output goes. So these are denied,
 * whatever else allows them.
 */
const DENIED = [
  ...['*$*', '*`*', '*<(*', '*>*'].map((pattern) => `${SHELL}(${pattern})`),
  ...WRITING.flatMap((tool) => OWN.map((place) => `${tool}(${place})`)),
];

/** `auto-edit` would let it write anywhere. What no rule allows is declined, since nobody is there to be asked. */
function accessOf(access: StartHow['access'], allowed: readonly string[]): string[] {
  if (access === 'full') return ['--approval-mode', 'yolo'];
  const rules = [...EDITS, ...allowed.flatMap(ruleFor)];
  return [
    ...['--approval-mode', 'default'],
    ...rules.flatMap((rule) => ['--allowed-tools', rule]),
    ...DENIED.flatMap((rule) => ['--exclude-tools', rule]),
  ];
}

/**
 * The command line itself, and with it the same with more after it. Rules are compared with the words of a command, after
 * its quotes are taken away. One that a rule cannot hold gets none, and is declined by its name.
 */
function ruleFor(command: string): string[] {
  const line = command.trim().replaceAll(/'([^']*)'/g, '$1');
  return line === '' || /[()*,:'"`$<>\\\n]/.test(line) ? [] : [`${SHELL}(${line})`];
}
