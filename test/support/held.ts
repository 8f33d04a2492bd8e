// The whole text of a hold: a workflow's own, and the last line that the engine gives every hold.

import path from 'node:path';
import { shellQuote } from '../../src/text/shell.ts';
import { plugin } from './hook.ts';

/** `build`: the plugin whose hook was fired. */
export function held(text: string, build: string = plugin): string {
  const cli = shellQuote(path.join(build, 'bin/holdfast'));
  return `${text}\n\nIf you cannot go on without a decision of the user: \`${cli} ask "<question>"\`, then end your turn.`;
}
