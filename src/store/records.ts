// Our own records in `.holdfast/`: whose a run is, what the hook last committed, the review under way.
// They are data like any other: a cloned repository may have brought them, so they are parsed, not believed.

import * as v from 'valibot';
import { isObject, type Json } from './json.ts';

const json = v.custom<Json>((value) => value !== undefined);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What the progress guard remembers of one session's holds on a run. */
const guardMemory = v.object({
  /** Was anything held yet? Before that there is nothing to compare with. */
  held: v.boolean(),
  /** Holds in a row in which nobody else moved the state or an artifact. */
  still: count,
  /** Of these, the last ones in a row without even a tool call. */
  unmoved: count,
  /** The last ones in a row where the transcript could not tell. */
  unknown: count,
  released: v.boolean(),
  /** What the artifacts looked like at the last hold: cheaply, and by content. */
  artifacts: v.object({ stamp: v.string(), content: v.string() }),
  /** The last transcript line seen. */
  marker: v.nullable(v.string()),
  /** The notice last given, so that it is not given again while nothing changes. */
  told: v.nullable(v.string()),
});

const attempt = v.object({
  id: v.string(),
  reviewer: v.string(),
  kind: v.string(),
  number: count,
  /** The review file, relative to the project. */
  file: v.string(),
  model: v.string(),
  owner: v.nullable(v.string()),
  deadline: v.number(),
  status: v.picklist(['running', 'interrupted', 'done']),
  verdict: v.nullable(v.picklist(['clean', 'findings', 'none', 'failed'])),
  /** Fingerprint of the state the review was asked for. */
  before: v.string(),
});

const sidecar = v.object({
  schema: v.literal(1),
  run: v.string(),
  /** Ids of the one session this run belongs to (Codex has two for the same one). */
  sessions: v.array(v.string()),
  /** Fingerprints of the state before and after the hook's own last commit; anything else was moved by someone. */
  committed: v.nullable(v.object({ before: v.string(), after: v.string() })),
  guard: v.pipe(
    // Not v.record, which drops keys such as `constructor`: a session of that name would never be counted.
    v.custom<Readonly<Record<string, unknown>>>(isObject),
    v.transform(Object.entries),
    v.array(v.tuple([v.string(), guardMemory])),
    v.transform((entries): Readonly<Record<string, GuardMemory>> => Object.fromEntries(entries)),
  ),
  attempt: v.nullable(attempt),
  /** Reviews in a row without a verdict, and the state they were for. */
  failures: v.object({ count, state: v.string() }),
  own: v.optional(json),
});

const sessionIndex = v.object({
  schema: v.literal(1),
  /** Runs bound to this session at some time; each run's sidecar has the last word. */
  runs: v.array(v.string()),
  /** Runs of nobody or of others that the user was told about. */
  told: v.array(v.string()),
  /** Modification time of each workflow's folder when strangers' runs were last looked for. */
  looked: v.record(v.string(), v.number()),
});

export type GuardMemory = v.InferOutput<typeof guardMemory>;
export type Attempt = v.InferOutput<typeof attempt>;
export type Sidecar = v.InferOutput<typeof sidecar>;
export type SessionIndex = v.InferOutput<typeof sessionIndex>;

export const NO_GUARD_MEMORY: GuardMemory = {
  held: false,
  still: 0,
  unmoved: 0,
  unknown: 0,
  released: false,
  artifacts: { stamp: '', content: '' },
  marker: null,
  told: null,
};

export function newSidecar(run: string): Sidecar {
  return {
    schema: 1,
    run,
    sessions: [],
    committed: null,
    guard: {},
    attempt: null,
    failures: { count: 0, state: '' },
  };
}

export const NEW_SESSION: SessionIndex = { schema: 1, runs: [], told: [], looked: {} };

export type Parsed<Record> = { kind: 'ok'; record: Record } | { kind: 'newer' } | { kind: 'broken' };

export const parseSidecar = (value: unknown): Parsed<Sidecar> => parse(sidecar, value);
export const parseSession = (value: unknown): Parsed<SessionIndex> => parse(sessionIndex, value);

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Parsed<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, value);
  if (result.success) return { kind: 'ok', record: result.output };
  return schemaOf(value) > 1 ? { kind: 'newer' } : { kind: 'broken' };
}

function schemaOf(value: unknown): number {
  const found = v.safeParse(v.object({ schema: v.number() }), value);
  return found.success ? found.output.schema : 0;
}
