// Qwen Code as a reviewer, headless (0.24.4). It prints one list of messages; the last is the result, with the answer
// that it has held to the schema. One that never gives such an answer ends it with exit code 1.

import { isObject, parseJson } from '../store/json.ts';
import type { Spend } from './findings.ts';
import { asPattern } from './path-pattern.ts';
import { type Answer, answerIn, findingsIn, verdictIn } from './read-answer.ts';
import { tokenCount } from './read-spend.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import { LENIENT_SCHEMA } from './schema.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export const qwen: Reviewer = {
  name: 'qwen',
  call: (task) => ({
    program: 'qwen',
    args: [
      ...(task.model === '' ? [] : ['--model', task.model]),
      ...accessFlags(task),
      // After the flags that take lists, which would swallow what has no name of its own.
      ...['--output-format', 'json', '--json-schema', LENIENT_SCHEMA, `--prompt=${task.prompt}`],
    ],
    env: {},
  }),
  readVerdict,
  readNoVerdict,
  readReason,
  readFindings: (stdout) => findingsIn(answerOf(resultIn(stdout))),
  readSpend,
};

/** Without a person to ask, whatever is not allowed is denied. */
function accessFlags({ access, file, reads = [] }: ReviewTask): string[] {
  switch (access) {
    case 'full':
      // Unlike safe mode this keeps the project's QWEN.md; our own hook is off by its variable.
      return ['--approval-mode', 'yolo'];
    case 'sandboxed':
      return [
        ...['--safe-mode', '--approval-mode', 'default', '--allowed-tools'],
        // A rule for Edit covers writing, but leaves the tool for it switched off (0.24.4): it takes both.
        ...[`WriteFile(/${asPattern(file)})`, `Edit(/${asPattern(file)})`],
        ...reads.map((folder) => `Read(/${asPattern(folder)}/**)`),
      ];
  }
}

/** A verdict counts only from a result that is whole and no error. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  const result = resultIn(stdout);
  const isBroken = exitCode !== null && exitCode !== 0;
  if (isBroken || result?.is_error === true) return ranToItsEnd(stdout) ? 'none' : 'failed';
  return verdictIn(answerOf(result)) ?? 'none';
}

/** Where it puts what it checked; the same JSON is in `result` as text. */
function answerOf(result: Result | null): Answer | null {
  const places = [result?.structured_result, result?.result].map(answerIn);
  return places.find((answer) => verdictIn(answer) !== null) ?? null;
}

/** It names the API's status in its own words, and tries again for minutes where that is 429. */
function readNoVerdict(stdout: string): NoVerdict | null {
  const status = /^\[API Error: ([45]\d\d)\b/.exec(readReason(stdout) ?? '')?.[1];
  if (status === undefined) return null;
  if (status === '401') return { kind: 'not-logged-in', code: null };
  if (status === '429') return { kind: 'usage-limit', code: null };
  return { kind: 'api-error', code: Number(status) };
}

/** Why it failed. */
function readReason(stdout: string): string | null {
  const error = resultIn(stdout)?.error;
  const message = isObject(error) ? error.message : null;
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}

/** It said something, but not in the form it was asked for. */
function ranToItsEnd(stdout: string): boolean {
  return readReason(stdout)?.includes('instead of calling the structured_output tool') === true;
}

type Result = Readonly<Record<string, unknown>>;

function resultIn(stdout: string): Result | null {
  const list = parseJson(stdout.trim());
  const last: unknown = Array.isArray(list) ? list.at(-1) : null;
  return isObject(last) && last.type === 'result' ? last : null;
}

/** What came from the cache is part of its input tokens. It names no price. */
function readSpend(stdout: string): Spend | null {
  const usage = resultIn(stdout)?.usage;
  if (!isObject(usage)) return null;
  const cacheRead = tokenCount(usage.cache_read_input_tokens);
  const input = Math.max(0, tokenCount(usage.input_tokens) - cacheRead);
  return {
    usd: null,
    tokens: { input, cacheCreation: 0, cacheRead, output: tokenCount(usage.output_tokens) },
  };
}
