// Reads a reviewer's answer in the form that schema.ts asks for. It is outside data: what cannot be read of a finding
// costs neither the verdict nor the other findings, and no text in it steers a terminal.

import { isObject, parseJson } from '../store/json.ts';
import { plainText } from '../text/printable.ts';
import type { Finding, FindingCounts, Findings, Severity } from './findings.ts';
import { SEVERITIES } from './schema.ts';
import type { Verdict } from './verdict.ts';

const MOST_FINDINGS = 200;
const MOST_CHARACTERS = 2000;

/** An object, or the same as text; null: it is neither. */
export function answerIn(place: unknown): Answer | null {
  const answer = typeof place === 'string' ? parseJson(place) : place;
  return isObject(answer) ? answer : null;
}

export type Answer = Readonly<Record<string, unknown>>;

/** Null: it says neither PASS nor FAIL. */
export function verdictIn(answer: Answer | null): Verdict | null {
  if (answer?.verdict === 'PASS') return 'clean';
  return answer?.verdict === 'FAIL' ? 'findings' : null;
}

/** Null: it lists nothing. */
export function findingsIn(answer: Answer | null): Findings | null {
  const given = answer?.findings;
  if (!Array.isArray(given) || given.length === 0) return null;
  const list: Finding[] = [];
  for (const each of given) {
    const finding = list.length < MOST_FINDINGS ? readFinding(each) : null;
    if (finding !== null) list.push(finding);
  }
  return { list, cut: given.length - list.length };
}

/** What was cut may be anything, so it counts as the worst. */
export function countFindings({ list, cut }: Findings): FindingCounts {
  const counts: Record<Severity, number> = { high: cut, medium: 0, low: 0 };
  for (const { severity } of list) counts[severity]++;
  return counts;
}

/** Null: it says nothing. */
function readFinding(value: unknown): Finding | null {
  if (typeof value === 'string') return readFinding({ claim: value });
  if (!isObject(value)) return null;
  const [claim, evidence] = [text(value.claim), text(value.evidence)];
  const said = claim ?? evidence;
  if (said === null) return null;
  return {
    severity: severityOf(value.severity),
    file: text(value.file)?.replaceAll(/\s+/g, ' ') ?? null,
    line: lineOf(value.line),
    claim: said,
    evidence: claim === null ? null : evidence,
  };
}

/** A word that we do not know does not make it a small one. */
function severityOf(value: unknown): Severity {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return SEVERITIES.find((known) => known === word) ?? 'high';
}

function lineOf(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(/^\D{0,2}(\d{1,9})/.exec(value.trim())?.[1]) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // Cut before it is cleaned: it may be of any length.
  const plain = plainText(value.slice(0, MOST_CHARACTERS)).trim();
  if (plain === '') return null;
  // A pair of surrogates may have been cut in two.
  return value.length <= MOST_CHARACTERS ? plain : `${plain.slice(0, -1).replace(/[\ud800-\udbff]$/, '')}…`;
}
