// The keys of `holdfast.config.json`; schema/holdfast.config.schema.json publishes the same for editors. Loaded only
// when a config file exists. Each key stands for itself: one that is unknown, or holds what it may not, is spoken of
// and costs no other key its value.

import * as v from 'valibot';
import { isObject, parseJson } from '../store/json.ts';

/** A hostile repository's file must not fill the terminal; one problem fixed, the next is seen. */
const MOST_PROBLEMS = 5;

/** `instead`: what counts when the key cannot be understood, where ignoring it would not be safe. */
type Key<T> = { kind: 'key'; schema: v.GenericSchema<unknown, T>; allowed: string; instead?: T };
type Section<T> = { kind: 'section'; keys: Readonly<Record<string, Part<unknown>>>; instead?: T };
type Named<T> = { kind: 'named'; each: Part<unknown>; type?: T };
type Part<T> = Key<T> | Section<T> | Named<T>;
type Holds<P> = P extends Part<infer T> ? T : never;

const key = <T>(schema: v.GenericSchema<unknown, T>, allowed: string, instead?: T): Key<T> => ({
  kind: 'key',
  schema,
  allowed,
  ...(instead === undefined ? {} : { instead }),
});

type Keys<K> = { [Name in keyof K]?: Holds<K[Name]> };

const section = <K extends Readonly<Record<string, Part<never> | Part<unknown>>>>(
  keys: K,
  instead?: Keys<K>,
): Section<Keys<K>> => ({
  kind: 'section',
  keys: keys as Readonly<Record<string, Part<unknown>>>,
  ...(instead === undefined ? {} : { instead }),
});

/** Any names, the same under each. */
const named = <T>(each: Part<T>): Named<Readonly<Record<string, T>>> => ({
  kind: 'named',
  each: each as Part<unknown>,
});

const text = key(v.string(), 'a text');
const holds = key(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
  'a whole number from 0 to 1000',
);
const limits = { unmoved: holds, tools: holds };

export const configFile = section({
  $schema: text,
  guard: section({ ...limits, workflows: named(section(limits)) }),
  review: section(
    {
      timeout: key(v.pipe(v.number(), v.minValue(1), v.maxValue(7000)), 'a number of seconds from 1 to 7000'),
      // Whoever says anything about it wants less than everything: a typing error must not give full access, nor must
      // a word that only a newer version knows.
      access: key(v.picklist(['full', 'sandboxed']), '"full" or "sandboxed"', 'sandboxed'),
    },
    { access: 'sandboxed' },
  ),
  journal: section({
    keep: key(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
      'a whole number of megabytes from 1 to 100000',
    ),
  }),
  idle: section({ issues: section({ list: text, show: text }) }),
});

export type ConfigFile = Holds<typeof configFile>;

export type ReadConfig = {
  file: ConfigFile;
  /** One line each: which key, where, what is allowed, what counts now. */
  problems: readonly string[];
  /** Those of them that only speak of a key we do not know. */
  unknown: readonly string[];
};

/** What an unreadable file counts as: it may have asked for the sandbox, and nobody can tell. */
export const UNREADABLE: ConfigFile = { review: { access: 'sandboxed' } };

/** Never throws. */
export function parseConfig(content: string, file: string): ReadConfig {
  const value = parseJson(content.replace(/^\uFEFF/, ''));
  if (value === undefined) return unreadable(`${file}: not valid JSON`);
  if (!isObject(value)) return unreadable(`${file}: the whole file: expected an object, got ${shown(value)}`);
  const found: Problem[] = [];
  const read = take(configFile, value, '', found) as ConfigFile;
  // Those that change what is allowed come first: an unknown key is the least of them.
  const sorted = found.sort((one, other) => one.rank - other.rank).slice(0, MOST_PROBLEMS);
  const lines = sorted.map((problem) => ({ ...problem, line: inOneLine(problem.what, file) }));
  return {
    file: read,
    problems: lines.map(({ line }) => line),
    unknown: lines.flatMap(({ rank, line }) => (rank === UNKNOWN ? line : [])),
  };
}

/** `what` is wrong with the whole file. */
export function unreadable(what: string): ReadConfig {
  const line = `${what}; it is ignored, and reviewers are sandboxed until it is fixed or removed`;
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
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const place = at === '' ? name : `${at}.${name}`;
    const known = part.kind === 'named' ? part.each : ownKey(part.keys, name);
    if (known === undefined) {
      problems.push({ rank: UNKNOWN, what: `there is no key "${place}"; it is ignored` });
      return [];
    }
    const taken = take(known, inner, place, problems);
    return taken === undefined ? [] : [[name, taken] as const];
  });
  return Object.fromEntries(entries);
}

function refuse(part: Part<unknown>, what: string, problems: Problem[]): unknown {
  const instead = 'instead' in part ? part.instead : undefined;
  problems.push(
    instead === undefined
      ? { rank: BAD, what: `${what}; this key is ignored` }
      : { rank: REPLACED, what: `${what}; reviewers are sandboxed until this is fixed` },
  );
  return instead;
}

/** Not what every object has, such as `constructor`. */
function ownKey(keys: Section<unknown>['keys'], name: string): Part<unknown> | undefined {
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
