// A finding as a review's text has it, in the form that every reviewer's findings have (pure).

import type { Finding } from '../../reviewers/findings.ts';
import type { Item } from './review-file.ts';

export function findingOf({ severity, text, details }: Item): Finding {
  const own = withoutMarks(text);
  const place = PLACE.exec(own);
  const [, file = '', line, claim = ''] = place ?? [];
  const evidence = details.map((detail) => detail.trim()).join(' ');
  return {
    severity,
    file: place === null ? null : file,
    line: line === undefined ? null : Number(line),
    claim: place === null ? own : claim,
    evidence: evidence === '' ? null : evidence,
  };
}

/** `src/a.ts:12: the claim`; a colon alone, as in `PLAN.md: the claim`, is enough where the name has an ending. */
const PLACE =
  /^[`[(]*((?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?:[-:\u2013]\d{1,7})?)?[`\])]*\s*(?::|\s[\u2013\u2014-])\s+(.+)$/;

/** Numbers, bold and what closes a heading say nothing. */
function withoutMarks(text: string): string {
  return text
    .replace(/\s#+\s*$/, '')
    .replace(/\*\*|__/g, '')
    .replace(/^(?:\s|\d{1,3}[.):]\s|[\u2014\u2013:\])-]\s)+/, '')
    .trim();
}
