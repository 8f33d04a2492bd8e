// The keys of `holdfast.config.json`; schema/holdfast.config.schema.json publishes the same for editors. Loaded only
// when a config file exists.

import * as v from 'valibot';
import { clients } from '../clients/index.ts';
import { A_REVIEWER, isReviewerName } from '../reviewers/names.ts';
import { ALLOWED, MOST, parseAmount } from './amount.ts';
import { isCheckName } from './check.ts';
import { NOTIFY_EVENTS } from './notify.ts';
import { type Holds, key, named, ownKey, section } from './parts.ts';

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
      acceptRed: ownKey(
        v.pipe(v.array(v.pipe(v.string(), v.check(isCheckName))), v.maxLength(50)),
        'a list of names of checks, at most 50',
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
  hold: section({ as: ownKey(v.picklist(['auto', 'block', 'feedback']), '"auto", "block" or "feedback"') }),
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
