// An answer as the one JSON object that Claude Code and Codex both take, with exit code 0.
// Codex 0.166.0 drops an answer that has any key beyond these four, so nothing else may be added.

import { plainText } from '../text/printable.ts';
import type { Answer, Encoded } from './stop.ts';

export function encodeAnswer(answer: Answer): Encoded {
  return { stdout: jsonOf(answer), stderr: '', exitCode: 0 };
}

/**
 * Half a surrogate pair is legal in a JavaScript string, but Codex's JSON reader refuses it. What steers a terminal is
 * taken out: clients draw these texts, and parts of them (a topic, a name) may come from somebody's repository.
 */
export function wellFormed(text: string): string {
  return plainText(text.toWellFormed());
}

function jsonOf(answer: Answer): string {
  const fields = fieldsOf(answer);
  return Object.keys(fields).length === 0 ? '' : `${JSON.stringify(fields)}\n`;
}

function fieldsOf(answer: Answer): Record<string, string | boolean> {
  const notice = answer.notice ? { systemMessage: wellFormed(answer.notice) } : {};
  switch (answer.kind) {
    case 'hold':
      return { decision: 'block', reason: wellFormed(answer.reason), ...notice };
    case 'allow':
      return { ...notice, ...(answer.suppressOutput ? { suppressOutput: true } : {}) };
  }
}
