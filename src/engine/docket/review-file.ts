// Reads the findings out of a review that was written as text: `## High`, `## Medium`, `## Low` with bullets. Models
// keep to that form only roughly, so headings of any level, bold or bulleted titles, all kinds of bullets, nesting,
// tables, plain text and CRLF are understood, and a severity that stands in the finding itself or in a line below it.

import type { Finding, Severity } from '../../reviewers/findings.ts';
import { findingOf } from './review-item.ts';
import { indentOf, labelOfRow, readLines, type Title, titleOf } from './review-lines.ts';
import {
  isPlainTitle,
  isTally,
  type Label,
  labelOf,
  saysNone,
  severityInDetail,
  severityOf,
} from './severity-words.ts';

/** Null: the text holds nothing, so no review was written. */
export function readFindings(markdown: string): Finding[] | null {
  if (markdown.trim() === '') return null;
  const reading = new Reading();
  const lines = readLines(markdown);
  for (const [index, line] of lines.entries()) reading.line(line, lines[index + 1] ?? '');
  return reading.finish().map(findingOf);
}

/** A finding as it stands in the text: its own line, and what stands below it. */
export type Item = { severity: Severity; text: string; details: string[] };

type Section = {
  /** Null: outside of every section, where only findings count that bear their severity themselves. */
  severity: Severity | null;
  level: number;
  bullets: Candidate[];
  /** Findings written as headings of their own; they count where there are no bullets. */
  headings: Candidate[];
  /** Findings in it that bear their own severity; they count under that. */
  labelled: number;
  /** Blocks of plain text; they count where there is nothing else. */
  blocks: Candidate[];
  isInBlock: boolean;
  /** Of the bullets that count; deeper ones belong to the one above. */
  indent: number | null;
  /** The level of the heading that is a finding itself, while its text lasts. */
  finding: number | null;
};

type Candidate = { order: number; text: string; details: string[]; level?: number; indent?: number };

class Reading {
  #section = open(null, 0);
  /** What is found so far, with its place in the text. */
  readonly #found: (Item & { order: number })[] = [];
  /** What the lines that follow belong to. */
  #current: Candidate | null = null;
  /** Outside of a section: what becomes a finding if a line below it says how grave it is. */
  #heading: Candidate | null = null;
  #bullet: Candidate | null = null;
  #order = 0;

  line(line: string, next: string): void {
    this.#order += 1;
    const title = titleOf(line);
    if (title?.isHeading && title.level <= this.#section.level) this.#close(open(null, 0));
    const { finding } = this.#section;
    // All that stands under a finding's own heading is about that finding.
    const isAboutIt = finding !== null && (!title?.isHeading || title.level > finding);
    if (!isAboutIt) this.#section.finding = null;
    const severity = title === null ? null : severityOf(title.text);
    if (isAboutIt) this.#detail(line);
    else if (!title?.isHeading && this.#weigh(line)) return;
    else if (title !== null && severity !== null) this.#close(open(severity, title.level));
    else if (title?.isHeading) this.#readHeading(title);
    else this.#readInside(line, next);
  }

  finish(): Item[] {
    this.#close(open(null, 0));
    return this.#found.sort((left, right) => left.order - right.order);
  }

  #close(next: Section): void {
    const { severity, bullets, headings, labelled, blocks } = this.#section;
    const plain = labelled > 0 ? [] : blocks;
    const counted = bullets.length > 0 ? bullets : headings.length > 0 ? headings : plain;
    if (severity !== null) this.#found.push(...counted.map((item) => ({ ...item, severity })));
    this.#section = next;
    this.#current = this.#heading = this.#bullet = null;
  }

  #detail(line: string): void {
    if (line.trim() !== '') this.#current?.details.push(line);
  }

  #begin(text: string, more: Partial<Candidate> = {}): Candidate {
    this.#current = { order: this.#order, text, details: [], ...more };
    return this.#current;
  }

  #label({ severity, rest }: Label): void {
    this.#find(this.#begin(rest), severity);
  }

  #find(candidate: Candidate, severity: Severity): void {
    const { order, text, details } = candidate;
    this.#found.push({ order, severity, text, details });
    this.#section.labelled += 1;
    this.#heading = this.#bullet = null;
    this.#current = candidate;
  }

  /** "Severity: High" below a bullet that has none, or below a heading. */
  #weigh(line: string): boolean {
    const isBelow = this.#bullet?.indent !== undefined && indentOf(line) > this.#bullet.indent + 1;
    const weighed = isBelow ? this.#bullet : this.#heading;
    const severity = weighed === null ? null : severityInDetail(line);
    if (weighed === null || severity === null) return false;
    if (weighed.level !== undefined) this.#section.finding = weighed.level;
    this.#find(weighed, severity);
    return true;
  }

  #readHeading({ text, level }: Title): void {
    const section = this.#section;
    const label = labelOf(text);
    section.isInBlock = false;
    if (section.severity === null) section.indent = null;
    if (label !== null) {
      section.finding = level;
      this.#label(label);
      return;
    }
    const candidate = this.#begin(text, { level });
    section.headings.push(candidate);
    this.#heading = section.severity === null && level > 1 && !isPlainTitle(text) ? candidate : null;
    this.#bullet = null;
  }

  /** Any other line. */
  #readInside(line: string, next: string): void {
    const section = this.#section;
    const wasInBlock = section.isInBlock;
    section.isInBlock = line.trim() !== '';
    const isRow = /^\s*\|/.test(line);
    const bullet = /^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+(.*)$/.exec(line)?.[1];
    const label = isRow ? labelOfRow(line, next) : wasInBlock ? null : labelOf(line);
    if (!isRow && bullet !== undefined) this.#readBullet(line, bullet);
    else if (label !== null) this.#label(label);
    else this.#readText(line, wasInBlock);
  }

  #readBullet(line: string, text: string): void {
    const section = this.#section;
    const label = labelOf(text);
    const indent = indentOf(line);
    if (section.severity === null && label === null) {
      this.#readLoose(line, text, indent);
      return;
    }
    section.indent = Math.min(section.indent ?? indent, indent);
    if (indent > section.indent + 1) this.#detail(line);
    else if (saysNone(text) || isTally(text)) this.#current = null;
    else if (label === null) section.bullets.push(this.#begin(text));
    else this.#label(label);
  }

  /** A bullet outside of a section: it may be a finding itself, or belong to the one above. */
  #readLoose(line: string, text: string, indent: number): void {
    const above = this.#current?.indent;
    if (above !== undefined && indent > above + 1) {
      this.#detail(line);
      return;
    }
    this.#heading?.details.push(line);
    this.#bullet = this.#begin(text, { indent });
  }

  #readText(line: string, isContinued: boolean): void {
    const section = this.#section;
    const isNothing = saysNone(line) || isTally(line);
    if (!isContinued && isNothing) section.isInBlock = false;
    const isBlock = !isContinued && !isNothing;
    const isItsOwn = isBlock && section.severity !== null && section.bullets.length === 0;
    if (isItsOwn && section.headings.length === 0) section.blocks.push(this.#begin(line));
    else this.#detail(line);
  }
}

function open(severity: Severity | null, level: number): Section {
  return {
    ...{ severity, level, bullets: [], headings: [], labelled: 0, blocks: [] },
    ...{ isInBlock: false, indent: null, finding: null },
  };
}
