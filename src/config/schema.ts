// The shape of `holdfast.config.json`; schema/holdfast.config.schema.json publishes the same for editors.
// Loaded only when a config file exists.

import * as v from 'valibot';
import { isObject, parseJson } from '../store/json.ts';

/** A hostile repository's file must not fill the terminal; one problem mended, the next is seen. */
const MOST_PROBLEMS = 5;

/** valibot's own takes a list for an object. */
const object = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.unknown(), onlyObject, v.strictObject(entries));
const onlyObject = v.check(isObject, (issue) => `expected Object, got ${issue.received}`);

const holds = v.pipe(v.number(), v.integer('expected a whole number'), v.minValue(0), v.maxValue(1000));

const limits = { unmoved: v.optional(holds), tools: v.optional(holds) };

export const configFile = object({
  $schema: v.optional(v.string()),
  guard: v.optional(
    object({
      ...limits,
      workflows: v.optional(v.pipe(v.unknown(), onlyObject, v.record(v.string(), object(limits)))),
    }),
  ),
  review: v.optional(
    object({
      timeout: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(7000))),
      access: v.optional(v.picklist(['full', 'sandboxed'])),
    }),
  ),
  idle: v.optional(
    object({
      issues: v.optional(object({ list: v.optional(v.string()), show: v.optional(v.string()) })),
    }),
  ),
});

export type ConfigFile = v.InferOutput<typeof configFile>;

/** Never throws: a bad file counts as empty, and each problem names the key and what was expected there. */
export function parseConfig(text: string, file: string): { file: ConfigFile; problems: readonly string[] } {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined)
    return { file: {}, problems: [`${file}: not valid JSON; it is ignored, mend or remove it`] };
  const parsed = v.safeParse(configFile, value, { abortPipeEarly: true });
  if (parsed.success) return { file: parsed.output, problems: [] };
  return { file: {}, problems: parsed.issues.slice(0, MOST_PROBLEMS).map((issue) => describe(issue, file)) };
}

function describe(issue: v.BaseIssue<unknown>, file: string): string {
  const key = v.getDotPath(issue) ?? 'the whole file';
  // Keys and values are the repository's: they may hold line ends and codes that steer a terminal.
  const said = problemWith(issue, key)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 300);
  return `${file}: ${said}; the file is ignored until this is mended`;
}

function problemWith({ expected, received, message }: v.BaseIssue<unknown>, key: string): string {
  // What a key that is not known could hold: nothing.
  if (expected === 'never') return `there is no key "${key}"`;
  return `${key}: ${expected === null ? message : `expected ${expected}, got ${received}`}`;
}
