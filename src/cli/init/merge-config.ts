// Adds checks to the text of a holdfast.config.json, and leaves everything else in it as it stands.

import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser/lib/esm/main.js';

export function withChecks(text: string | null, checks: readonly { name: string; run: string }[]): string {
  const lines = checks.map(({ name, run }) => `${JSON.stringify(name)}: { "run": ${JSON.stringify(run)} }`);
  const tree = parseTree(text ?? '{}');
  if (tree === undefined) throw new Error('a config that was read is JSON');
  const before = text ?? '{}\n';
  const known = findNodeAtLocation(tree, ['checks']);
  if (known !== undefined) return withEntries(before, known, lines, 2);
  const indent = indentOf(before);
  const eol = eolOf(before);
  const all = `"checks": {${lines.map((line) => `${eol}${indent}${indent}${line}`).join(',')}${eol}${indent}}`;
  return withEntries(before, tree, [all], 1);
}

/** Behind the last entry, in a line of its own where that one has one. */
function withEntries(
  text: string,
  { offset, length, children }: Node,
  entries: readonly string[],
  depth: number,
): string {
  const [indent, eol] = [indentOf(text), eolOf(text)];
  const line = `${eol}${indent.repeat(depth)}`;
  const last = children?.at(-1);
  if (last === undefined) {
    const block = `{${entries.map((entry) => `${line}${entry}`).join(',')}${eol}${indent.repeat(depth - 1)}}`;
    return `${text.slice(0, offset)}${block}${text.slice(offset + length)}`;
  }
  const end = last.offset + last.length;
  const between = text.slice(offset, last.offset).includes('\n') ? line : ' ';
  return `${text.slice(0, end)}${entries.map((entry) => `,${between}${entry}`).join('')}${text.slice(end)}`;
}

const indentOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
