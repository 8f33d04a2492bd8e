// Splits a command line into flags and free words. Flags come first: parsing stops at the first free word or
// at `--`, so that a topic may hold anything.

import { parseArgs } from 'node:util';
import { type Call, type Command, WrongUsage } from '../engine/workflow-cli.ts';

export type Parsed = Pick<Call, 'flags' | 'words'>;

export function parseCommandLine(args: readonly string[], command: Command, name: string): Parsed {
  const split = firstWord(args, command);
  const words = args.slice(args[split] === '--' ? split + 1 : split);
  const flags = parseFlags(joinNegatives(args.slice(0, split), command), command, name);
  if (words.length < command.words.least)
    throw new WrongUsage(`${name}: something is missing. ${usageOf(command, name)}`);
  if (words.length > command.words.most)
    throw new WrongUsage(
      `${name}: "${words[command.words.most]}" is one word too many. ${usageOf(command, name)}`,
    );
  return { flags, words };
}

export function usageOf(command: Command, name: string): string {
  return `Usage: holdfast ${name} ${command.usage}`.trim();
}

function parseFlags(args: readonly string[], command: Command, name: string): Parsed['flags'] {
  try {
    return parseArgs({ args: [...args], options: command.options, strict: true, allowPositionals: false })
      .values;
  } catch (error) {
    const what = error instanceof Error ? (error.message.split(/\.\s|\.$/)[0] ?? '') : String(error);
    throw new WrongUsage(`${name}: ${what}. ${usageOf(command, name)}`);
  }
}

/** `--rounds -1` as `--rounds=-1`: parseArgs takes a number below zero for a flag, and the command has the clearer error. */
function joinNegatives(args: readonly string[], command: Command): string[] {
  const joined: string[] = [];
  for (let position = 0; position < args.length; position++) {
    const word = args[position] ?? '';
    const next = args[position + 1] ?? '';
    const isNegative = takesValue(word, command) && /^-\.?\d/.test(next);
    joined.push(isNegative ? `${word}=${next}` : word);
    if (isNegative) position++;
  }
  return joined;
}

function firstWord(args: readonly string[], command: Command): number {
  for (let position = 0; position < args.length; position++) {
    const word = args[position] ?? '';
    if (word === '--' || !word.startsWith('-') || word === '-') return position;
    if (takesValue(word, command)) position++;
  }
  return args.length;
}

function takesValue(word: string, command: Command): boolean {
  return command.options[word.replace(/^--/, '')]?.type === 'string';
}
