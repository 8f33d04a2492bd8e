// The shape of `holdfast.config.json`; schema/holdfast.config.schema.json publishes the same for editors.
// Loaded only when a config file exists.

import * as v from 'valibot';
import { parseJson } from '../store/json.ts';

const holds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000));

const limits = { unmoved: v.optional(holds), tools: v.optional(holds) };

const configFile = v.strictObject({
  $schema: v.optional(v.string()),
  guard: v.optional(
    v.strictObject({
      ...limits,
      workflows: v.optional(v.record(v.string(), v.strictObject(limits))),
    }),
  ),
  review: v.optional(
    v.strictObject({
      timeout: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(7000))),
      access: v.optional(v.picklist(['full', 'sandboxed'])),
    }),
  ),
  idle: v.optional(
    v.strictObject({
      issues: v.optional(v.strictObject({ list: v.optional(v.string()), show: v.optional(v.string()) })),
    }),
  ),
});

export type ConfigFile = v.InferOutput<typeof configFile>;

/** Never throws: a bad file counts as empty, and each problem names the key and what was expected there. */
export function parseConfig(text: string, file: string): { file: ConfigFile; problems: readonly string[] } {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined)
    return { file: {}, problems: [`${file}: not valid JSON; it is ignored, mend or remove it`] };
  const parsed = v.safeParse(configFile, value);
  if (parsed.success) return { file: parsed.output, problems: [] };
  return { file: {}, problems: parsed.issues.map((issue) => describe(issue, file)) };
}

function describe(issue: v.BaseIssue<unknown>, file: string): string {
  const key = v.getDotPath(issue) ?? 'the whole file';
  const expected =
    issue.expected === null ? issue.message : `expected ${issue.expected}, got ${issue.received}`;
  return `${file}: ${key}: ${expected}; the file is ignored until this is mended`;
}
