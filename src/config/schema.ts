// The keys of `holdfast.config.json`; schema/holdfast.config.schema.json publishes the same for editors. Loaded only
// when a config file exists. Each key stands for itself: one that is unknown, or holds what it may not, is spoken of
// and costs no other key its value.

import * as v from 'valibot';
import { clients } from '../clients/index.ts';
import { A_REVIEWER, isReviewerName } from '../reviewers/names.ts';
import { isObject, parseJson } from '../store/json.ts';
import { ALLOWED, MOST, parseAmount } from './amount.ts';
import { isCheckName } from './check.ts';
import { NOTIFY_EVENTS } from './notify.ts';

/** A hostile repository's file must not fill the terminal; one problem fixed, the next is seen. */
const MOST_PROBLEMS = 5;

/** What counts when it cannot be understood, where ignoring it would not be safe; `says` tells it. */
type Instead<T> = { value: T; says: string };
/** `own`: it counts in the user's own file alone. */
type Key<T> = {
  kind: 'key';
  schema: v.GenericSchema<unknown, T>;
  allowed: string;
  instead?: Instead<T>;
  own?: true;
};
/** `needs`: this key must be there, and a mistake in any of its keys is one in all of it. */
type Section<T> = {
  kind: 'section';
  keys: Readonly<Record<string, Part<unknown>>>;
  instead?: Instead<T>;
  needs?: string;
};
type Named<T> = { kind: 'named'; each: Part<unknown>; names?: Names; type?: T };
type Names = { fits: (name: string) => boolean; allowed: string; most: number };
type Part<T> = Key<T> | Section<T> | Named<T>;
type Holds<P> = P extends Part<infer T> ? T : never;

const key = <T>(
  schema: v.GenericSchema<unknown, T>,
  allowed: string,
  instead?: Instead<NoInfer<T>>,
): Key<T> => ({
  kind: 'key',
  schema,
  allowed,
  ...(instead === undefined ? {} : { instead }),
});

/** What is the user's own affair: who is there to be asked, and how their client shows a hold. */
const ownKey = <T>(schema: v.GenericSchema<unknown, T>, allowed: string): Key<T> => ({
  ...key(schema, allowed),
  own: true,
});

type Keys<K> = { [Name in keyof K]?: Holds<K[Name]> };

const section = <K extends Readonly<Record<string, Part<never> | Part<unknown>>>>(
  keys: K,
  instead?: Instead<Keys<K>>,
  needs?: string,
): Section<Keys<K>> => ({
  kind: 'section',
  keys: keys as Readonly<Record<string, Part<unknown>>>,
  ...(needs === undefined ? {} : { needs }),
  ...(instead === undefined ? {} : { instead }),
});

/** Any names, or those that `names` allows; the same under each. */
const named = <T>(each: Part<T>, names?: Names): Named<Readonly<Record<string, T>>> => ({
  kind: 'named',
  each: each as Part<unknown>,
  ...(names === undefined ? {} : { names }),
});

const text = key(v.string(), 'a text');
const holds = key(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
  'a whole number from 0 to 1000',
);
const limits = { unmoved: holds, tools: holds };

/** They reach a command line, so only what is plainly a name is one. */
const reviewer = v.pipe(v.string(), v.check(isReviewerName));

const SANDBOXED_REVIEWERS = 'reviewers are sandboxed until this is fixed';
const SANDBOXED_CHECKS = 'checks run in a sandbox alone until this is fixed';

/** "All but this" is not known: taken for a name, it would fit no file, and no change would ever count. */
const glob = v.pipe(v.string(), v.regex(/^[^!]/), v.maxLength(1000));
const globs = key(
  v.pipe(v.array(glob), v.minLength(1), v.maxLength(200)),
  'a list of 1 to 200 patterns, such as "src/**", none of which begins with "!"',
);

/** Not blank, and fit for the system: no program takes a NUL. */
const COMMAND_LINE = /^[^\0]*[^\s\0][^\0]*$/;
const commandLine = v.pipe(v.string(), v.regex(COMMAND_LINE), v.maxLength(10_000));
const programAndWords = v.pipe(
  v.tupleWithRest([commandLine], v.pipe(v.string(), v.regex(/^[^\0]*$/), v.maxLength(10_000))),
  v.maxLength(1000),
);

/** What is wrong in one key may change what is run: then none of it is. An entry without `run` is one to be fixed. */
const check = section(
  {
    run: key(v.union([commandLine, programAndWords]), 'a command, or a list of a program and its words'),
    timeout: key(v.pipe(v.number(), v.minValue(1), v.maxValue(7000)), 'a number of seconds from 1 to 7000'),
    retries: key(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)),
      'a whole number from 0 to 10',
    ),
    paths: globs,
    cwd: key(
      v.pipe(v.string(), v.regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\p{Cc}]{1,1000}$/u)),
      'a folder inside the project, relative to its root',
    ),
  },
  { value: {}, says: 'this check does not run, and claims are unproven until it is fixed' },
  'run',
);

const webAddress = v.pipe(v.string(), v.regex(/^https?:\/\/[^\s/]/), v.maxLength(2000));
/** The programs that `holdfast run` starts: what `--client` takes. */
const DRIVABLE = clients.flatMap(({ headless }) => headless?.program ?? []);

const on = v.optional(v.pipe(v.array(v.picklist(NOTIFY_EVENTS)), v.minLength(1)));
/** One way to call somebody in each. */
const notifier = v.union([
  v.strictObject({ run: programAndWords, on }),
  v.strictObject({ webhook: webAddress, on }),
  v.strictObject({ desktop: v.literal(true), on }),
]);
const NOTIFIERS = `a list of { "run": ["program", "word"] }, { "webhook": "https://…" } or { "desktop": true }, each with "on" if it is not for all of ${NOTIFY_EVENTS.join(', ')}`;

export const configFile = section({
  $schema: text,
  guard: section({ ...limits, workflows: named(section(limits)) }),
  review: section(
    {
      timeout: key(v.pipe(v.number(), v.minValue(1), v.maxValue(7000)), 'a number of seconds from 1 to 7000'),
      // Whoever says anything about it wants less than everything: a typing error must not give full access, nor must
      // a word that only a newer version knows.
      access: key(v.picklist(['full', 'sandboxed']), '"full" or "sandboxed"', {
        value: 'sandboxed',
        says: SANDBOXED_REVIEWERS,
      }),
      floor: key(v.picklist(['low', 'medium', 'high']), '"low", "medium" or "high"'),
      floorFrom: key(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
        'a whole number from 1 to 1000',
      ),
      models: ownKey(v.strictTuple([reviewer, reviewer]), `a list of two reviewers, each ${A_REVIEWER}`),
      claudex: ownKey(reviewer, A_REVIEWER),
    },
    { value: { access: 'sandboxed' }, says: SANDBOXED_REVIEWERS },
  ),
  // More of them nobody would read before trusting them.
  checks: named(check, {
    fits: isCheckName,
    allowed: 'a name of letters, digits and . _ : - (at most 64, a letter or digit first)',
    most: 50,
  }),
  proof: section(
    {
      sandbox: key(v.picklist(['never', 'auto', 'always']), '"auto", "always" or "never"', {
        value: 'always',
        says: SANDBOXED_CHECKS,
      }),
      bail: key(v.boolean(), 'true or false'),
      refusals: key(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
        'a whole number from 1 to 1000',
      ),
    },
    { value: { sandbox: 'always' }, says: SANDBOXED_CHECKS },
  ),
  protect: section({ paths: globs, then: key(v.picklist(['notice', 'hold']), '"notice" or "hold"') }),
  journal: section({
    keep: key(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
      'a whole number of megabytes from 1 to 100000',
    ),
  }),
  wait: section({
    work: key(v.pipe(v.number(), v.minValue(0), v.maxValue(86_400)), 'a number of seconds from 0 to 86400'),
    person: ownKey(
      v.pipe(v.number(), v.minValue(60), v.maxValue(31_536_000)),
      'a number of seconds from 60 to 31536000',
    ),
  }),
  ask: ownKey(v.picklist(['wait', 'refuse']), '"wait" or "refuse"'),
  run: section({
    silence: key(
      v.pipe(v.number(), v.minValue(60), v.maxValue(86_400)),
      'a number of seconds from 60 to 86400',
    ),
    client: ownKey(v.picklist(DRIVABLE), `one of ${DRIVABLE.map((name) => `"${name}"`).join(', ')}`),
  }),
  hold: section({ as: ownKey(v.picklist(['block', 'feedback']), '"block" or "feedback"') }),
  budget: section({
    tokens: key(
      v.union([
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST.tokens)),
        v.pipe(
          v.string(),
          v.check((said) => parseAmount('tokens', said) !== null),
        ),
      ]),
      ALLOWED.tokens,
    ),
    hours: key(v.pipe(v.number(), v.minValue(0.001), v.maxValue(MOST.hours)), ALLOWED.hours),
    reviews: key(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST.reviews)), ALLOWED.reviews),
    usd: key(v.pipe(v.number(), v.minValue(0.01), v.maxValue(MOST.usd)), ALLOWED.usd),
  }),
  idle: section({ issues: section({ list: text, show: text }) }),
  notify: ownKey(v.pipe(v.array(notifier), v.maxLength(20)), NOTIFIERS),
});

export type ConfigFile = Holds<typeof configFile>;

export type ReadConfig = {
  file: ConfigFile;
  /** One line each: which key, where, what is allowed, what counts now. */
  problems: readonly string[];
  /** Those of them that only speak of a key we do not know. */
  unknown: readonly string[];
  /** The first mistake under `budget`, an unknown key included: without it, what was bounded would not be. */
  brokenBudget?: string;
};

/** What an unreadable file counts as: it may have asked for the sandbox, and nobody can tell. */
export const UNREADABLE: ConfigFile = { review: { access: 'sandboxed' }, proof: { sandbox: 'always' } };

/** Never throws. */
export function parseConfig(content: string, file: string, whose: 'user' | 'project' = 'user'): ReadConfig {
  const value = parseJson(content.replace(/^\uFEFF/, ''));
  if (value === undefined) return unreadable(`${file}: not valid JSON`);
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
      problems.push({ rank: UNKNOWN, what: `there is no key "${place}"; it is ignored` });
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
