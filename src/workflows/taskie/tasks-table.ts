// Reads the table of tasks.md with a real GFM parser, so that escaped pipes, alignment rows and further columns
// are no trouble. Loaded only when a decision depends on the rows: the parser costs more than a whole stop.

import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { byTaskId, isTaskId } from './names.ts';
import type { TaskTable } from './task-status.ts';
import { isTableLine } from './validation.ts';

export function parseTasks(text: string): TaskTable {
  // A blank line would end the table, and tasks must not vanish behind it.
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(isTableLine)
    .map((line) => line.trim());
  const parsed = lines.length === 0 ? [] : isHardToParse(lines) ? null : gfmCells(lines.join('\n'));
  const cells = parsed ?? lines.map(plainCells);
  const [head = [], ...body] = cells;
  const columns = { id: columnOf(head, 'id', 0), status: columnOf(head, 'status', 1) };
  const isHead = !isTaskId(head[columns.id] ?? '');
  const rows = (isHead ? body : cells)
    .filter((row) => !isDelimiter(row))
    .map((row) => ({
      id: row[columns.id] ?? '',
      status: (row[columns.status] ?? '').toLowerCase(),
    }));
  const tasks = rows.filter((row) => isTaskId(row.id)).sort((left, right) => byTaskId(left.id, right.id));
  return { rows: tasks, leftOut: rows.filter((row) => !isTaskId(row.id)), plain: parsed === null };
}

/** The parser's time grows with the square of the marks that stand open, and of a row's cells. No plan has as many. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_MARKS = 4000;
const MOST_CELLS = 200;

function isHardToParse(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  if (text.length > MOST_CHARACTERS) return true;
  if ((text.match(/[*_`~[\]<&\\]/g)?.length ?? 0) > MOST_MARKS) return true;
  return lines.some((line) => line.split('|', MOST_CELLS + 2).length > MOST_CELLS);
}

/** The cells' texts, row by row; null when the lines are not one GFM table. */
function gfmCells(text: string): string[][] | null {
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  const [table, ...others] = tree.children;
  if (table?.type !== 'table' || others.length > 0) return null;
  return table.children.map((row) => row.children.map((cell) => textOf(cell).trim()));
}

type Node = { type: string; value?: string; children?: readonly Node[] };

/** `**pending**`, `` `3` `` and a link say the same as the bare word. */
function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

function plainCells(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return cells.slice(1, cells.at(-1) === '' ? -1 : undefined);
}

function columnOf(head: readonly string[], name: string, fallback: number): number {
  const found = head.findIndex((cell) => cell.toLowerCase() === name);
  return found < 0 ? fallback : found;
}

const isDelimiter = (row: readonly string[]): boolean =>
  row.length > 0 && row.every((cell) => /^:?-+:?$/.test(cell));
