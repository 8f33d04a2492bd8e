// opencode's command line for a session without a terminal (1.18.33): one process for each prompt, which it reads from its
// standard input.

import type { StartHow } from '../../headless.ts';

export type Called = { args: string[]; input: string };

export function call({ resume, access, model, args, prompt }: StartHow): Called {
  const { command, text } = typed(prompt);
  return {
    args: [
      ...['run', '--format', 'json'],
      ...(resume === null ? [] : ['--session', resume]),
      ...(access === 'full' ? ['--auto'] : []),
      ...(model === null ? [] : ['--model', model]),
      ...(command === null ? [] : ['--command', command]),
      ...args,
    ],
    input: text,
  };
}

/** In the TUI a command is typed with a slash before it; `run` has a flag for it, and what is typed after it is the rest. */
function typed(prompt: string): { command: string | null; text: string } {
  const [, command, text = ''] = /^\/([a-z]+:[a-z-]+)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  return command === undefined ? { command: null, text: prompt } : { command, text };
}
