// What README asks its reader to type, and what it shows as the answer: every code block and every mention in a line.

import { fromMarkdown } from 'mdast-util-from-markdown';

/** `shown`: the lines README prints as the command's output; null when it shows none. */
export type ReadmeCommand = { command: string; shown: readonly string[] | null };

export type Readme = {
  commands: readonly ReadmeCommand[];
  /** As typed in a client, without the words after it: `/idle:loop`. */
  skills: readonly string[];
  /** What a client's screen shows after a skill was typed. */
  screens: readonly { typed: string; lines: readonly string[] }[];
  /** What goes into holdfast.config.json. */
  configs: readonly string[];
  /** Code blocks that are none of these. */
  unknown: readonly string[];
};

type Node = { type: string; value?: string; children?: readonly Node[] };

const PROGRAM = /^(npm|npx|holdfast|node|codex|claude|git) /;
const SKILL = /^\/[a-z]+:[a-z-]+/;

export function readReadme(markdown: string): Readme {
  const commands: { command: string; shown: string[] | null }[] = [];
  const skills: string[] = [];
  const screens: { typed: string; lines: string[] }[] = [];
  const configs: string[] = [];
  const unknown: string[] = [];

  function readBlock(lines: readonly string[], before: Node | undefined): void {
    const [first = ''] = lines;
    if (lines.every((line) => PROGRAM.test(line)))
      commands.push(...lines.flatMap(alternatives).map((command) => ({ command, shown: null })));
    else if (first.startsWith('$ ')) readTerminal(lines);
    else if (first.startsWith('{ "')) configs.push(lines.join('\n'));
    else if (first.startsWith('> ') && SKILL.test(first.slice(2))) {
      skills.push(...(first.slice(2).match(SKILL) ?? []));
      screens.push({ typed: first.slice(2), lines: lines.slice(1) });
    } else {
      // What a command of the block before prints.
      const last = commands.at(-1);
      if (before === undefined || last === undefined || last.shown !== null) unknown.push(lines.join('\n'));
      else last.shown = [...lines];
    }
  }

  function readTerminal(lines: readonly string[]): void {
    for (const line of lines) {
      if (line.startsWith('$ ')) commands.push({ command: line.slice(2), shown: [] });
      else commands.at(-1)?.shown?.push(line);
    }
  }

  let block: Node | undefined;
  function visit(node: Node): void {
    const value = node.value ?? '';
    if (node.type === 'code') {
      const lines = value.split('\n').filter((line) => line.trim() !== '');
      readBlock(lines, block);
      block = node;
    }
    if (node.type === 'inlineCode' && PROGRAM.test(value))
      commands.push(...alternatives(value).map((command) => ({ command, shown: null })));
    if (node.type === 'inlineCode' && SKILL.test(value)) skills.push(...(value.match(SKILL) ?? []));
    for (const child of node.children ?? []) visit(child);
  }
  visit(fromMarkdown(markdown) as Node);
  return { commands, skills, screens, configs, unknown };
}

/** `a && b` is two commands; `holdfast idle loop TASK | grind` is `holdfast idle loop TASK` and `holdfast idle grind`. */
function alternatives(line: string): string[] {
  return line.split(' && ').flatMap((command) => {
    const [first = '', ...others] = command.split('|').map((part) => part.trim());
    if (others.length === 0) return first;
    const words = first.split(/ +/);
    // What stands before the words that differ: the last word in lower case is the first of them.
    const differs = words.findLastIndex((word) => /^[a-z]/.test(word));
    const prefix = words.slice(0, differs).join(' ');
    return [words.join(' '), ...others.map((other) => `${prefix} ${other}`)];
  });
}
