// Why a review had no verdict, in words, from the slots of a message. They may come from a journal: checked first.

import type { Message } from '../../engine/step.ts';
import { describeNoVerdict } from '../../reviewers/no-verdict.ts';
import { CLAUDE, programNamed } from '../../reviewers/programs.ts';
import { NO_VERDICTS } from '../../store/records.ts';

export function whyNoVerdict({ cause, code, reviewer }: Message['slots']): string {
  const kind = NO_VERDICTS.find((known) => known === cause);
  if (kind === undefined) return 'not written down';
  const program = programNamed(String(reviewer))?.name ?? CLAUDE;
  return describeNoVerdict({ kind, code: typeof code === 'number' ? code : null }, program);
}
