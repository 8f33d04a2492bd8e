// Tables of inputs and what comes of them, in text files beside a test: below a title each input, an arrow and the output.
// After a change that is meant, `vitest -u` writes the outputs again.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

const ARROW = ' → ';

export function part<T>(title: string, inputs: readonly T[], does: (input: T) => unknown): string {
  return [`## ${title}`, ...inputs.map((input) => `${shown(input)}${ARROW}${shown(does(input))}`)].join('\n');
}

export function matchGolden(name: string, parts: readonly string[]): Promise<void> {
  const text = parts.filter((each) => each.includes('\n')).join('\n\n');
  return expect(`${text}\n`).toMatchFileSnapshot(`./golden/${name}.txt`);
}

/**
 * The inputs stand in the file itself, which is `golden/NAME.txt` in the test's folder: a row is added with its input and
 * the arrow. What each part makes of an input is told here by the part's title.
 */
export async function matchTable(
  folder: string,
  name: string,
  makes: Readonly<Record<string, (input: string) => unknown>>,
): Promise<void> {
  const text = fs.readFileSync(path.join(folder, `golden/${name}.txt`), 'utf8');
  const tables = text.split(/^## /m).slice(1);
  expect(tables.map((table) => table.split('\n')[0])).toEqual(Object.keys(makes));
  const parts = tables.map(async (table) => {
    const [title = '', ...rows] = table.trimEnd().split('\n');
    const outputs = rows.map((row) => makes[title]?.(inputOf(row)));
    const all = await Promise.all(outputs);
    return [`## ${title}`, ...rows.map((row, at) => `${shown(inputOf(row))}${ARROW}${shown(all[at])}`)].join(
      '\n',
    );
  });
  await matchGolden(name, await Promise.all(parts));
}

function inputOf(row: string): string {
  const input = row.slice(0, row.indexOf(ARROW.trimEnd())).trimEnd();
  return input.startsWith('"') ? JSON.parse(input) : input;
}

/** Leaves out what is as it is nearly always. */
export function lean(value: object | null, usual: object): object | null {
  if (value === null) return null;
  const all = new Map(Object.entries(usual).map(([name, each]) => [name, JSON.stringify(each)]));
  const isUsual = ([name, each]: [string, unknown]): boolean => all.get(name) === JSON.stringify(each);
  return Object.fromEntries(Object.entries(value).filter((entry) => !isUsual(entry)));
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return String(JSON.stringify(value));
  return value.trim() === value && /^[^"\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]*$/u.test(value)
    ? value
    : JSON.stringify(value);
}
