// Reads a `holdfast.config.json`. Each key stands for itself: one that is unknown, or holds what it may not, is spoken of
// and costs no other key its value.

import * as v from 'valibot';
import { isObject, parseJson } from '../store/json.ts';
import { didYouMean } from '../text/nearest.ts';
import type { Named, Part, Section } from './parts.ts';
import { type ConfigFile, configFile } from './schema.ts';

/** A hostile repository's file must not fill the terminal; one problem fixed, the next is seen. */
const MOST_PROBLEMS = 5;

export type ReadConfig = {
  file: ConfigFile;
  /** One line each: which key, where, what is allowed, what counts now. */
  problems: readonly string[];
  /** Those of them that only speak of a key we do not know. */
  unknown: readonly string[];
  /** The first mistake under `budget`, an unknown key included: without it, what was bounded would not be. */
  brokenBudget?: string;
  /** Its text is no JSON: whoever reads it says where. */
  notJson?: true;
};

/** What an unreadable file counts as: it may have asked for the sandbox, and nobody can tell. */
export const UNREADABLE: ConfigFile = { review: { access: 'sandboxed' }, proof: { sandbox: 'always' } };

/** Never throws. */
export function parseConfig(content: string, file: string, whose: 'user' | 'project' = 'user'): ReadConfig {
  const value = parseJson(content.replace(/^\uFEFF/, ''));
  if (value === undefined) return { ...unreadable(`${file}: not valid JSON`), notJson: true };
  if (!isObject(value)) return unreadable(`${file}: the whole file: expected an object, got ${shown(value)}`);
  const found: Problem[] = [];
  const taken = take(configFile, value, '', found);
  const read = (whose === 'user' ? taken : withoutOwn(configFile, taken, '', found)) as ConfigFile;
  // Those that change what is allowed come first: an unknown key is the least of them.
  const sorted = found.sort((one, other) => one.rank - other.rank).slice(0, MOST_PROBLEMS);
  const lines = sorted.map((problem) => ({ ...problem, line: inOneLine(problem.what, file) }));
  const broken = found.find(({ what }) => /^(?:there is no key ")?budget[.:]/.test(what));
  return {
    ...(broken === undefined
      ? {}
      : { brokenBudget: inOneLine(broken.what.replace(/; [^;]* is ignored$/, ''), file) }),
    file: read,
    problems: lines.map(({ line }) => line),
    unknown: lines.flatMap(({ rank, line }) => (rank === UNKNOWN ? line : [])),
  };
}

/** `what` is wrong with the whole file. */
export function unreadable(what: string): ReadConfig {
  const line = `${what}; it is ignored, and reviewers and checks are sandboxed until it is fixed or removed`;
  return { file: UNREADABLE, problems: [line], unknown: [] };
}

const REPLACED = 0;
const BAD = 1;
const UNKNOWN = 2;
type Problem = { rank: number; what: string };

/** What can be used of it; undefined when that is nothing. */
function take(part: Part<unknown>, value: unknown, at: string, problems: Problem[]): unknown {
  if (part.kind === 'key') {
    if (v.is(part.schema, value)) return value;
    return refuse(part, `${at}: expected ${part.allowed}, got ${shown(value)}`, problems);
  }
  if (!isObject(value)) return refuse(part, `${at}: expected an object, got ${shown(value)}`, problems);
  if (part.kind === 'section' && part.needs !== undefined)
    return takeWhole(part, part.needs, value, at, problems);
  return takeEntries(part, part.kind === 'named' ? usable(part, value, at, problems) : value, at, problems);
}

function takeEntries(
  part: Section<unknown> | Named<unknown>,
  value: Readonly<Record<string, unknown>>,
  at: string,
  problems: Problem[],
): object {
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const place = at === '' ? name : `${at}.${name}`;
    const known = part.kind === 'named' ? part.each : keyNamed(part.keys, name);
    if (known === undefined) {
      const near = part.kind === 'named' ? '' : didYouMean(name, Object.keys(part.keys));
      problems.push({ rank: UNKNOWN, what: `there is no key "${place}"${near}; it is ignored` });
      return [];
    }
    const taken = take(known, inner, place, problems);
    return taken === undefined ? [] : [[name, taken] as const];
  });
  return Object.fromEntries(entries);
}

/** Leaves out what a project's file may not set. */
function withoutOwn(part: Part<unknown>, value: unknown, at: string, problems: Problem[]): unknown {
  if (part.kind === 'key' && part.own) {
    problems.push({ rank: BAD, what: `${at}: only your own file may set this; it is ignored` });
    return undefined;
  }
  if (part.kind !== 'section' || !isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const known = keyNamed(part.keys, name);
    const kept = known && withoutOwn(known, inner, at === '' ? name : `${at}.${name}`, problems);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}

function takeWhole(
  part: Section<unknown>,
  needed: string,
  value: Readonly<Record<string, unknown>>,
  at: string,
  problems: Problem[],
): unknown {
  const found: Problem[] = [];
  const taken = takeEntries(part, value, at, found);
  const missing = Object.hasOwn(taken, needed) ? [] : [`${at}: there is no "${needed}"`];
  const wrong = [...found.flatMap(({ rank, what }) => (rank === BAD ? what : [])), ...missing];
  problems.push(...found.filter(({ rank }) => rank !== BAD));
  const [first] = wrong;
  return first === undefined ? taken : refuse(part, first.replace(IGNORED, ''), problems);
}

/** What is under a name that is not allowed, or one too many, is spoken of and left out. */
function usable(
  { names }: Named<unknown>,
  value: Readonly<Record<string, unknown>>,
  at: string,
  problems: Problem[],
): Readonly<Record<string, unknown>> {
  if (names === undefined) return value;
  const { fits, allowed, most } = names;
  const all = Object.entries(value);
  const good = all.filter(([name]) => fits(name));
  for (const [name] of all)
    if (!fits(name)) problems.push({ rank: BAD, what: `${at}.${name}: expected ${allowed}; it is ignored` });
  if (good.length > most)
    problems.push({
      rank: BAD,
      what: `${at}: expected at most ${most}, got ${good.length}; those after "${good[most - 1]?.[0]}" are ignored`,
    });
  return Object.fromEntries(good.slice(0, most));
}

const IGNORED = '; this key is ignored';

function refuse(part: Part<unknown>, what: string, problems: Problem[]): unknown {
  const instead = 'instead' in part ? part.instead : undefined;
  problems.push(
    instead === undefined
      ? { rank: BAD, what: `${what}${IGNORED}` }
      : { rank: REPLACED, what: `${what}; ${instead.says}` },
  );
  return instead?.value;
}

/** Not what every object has, such as `constructor`. */
function keyNamed(keys: Section<unknown>['keys'], name: string): Part<unknown> | undefined {
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return isObject(value) ? 'an object' : String(value);
}

/** Keys and values are the repository's: they may hold line ends and codes that steer a terminal. */
function inOneLine(what: string, file: string): string {
  const plain = what.replaceAll(/\p{Cc}+/gu, ' ');
  // The end says what counts now.
  const cut = plain.length <= 300 ? plain : `${plain.slice(0, 200)} … ${plain.slice(-90)}`;
  return `${file}: ${cut}`;
}
