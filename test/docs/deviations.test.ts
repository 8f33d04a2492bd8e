// docs/deviations.md, for people, says all that settled.json settles: one row for each key, under its workflow.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import settled from '../conformance/settled.json' with { type: 'json' };

type Row = { workflow: string; key: string; cells: readonly string[] };

const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/deviations.md'), 'utf8');
const keys = Object.entries(settled).flatMap(([workflow, reasons]) =>
  Object.keys(reasons).map((key) => `${workflow}/${key}`),
);

/** Rows of the tables, with the heading they stand under. Their first cell is the key, as code. */
function readRows(markdown: string): Row[] {
  let workflow = '';
  return markdown.split('\n').flatMap((line) => {
    workflow = /^## (.+)$/.exec(line)?.[1] ?? workflow;
    const key = /^\| `([^`]+)` \|/.exec(line)?.[1];
    if (key === undefined) return [];
    const cells = line.split(/(?<!\\)\|/).slice(2, -1);
    return [{ workflow, key, cells: cells.map((cell) => cell.trim()) }];
  });
}

describe('docs/deviations.md', () => {
  const rows = readRows(page);

  it('has one row for each settled deviation, in their order, and no other', () => {
    expect(keys.length).toBeGreaterThan(30);
    expect(rows.map(({ key }) => key)).toEqual(keys);
  });

  it('has each row under its workflow', () => {
    expect(rows.filter(({ workflow, key }) => !key.startsWith(`${workflow}/`))).toEqual([]);
  });

  it('says of each what was asked for, what Holdfast does and why', () => {
    expect(rows.filter(({ cells }) => cells.length !== 3 || cells.includes(''))).toEqual([]);
  });
});
