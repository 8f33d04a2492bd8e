// Counts what a findings file holds, by severity. Models keep to the asked form only roughly, so headings of
// any level, bold or bulleted titles, all kinds of bullets, nesting and CRLF are understood.

export type Severity = 'high' | 'medium' | 'low';
export type Counts = Readonly<Record<Severity, number>>;

/** Null: the file holds nothing, so no review was written. */
export function countFindings(markdown: string): Counts | null {
  if (markdown.trim() === '') return null;
  const counts = { high: 0, medium: 0, low: 0 };
  let section: Section | null = null;
  const close = (): void => {
    if (section !== null) counts[section.severity] += section.bullets || section.headings;
    section = null;
  };
  for (const line of readLines(markdown)) {
    const title: Title | null = titleOf(line);
    const severity = title === null ? null : severityOf(title.text);
    if (title !== null && severity !== null) {
      close();
      section = { severity, level: title.level, bullets: 0, headings: 0, indent: null };
      continue;
    }
    if (section !== null) {
      const inside: Section = section;
      if (title?.isHeading && title.level <= inside.level) close();
      else if (title?.isHeading) inside.headings += 1;
      else countBullet(inside, line);
    }
  }
  close();
  return counts;
}

export function describeCounts({ high, medium, low }: Counts): string {
  return `high=${high} medium=${medium} low=${low}`;
}

type Section = {
  severity: Severity;
  level: number;
  bullets: number;
  /** Findings written as headings of their own; they count where there are no bullets. */
  headings: number;
  /** Of the bullets that count; deeper ones belong to the one above. */
  indent: number | null;
};

type Title = { text: string; level: number; isHeading: boolean };

/** Lines outside of fenced code; what is quoted there is nobody's finding. */
function readLines(markdown: string): string[] {
  let fence: string | null = null;
  return markdown.split(/\r\n|\n|\r/).filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      return false;
    }
    if (fence === null) return true;
    if (mark?.startsWith(fence)) fence = null;
    return false;
  });
}

/** A heading; or a bold line, a bullet or a plain word that may stand for one. */
function titleOf(line: string): Title | null {
  // Only its words are looked at, so what closes a heading need not be cut off.
  const heading = /^ {0,3}(#{1,6})(.*)$/.exec(line);
  if (heading !== null) return { text: heading[2] ?? '', level: heading[1]?.length ?? 1, isHeading: true };
  const standsAlone = /^\s*(?:[-*+]\s+)?(\*\*.*\*\*:?|__.*__:?|\w+:?)\s*$/.exec(line)?.[1];
  return standsAlone === undefined ? null : { text: standsAlone, level: 7, isHeading: false };
}

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
function severityOf(title: string): Severity | null {
  const words = title.toLowerCase().match(/\p{L}+/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length === 1 ? (SEVERITIES.get(telling[0] ?? '') ?? null) : null;
}

function countBullet(section: Section, line: string): void {
  const bullet = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)$/.exec(line);
  if (bullet === null) return;
  const indent = (bullet[1] ?? '').replaceAll('\t', '    ').length;
  section.indent = Math.min(section.indent ?? indent, indent);
  if (indent > section.indent + 1 || saysNone(bullet[2] ?? '')) return;
  section.bullets += 1;
}

const NONE =
  /^(?:none|nothing|nil|n a|no (?:substantive |material |further |other |new |high |medium |low )*(?:severity |priority )*(?:findings?|issues?))(?: (?:found|identified|noted|at this level|here|to report))*$/;

function saysNone(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 || NONE.test(words.join(' '));
}
