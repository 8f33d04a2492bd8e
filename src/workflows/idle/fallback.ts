// `.claude/idle-loop.local.md`, the loop's state where no topic holds one: a single frame in the frontmatter
// of a markdown file, its task below. Four plain keys are all it has, so no YAML parser is loaded for them.

import fs from 'node:fs';
import { readInside } from '../../store/files.ts';
import { fallbackPath } from './files.ts';
import type { RawFrame } from './state-format.ts';

/** There is one such file in a project, so its run needs no id of its own. */
export const FALLBACK_RUN = 'local-file';

export type Fallback =
  | { kind: 'none' }
  | { kind: 'unreadable' }
  | { kind: 'file'; text: string; frame: RawFrame; updatedAt: number };

/** None as well where the file says that it is not active. */
export function readFallback(root: string): Fallback {
  const file = fallbackPath(root);
  const text = readInside(file, root, 1024 * 1024);
  if (text === null) return { kind: 'none' };
  const fields = readFrontmatter(text);
  if (fields === null) return { kind: 'unreadable' };
  if (fields.get('active') !== 'true') return { kind: 'none' };
  const frame = {
    mode: fields.get('mode') ?? 'loop',
    iter: numberOr(fields.get('iteration')),
    max: numberOr(fields.get('max_iterations')),
  };
  return { kind: 'file', text, frame, updatedAt: fs.statSync(file).mtimeMs };
}

/** The task: what stands below the frontmatter. */
export function taskOf(text: string): string {
  const head = FRONTMATTER.exec(text);
  return head === null ? '' : text.slice(head[0].length).trim();
}

/** The same file with another iteration; everything else stays as somebody wrote it. */
export function withIteration(text: string, iteration: number): string {
  const head = FRONTMATTER.exec(text);
  if (head === null) return text;
  const lines = head[0].split('\n');
  const at = lines.findIndex((line) => readField(line).some(([name]) => name === 'iteration'));
  const end = (lines[Math.max(at, 0)] ?? '').endsWith('\r') ? '\r' : '';
  const line = `${/^[ \t]*/.exec(lines[at] ?? '')?.[0] ?? ''}iteration: ${iteration}${end}`;
  const changed = at < 0 ? lines.toSpliced(1, 0, line) : lines.with(at, line);
  return changed.join('\n') + text.slice(head[0].length);
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

function readFrontmatter(text: string): Map<string, string> | null {
  const head = FRONTMATTER.exec(text);
  if (head === null || head.index !== 0) return null;
  const lines = (head[1] ?? '').split('\n');
  // Of two lines with the same key the first counts, and is the one that is rewritten.
  return new Map(lines.flatMap(readField).reverse());
}

function readField(line: string): [string, string][] {
  const field = /^[ \t]*([A-Za-z_]+)[ \t]*:(.*)$/s.exec(line);
  if (field?.[1] === undefined) return [];
  const value = withoutComment(field[2] ?? '').trim();
  return [[field[1], value.replace(/^(["'])(.*)\1$/, '$2')]];
}

/** By hand: a pattern that looks for blanks before a `#` takes hours over a line of nothing but blanks. */
function withoutComment(value: string): string {
  for (let at = value.indexOf('#'); at >= 0; at = value.indexOf('#', at + 1))
    if (value[at - 1] === ' ' || value[at - 1] === '\t') return value.slice(0, at);
  return value;
}

/** A missing or empty count is left to its default; what is no number is passed on and found corrupt. */
function numberOr(value: string | undefined): number | string | null {
  if (value === undefined || value === '' || value === 'null' || value === '~') return null;
  return /^\d+$/.test(value) ? Number(value) : value;
}
