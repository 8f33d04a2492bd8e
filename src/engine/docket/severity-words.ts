// The words by which a review says how grave something is, and that there is nothing (pure). Models keep to the asked
// form only roughly.

import type { Severity } from '../../reviewers/findings.ts';

// A map: an object would know a severity called `constructor`.
const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'high'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['low', 'low'],
  ['minor', 'low'],
]);

const FILLERS = new Set(['severity', 'priority', 'risk', 'impact', 'finding', 'findings', 'issue', 'issues']);

/** "## High (2 findings)" is a severity's title, "## High-level overview" is not. */
export function severityOf(title: string): Severity | null {
  const words = title.toLowerCase().match(/\p{L}+/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length === 1 ? (SEVERITIES.get(telling[0] ?? '') ?? null) : null;
}

/** What a finding says of itself, and the rest of its line. */
export type Label = { severity: Severity; rest: string };

/** "[High] text", "**High**: text", "1. High - text"; "High latency" and `high_water` have none. */
export function labelOf(text: string): Label | null {
  const words = /^(?:\d{1,3}[.):]|[^\p{L}\p{N}])*(\p{L}+)(?: (?:severity|priority|risk))?(.*)$/u.exec(text);
  const severity = SEVERITIES.get(words?.[1]?.toLowerCase() ?? '');
  const rest = /^(?:\s*[\])]|[*_]+(?![\p{L}\p{N}])|\s*[:\uff1a\u2014\u2013]|\s+-+\s)(.*)$/u.exec(
    words?.[2] ?? '',
  )?.[1];
  if (severity === undefined || rest === undefined || saysNone(rest) || isTally(rest)) return null;
  return { severity, rest };
}

/** "Severity: High" in a line below a finding, with a bullet or bold or plain. */
export function severityInDetail(line: string): Severity | null {
  const word =
    /^\s*(?:[-*+\u2022]\s+)?[*_]*(?:severity|priority)[*_]*\s*[:\uff1a][*_]*\s*[^\p{L}\p{N}]{0,4}(\p{L}+)(?![\p{L}\p{N}-])/iu.exec(
      line,
    )?.[1];
  return SEVERITIES.get(word?.toLowerCase() ?? '') ?? null;
}

/** "High: 2 findings" says how many there are, and is none itself. */
export function isTally(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.some((word) => /^\d+$/.test(word)) &&
    words.every((word) => /^\d+$/.test(word) || FILLERS.has(word) || SEVERITIES.has(word))
  );
}

const NONE =
  /^(?:there (?:are|were|is) )?(?:none|nothing|nil|n a|no (?:substantive |material |further |other |new |high |medium |low )*(?:severity |priority )*(?:findings?|issues?))(?: (?:were|found|identified|noted|at this level|here|to report))*$/;

export function saysNone(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 || NONE.test(words.join(' '));
}

/** "## Findings", "# Round 1 findings", "## Summary": the title of a list, and no finding. */
export function isPlainTitle(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => FILLERS.has(word) || PLAIN.has(word));
}

const PLAIN = new Set(
  'a all and code current details diff for list new notes of open other overview plan report review round summary the'.split(
    ' ',
  ),
);
