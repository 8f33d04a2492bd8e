// Waits as nobody's Holdfast writes them, payloads as no client sends them: what records, clocks and rules make of
// them. What must hold is in waiting.test.ts and, against planted defects, in waiting-defects.test.ts.

import fc from 'fast-check';
import { parseSidecar } from '../../src/store/parse-records.ts';
import { NO_WAITS, newSidecar, type Sidecar, type Waiting } from '../../src/store/records.ts';
import { ODDITIES } from './broken.ts';
import { NOW, SESSION } from './corpus.ts';

export const DAY = 24 * 60 * 60_000;

/** Numbers of every kind that JSON can hold; some of them are times near now. */
export const number: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1e15, 8.64e15, 8.64e15 + 1, 9e15, 2 ** 53, 1e21, 1e300, -1e300, -8.64e15),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1.7e308),
  fc.integer({ min: -500, max: 500 }).map((days) => NOW + days * DAY),
  fc.integer({ min: -100_000, max: 100_000 }).map((by) => NOW + by),
  fc.double({ noNaN: true }),
);

const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODDITIES, 'rate_limit', 'x'.repeat(100_000)),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const shown = fc.oneof(
  fc.constant(null),
  fc.record({ marker: fc.option(text), turn: fc.option(fc.oneof(text, fc.constant('p1'))) }),
);

/** Of the right shape, whatever it says. */
export const waiting: fc.Arbitrary<Waiting> = fc.record(
  {
    for: fc.constantFrom('work', 'person', 'limit'),
    since: number,
    until: fc.option(number),
    what: text,
    shown,
    reviewer: text,
  },
  { requiredKeys: ['for', 'since', 'until', 'what'] },
);

const count = fc.oneof(
  fc.constantFrom(0, 1, 3, 4, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, 9e15),
  fc.nat(),
);

export const waits = fc.record({
  ...{ waited: count, questions: count },
  ...{ calls: count, called: count, callsAtHold: count },
});

/** Anything else, in their place. */
const anything = fc.oneof(
  number,
  text,
  fc.constantFrom(null, true, [], {}, 'NaN', ['person'], { for: 'person' }, { for: 'constructor' }),
  fc.object({ maxDepth: 2 }),
);

export type Notes = { waiting: unknown; waits: unknown };

export const notes: fc.Arbitrary<Notes> = fc.record(
  {
    waiting: fc.oneof({ weight: 4, arbitrary: waiting }, { weight: 1, arbitrary: anything }),
    waits: fc.oneof({ weight: 4, arbitrary: waits }, { weight: 1, arbitrary: anything }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Notes>;

/** JSON has no infinity, but a number that is too large is read as one. */
export function asText(record: object): string {
  const mark = 'number:';
  const marked = JSON.stringify(record, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? `${mark}${value}` : value,
  );
  return marked.replaceAll(/"number:(-?)Infinity"/g, '$11e999');
}

/** As it is read from a file; null: it is not readable as one. */
export function read(text: string): Sidecar | null {
  const parsed = parseSidecar(JSON.parse(text));
  return parsed.kind === 'ok' ? parsed.record : null;
}

export function sidecarWith(run: string, owner: string, { waiting, waits }: Partial<Notes>): string {
  return asText({
    ...newSidecar(run),
    sessions: [owner],
    ...(waiting === undefined ? {} : { waiting }),
    ...(waits === undefined ? {} : { waits }),
  });
}

/** Every kind of wait that a repository could bring along, each as long as it can make it. */
export const FORGED: readonly (readonly [string, Notes])[] = (
  [
    ['work', { for: 'work', what: 'a subagent' }],
    ['a question', { for: 'person', what: 'Which one?', shown: null }],
    ['a question that was shown', { for: 'person', what: 'Which one?', shown: { marker: 'u1', turn: 'p1' } }],
    ['a question shown nowhere', { for: 'person', what: 'W', shown: { marker: null, turn: null } }],
    ['a limit', { for: 'limit', what: 'rate_limit' }],
    ['a reviewer’s limit', { for: 'limit', what: 'usage-limit', reviewer: 'claude' }],
  ] as const
).map(([name, kind]) => [
  name,
  {
    waiting: { ...kind, since: Date.now() + DAY / 2, until: 9e15 },
    waits: { ...NO_WAITS, waited: 9e15, questions: 9e15, called: 9e15 },
  },
]);

/** Of any shape, where a client says what runs. */
export const running: fc.Arbitrary<object> = fc.record(
  {
    background_tasks: fc.oneof(anything, fc.array(fc.oneof(anything, task()), { maxLength: 6 })),
    session_crons: fc.oneof(anything, fc.array(fc.oneof(anything, cron()), { maxLength: 6 })),
  },
  { requiredKeys: [] },
);

function task(): fc.Arbitrary<object> {
  const word = fc.oneof(fc.constantFrom('subagent', 'shell', 'running', 'completed', 'SUBAGENT'), anything);
  return fc.record({ id: word, type: word, status: word, command: word }, { requiredKeys: [] });
}

function cron(): fc.Arbitrary<object> {
  return fc.record(
    { id: anything, recurring: fc.oneof(fc.boolean(), anything), prompt: anything },
    { requiredKeys: [] },
  );
}

/** Read naively: does a subagent run? */
export function hasSubagent(payload: unknown): boolean {
  const tasks = (payload as { background_tasks?: unknown }).background_tasks;
  if (!Array.isArray(tasks)) return false;
  return tasks.some((each) => each?.type === 'subagent' && each?.status === 'running');
}

export { NOW, SESSION };
