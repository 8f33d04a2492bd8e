// What README asks its reader to type, in its order: every code block and every mention in a line.

import { fromMarkdown } from 'mdast-util-from-markdown';

export type Readme = {
  /** Commands of a shell, and skills with the mark of a client: `$idle:loop Make the failing tests pass`. */
  typed: readonly string[];
  /** Code blocks that are no commands. */
  unknown: readonly string[];
};

type Node = { type: string; value?: string; children?: readonly Node[] };

const TYPED = /^(?:(?:npm|npx|holdfast|codex|claude|git) |[/$][a-z]+:[a-z-]+)/;

export function readReadme(markdown: string): Readme {
  const typed = new Set<string>();
  const unknown: string[] = [];
  function visit({ type, value = '', children = [] }: Node): void {
    if (type === 'code' || type === 'inlineCode') {
      const commands = value.split(/\n| && /).filter((line) => line.trim() !== '');
      if (commands.every((command) => TYPED.test(command))) for (const each of commands) typed.add(each);
      else if (type === 'code') unknown.push(value);
    }
    for (const child of children) visit(child);
  }
  visit(fromMarkdown(markdown) as Node);
  return { typed: [...typed], unknown };
}
