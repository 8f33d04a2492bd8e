// Gemini CLI as a reviewer, headless (0.61.0). It prints an event per line and takes no schema, so its last message is
// the answer. `-e none` leaves our extension out, hook and all. Its exit code is the status of its API, cut to a byte.

import { isObject, parseJson } from '../store/json.ts';
import { below } from '../store/paths.ts';
import { type Event, eventsIn } from './event-lines.ts';
import type { Spend } from './findings.ts';
import { answerInWords, askedInWords } from './in-words.ts';
import { type Answer, findingsIn, verdictIn } from './read-answer.ts';
import { tokenCount } from './read-spend.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export const gemini: Reviewer = {
  name: 'gemini',
  call: (task) => ({
    program: 'gemini',
    args: [
      ...(task.model === '' ? [] : ['--model', task.model]),
      ...accessFlags(task),
      // After the flags that take lists, which would swallow what has no name of its own.
      ...['--output-format', 'stream-json', `--prompt=${askedInWords(task.prompt)}`],
    ],
    env: {},
    ...(task.access === 'sandboxed' ? { files: { [POLICY]: policyFor(task.file) } } : {}),
  }),
  readVerdict,
  readNoVerdict,
  readReason,
  readFindings: (stdout) => findingsIn(answerOf(eventsIn(stdout))),
  readSpend,
};

const POLICY = 'policy.toml';

function accessFlags({ access, folder, reads = [] }: ReviewTask): string[] {
  switch (access) {
    case 'full':
      return ['--skip-trust', '--extensions', 'none', '--approval-mode', 'yolo'];
    case 'sandboxed':
      // Without trust it does not start. With it the project's own settings may start programs, so that is the user's to give.
      return [
        ...['--extensions', 'none', '--approval-mode', 'default', '--policy', below(folder, POLICY)],
        ...reads.flatMap((place) => ['--include-directories', place]),
      ];
  }
}

/** Over all that a user's own rules can say. What no rule allows its model does not even see. */
function policyFor(file: string): string {
  const rule = (tools: readonly string[], decision: string, priority: number, more = ''): string =>
    `[[rule]]\ntoolName = ${JSON.stringify(tools)}\n${more}decision = "${decision}"\npriority = ${priority}\n`;
  return [
    rule(['*'], 'deny', 998),
    rule(['glob', 'grep_search', 'list_directory', 'read_file'], 'allow', 999),
    rule(['write_file', 'replace'], 'allow', 999, `argsPattern = ${JSON.stringify(exactly(file))}\n`),
  ].join('\n');
}

/** As it writes a call's own arguments down, a NUL before and after each: none that lies deeper is taken for one. */
function exactly(file: string): string {
  const argument = `"file_path":${JSON.stringify(file)}`;
  return `\\x00${argument.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\x00`;
}

/** A verdict counts only from a turn that came to its end. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  if (exitCode !== null && exitCode !== 0) return 'failed';
  const events = eventsIn(stdout);
  if (resultIn(events)?.status === 'error') return 'failed';
  return verdictIn(answerOf(events)) ?? 'none';
}

/** Its API's own words as JSON, or the client's. It tries again for minutes where the status is 429 and no day's quota is used up. */
function readNoVerdict(stdout: string): NoVerdict | null {
  const said = /^\[API Error: (.*)\]/s.exec(readReason(stdout) ?? '')?.[1];
  if (said === undefined) return null;
  if (/\bexhausted your (?:daily )?(?:quota|capacity)\b/.test(said))
    return { kind: 'usage-limit', code: null };
  const answer = parseJson(said);
  const status = isObject(answer) && isObject(answer.error) ? tokenCount(answer.error.code) : 0;
  if (status === 401) return { kind: 'not-logged-in', code: null };
  if (status === 429) return { kind: 'usage-limit', code: null };
  return { kind: 'api-error', code: status === 0 ? null : status };
}

/** Why the turn failed. */
function readReason(stdout: string): string | null {
  const error = resultIn(eventsIn(stdout))?.error;
  const message = isObject(error) ? error.message : null;
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}

/** It comes in pieces: all that was said after the last call of a tool. */
function answerOf(events: readonly Event[]): Answer | null {
  if (resultIn(events)?.status !== 'success') return null;
  const lastCall = events.findLastIndex(({ type }) => type === 'tool_use' || type === 'tool_result');
  const pieces = events
    .slice(lastCall + 1)
    .flatMap(({ type, role, content }) =>
      type === 'message' && role === 'assistant' && typeof content === 'string' ? content : [],
    );
  return answerInWords(pieces.join(''));
}

function resultIn(events: readonly Event[]): Event | undefined {
  const last = events.at(-1);
  return last?.type === 'result' ? last : undefined;
}

/** All models together; what came from the cache is part of its input tokens. It names no price. */
function readSpend(stdout: string): Spend | null {
  const stats = resultIn(eventsIn(stdout))?.stats;
  if (!isObject(stats)) return null;
  const cacheRead = tokenCount(stats.cached);
  const input = Math.max(0, tokenCount(stats.input_tokens) - cacheRead);
  return {
    usd: null,
    tokens: { input, cacheCreation: 0, cacheRead, output: tokenCount(stats.output_tokens) },
  };
}
