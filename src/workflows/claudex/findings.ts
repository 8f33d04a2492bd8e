// Counts what a findings file holds, by severity. Models keep to the asked form only roughly, so headings of
// any level, bold or bulleted titles, all kinds of bullets, nesting, tables, plain text and CRLF are understood.

export type Severity = 'high' | 'medium' | 'low';
export type Counts = Readonly<Record<Severity, number>>;

/** Null: the file holds nothing, so no review was written. */
export function countFindings(markdown: string): Counts | null {
  if (markdown.trim() === '') return null;
  const counts = { high: 0, medium: 0, low: 0 };
  let section = open(null, 0);
  const close = (next: Section): void => {
    if (section.severity !== null) counts[section.severity] += countOf(section);
    section = next;
  };
  const lines = readLines(markdown);
  for (const [index, line] of lines.entries()) {
    const title = titleOf(line);
    if (title?.isHeading && title.level <= section.level) close(open(null, 0));
    if (section.finding !== null) {
      // All that stands under a finding's own heading is about that finding.
      if (!title?.isHeading || title.level > section.finding) continue;
      section.finding = null;
    }
    const severity = title === null ? null : severityOf(title.text);
    if (title !== null && severity !== null) {
      close(open(severity, title.level));
      continue;
    }
    const found = title?.isHeading
      ? readHeading(section, title)
      : readInside(section, line, lines[index + 1] ?? '');
    if (found === null) continue;
    counts[found] += 1;
    section.labelled += 1;
  }
  close(open(null, 0));
  return counts;
}

export function describeCounts({ high, medium, low }: Counts): string {
  return `high=${high} medium=${medium} low=${low}`;
}

type Section = {
  /** Null: outside of every section, where only findings count that bear their severity themselves. */
  severity: Severity | null;
  level: number;
  bullets: number;
  /** Findings written as headings of their own; they count where there are no bullets. */
  headings: number;
  /** Findings in it that bear their own severity; they were counted under that. */
  labelled: number;
  /** Blocks of plain text; they count where there is nothing else. */
  blocks: number;
  isInBlock: boolean;
  /** Of the bullets that count; deeper ones belong to the one above. */
  indent: number | null;
  /** The level of the heading that is a finding itself, while its text lasts. */
  finding: number | null;
};

function open(severity: Severity | null, level: number): Section {
  return {
    severity,
    level,
    bullets: 0,
    headings: 0,
    labelled: 0,
    blocks: 0,
    isInBlock: false,
    indent: null,
    finding: null,
  };
}

function countOf({ bullets, headings, labelled, blocks }: Section): number {
  return bullets || headings || (labelled > 0 ? 0 : blocks);
}

/** The severity that the heading has itself, if it is a finding of its own. */
function readHeading(section: Section, { text, level }: Title): Severity | null {
  const label = labelOf(text);
  section.isInBlock = false;
  if (section.severity === null) section.indent = null;
  if (label === null) section.headings += 1;
  else section.finding = level;
  return label;
}

/** The same of any other line. */
function readInside(section: Section, line: string, next: string): Severity | null {
  const wasInBlock = section.isInBlock;
  section.isInBlock = line.trim() !== '';
  if (/^\s*\|/.test(line)) return severityOfRow(line, next) ?? readText(section, line, wasInBlock);
  const bullet = /^([ \t]*)(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+(.*)$/.exec(line);
  if (bullet !== null) return readBullet(section, bullet[1] ?? '', bullet[2] ?? '');
  return (wasInBlock ? null : labelOf(line)) ?? readText(section, line, wasInBlock);
}

function readBullet(section: Section, margin: string, text: string): Severity | null {
  const label = labelOf(text);
  const counts = section.severity !== null || label !== null;
  if (!counts) return null;
  const indent = margin.replaceAll('\t', '    ').length;
  section.indent = Math.min(section.indent ?? indent, indent);
  if (indent > section.indent + 1 || saysNone(text) || isTally(text)) return null;
  if (label === null) section.bullets += 1;
  return label;
}

function readText(section: Section, line: string, isContinued: boolean): null {
  if (isContinued) return null;
  if (saysNone(line) || isTally(line)) section.isInBlock = false;
  else section.blocks += 1;
  return null;
}

/** A row that begins with a severity; not the table's head, and not how many of it there are. */
function severityOfRow(line: string, next: string): Severity | null {
  if (/^\s*\|[\s|:-]+$/.test(next) && next.includes('-')) return null;
  const [first = '', ...rest] = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  const severity = severityOf(first);
  return rest.every((cell) => saysNone(cell) || isTally(cell)) ? null : severity;
}

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

/** "[High] text", "**High**: text", "1. High - text"; "High latency" and `high_water` have none. */
function labelOf(text: string): Severity | null {
  const words = /^(?:\d{1,3}[.):]|[^\p{L}\p{N}])*(\p{L}+)(?: (?:severity|priority|risk))?(.*)$/u.exec(text);
  const severity = SEVERITIES.get(words?.[1]?.toLowerCase() ?? '') ?? null;
  const rest = /^(?:\s*[\])]|[*_]+(?![\p{L}\p{N}])|\s*[:\uff1a\u2014\u2013]|\s+-+\s)(.*)$/u.exec(
    words?.[2] ?? '',
  )?.[1];
  return rest === undefined || saysNone(rest) || isTally(rest) ? null : severity;
}

/** "High: 2 findings" says how many there are, and is none itself. */
function isTally(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.some((word) => /^\d+$/.test(word)) &&
    words.every((word) => /^\d+$/.test(word) || FILLERS.has(word) || SEVERITIES.has(word))
  );
}

const NONE =
  /^(?:there (?:are|were|is) )?(?:none|nothing|nil|n a|no (?:substantive |material |further |other |new |high |medium |low )*(?:severity |priority )*(?:findings?|issues?))(?: (?:were|found|identified|noted|at this level|here|to report))*$/;

function saysNone(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 || NONE.test(words.join(' '));
}
