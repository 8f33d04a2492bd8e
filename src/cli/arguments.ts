// Splits a command line into options and words. An option may stand anywhere before `--`; an argument with a blank in
// it is never one, and after `--` everything is a word, so that a task may hold anything.

import { type Call, type Command, WrongUsage } from '../engine/workflow-cli.ts';
import { didYouMean } from '../text/nearest.ts';

export type Parsed = Pick<Call, 'flags' | 'words' | 'amongWords'>;

export function parseCommandLine(args: readonly string[], command: Command, name: string): Parsed {
  const flags: Record<string, string | boolean | (string | boolean)[]> = {};
  const words: string[] = [];
  const amongWords: string[] = [];
  for (let position = 0; position < args.length; position++) {
    const arg = args[position] ?? '';
    if (arg === '--') {
      words.push(...args.slice(command.passesOn ? position : position + 1));
      break;
    }
    const option = isWord(arg, words, command) ? null : optionIn(arg, command);
    if (option === null || (option.known === null && command.passesOn && words.length > 0)) {
      words.push(arg);
      continue;
    }
    const { key, known, value } = option;
    if (known === null)
      throw new WrongUsage(`${name}: ${unknownOption(arg, command)} ${usageOf(command, name)}`);
    const takesNext = known.type === 'string' && value === null;
    const next = takesNext ? args[++position] : undefined;
    const wrong = whatIsWrong(arg, known.type, value, next);
    if (wrong !== null) throw new WrongUsage(`${name}: ${wrong} ${usageOf(command, name)}`);
    const given = known.type === 'string' ? (value ?? next ?? '') : true;
    flags[key] = known.multiple ? [...[flags[key] ?? []].flat(), given] : given;
    if (words.length > beforeText(command)) amongWords.push(takesNext ? `${arg} ${next}` : arg);
  }
  refuseCount(words, command, name);
  return { flags, words, amongWords };
}

export function usageOf(command: Command, name: string): string {
  return `Usage: holdfast ${name} ${command.usage}`.trim();
}

/** After the first word a single dash begins no option but one of ours: `-Wall` may belong to the task. */
function isWord(arg: string, words: readonly string[], command: Command): boolean {
  if (!arg.startsWith('-') || arg === '-') return true;
  const { known, value } = optionIn(arg, command);
  // No start has an option with a blank in its value; elsewhere one may, such as an answer.
  if (/\s/.test(arg)) return command.starts === true || known === null || value === null;
  return !arg.startsWith('--') && words.length > 0 && known === null;
}

/** How many words come before the text: a name, or the workflow and the command that `run` starts. */
function beforeText({ passesOn, words }: Command): number {
  return passesOn ? 2 : words.least;
}

type Option = {
  key: string;
  /** Null: the command has no such option. */
  known: Command['options'][string] | null;
  /** What stands after `=`. */
  value: string | null;
};

function optionIn(arg: string, { options }: Command): Option {
  const [given = '', value = null] = arg.split(/=(.*)/s, 2);
  const found = Object.entries(options).find(([key, { short }]) =>
    given.startsWith('--') ? key === given.slice(2) : short === given.slice(1),
  );
  return { key: found?.[0] ?? '', known: found?.[1] ?? null, value };
}

function unknownOption(arg: string, { options, words, passesOn }: Command): string {
  const [given = ''] = arg.split('=');
  const meant = didYouMean(
    given,
    Object.keys(options).map((key) => `--${key}`),
  );
  const inText =
    words.most > 1 ? ' Where it belongs to the text, quote the text as a whole, or put -- before it.' : '';
  const elsewhere = passesOn ? " A start's own options come after its name." : inText;
  return `there is no option ${given}${meant}.${elsewhere}`;
}

function whatIsWrong(
  arg: string,
  type: 'string' | 'boolean',
  value: string | null,
  next: string | undefined,
): string | null {
  const [given = ''] = arg.split('=');
  if (type === 'boolean') return value === null ? null : `${given} takes no value.`;
  if (value !== null) return null;
  if (next === undefined) return `${given} needs a value after it.`;
  // A number below zero is a value: the command has the clearer error.
  const isOption = next.startsWith('-') && next !== '-' && !/^-\.?\d/.test(next);
  return isOption ? `${given} needs a value; one that begins with a dash is written ${given}=${next}.` : null;
}

function refuseCount(words: readonly string[], command: Command, name: string): void {
  const { least, most } = command.words;
  if (words.length < least) {
    const [, missing = 'something'] = command.usage.match(/(?:^|\s)(<[^>]+>)/) ?? [];
    throw new WrongUsage(`${name}: ${missing} is missing. ${usageOf(command, name)}`);
  }
  if (words.length > most)
    throw new WrongUsage(`${name}: "${words[most]}" is one word too many. ${usageOf(command, name)}`);
}
