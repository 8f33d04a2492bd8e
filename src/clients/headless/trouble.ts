// What went wrong, in one shape whatever the client calls it.

import { inOneParagraph } from '../../text/paragraph.ts';
import type { Trouble } from '../headless.ts';

/** The words are the client's, or its server's: one line of them is shown to people. */
export function troubleOf(what: Trouble['what'], said: string, resetsAt: number | null = null): Trouble {
  return { what, resetsAt, said: inOneParagraph(said.slice(0, 4000), 300) };
}

export function unknownTrouble(said: string): Trouble {
  return troubleOf('unknown', said);
}

/** Of a server's answer that is no good. */
export function ofStatus(status: number): Trouble['what'] {
  if (status === 429) return 'limit';
  if (status >= 500) return 'server';
  if (status === 402) return 'billing';
  return status === 401 || status === 403 ? 'login' : 'refused';
}

/** The last line that says anything. With RUST_BACKTRACE=1 Codex writes a backtrace after its reason (0.166.0). */
export function lastLineOf(text: string): string {
  return (
    text
      .replace(/^\s*stack backtrace:[\s\S]*/im, '')
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}
