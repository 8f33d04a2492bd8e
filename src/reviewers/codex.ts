// Codex as a reviewer, headless (0.166.0). It prints an event per line; its last message is the answer, which its API
// holds to the schema and nobody checks here. A request that was refused leaves no such message: nothing counts.

import fs from 'node:fs';
import path from 'node:path';
import { isObject, parseJson } from '../store/json.ts';
import { below } from '../store/paths.ts';
import { type Event, eventsIn } from './event-lines.ts';
import type { Spend } from './findings.ts';
import { type Answer, answerIn, findingsIn, verdictIn } from './read-answer.ts';
import { tokenCount } from './read-spend.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import { STRICT_SCHEMA } from './schema.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export const codex: Reviewer = {
  name: 'codex',
  call: (task) => ({
    program: 'codex',
    args: [
      'exec',
      '--json',
      // Its own switches: a nested Codex fires our hook otherwise, and asks an endpoint that is gone for minutes.
      ...['--ephemeral', '--skip-git-repo-check', '--disable', 'hooks'],
      ...['--disable', 'unbounded_connection_retries'],
      ...(task.model === '' ? [] : ['--model', task.model]),
      ...accessFlags(task),
      ...['--output-schema', below(task.folder, SCHEMA)],
      '--',
      task.prompt,
    ],
    env: {},
    files: { [SCHEMA]: STRICT_SCHEMA },
  }),
  readVerdict,
  readNoVerdict,
  readReason,
  readFindings: (stdout) => findingsIn(answerOf(eventsIn(stdout))),
  readSpend,
};

const SCHEMA = 'schema.json';

function accessFlags(task: ReviewTask): string[] {
  switch (task.access) {
    case 'full':
      return ['--dangerously-bypass-approvals-and-sandbox'];
    case 'sandboxed': {
      // It has no rule for a single file: the review's folder may be written, but nothing that is in it already. A name
      // of its own, since the project's settings may add to a profile whose name they know.
      const profile = `holdfast-${path.basename(task.folder)}`;
      const folder = path.dirname(task.file);
      const rules = [
        ['":root"', 'read'],
        [quoted(folder), 'write'],
        ...filesBeside(task.file).map((place) => [place, 'read']),
      ];
      const files = rules.map(([place, access]) => `${place}="${access}"`).join(',');
      return [
        ...['-c', `default_permissions="${profile}"`],
        ...['-c', `permissions.${profile}={filesystem={${files}},network={enabled=false}}`],
      ];
    }
  }
}

/** One argument takes 128 kB on Linux. What is no text, such as the state, comes first. */
const MOST_FILES = 400;
const MOST_BYTES = 64 * 1024;

/** Its sandbox takes names that are not there, too (0.166.0). The docket is ours to begin. */
const NEVER_ITS = ['docket.json'];

/** Quoted. The review itself is its own to write. */
function filesBeside(review: string): string[] {
  const folder = path.dirname(review);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const last = (name: string): number => Number(name.endsWith('.md'));
  const others = [...new Set([...NEVER_ITS, ...names])].filter((name) => name !== path.basename(review));
  const kept = others.sort((one, other) => last(one) - last(other)).slice(0, MOST_FILES);
  let bytes = 0;
  return kept.flatMap((name) => {
    const place = quoted(below(folder, name));
    bytes += Buffer.byteLength(place) + '="read",'.length;
    return bytes > MOST_BYTES ? [] : place;
  });
}

/** As TOML has it, which takes JSON's strings but for one letter. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/** A verdict counts only from a turn that came to its end. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  if (exitCode !== null && exitCode !== 0) return 'failed';
  const events = eventsIn(stdout);
  if (events[endOf(events)]?.type === 'turn.failed') return 'failed';
  return verdictIn(answerOf(events)) ?? 'none';
}

/** Its own words; it ends with 1 whatever its trouble was. */
function readNoVerdict(stdout: string): NoVerdict | null {
  const said = readReason(stdout);
  if (said === null) return null;
  if (/\bhit your usage limit\b/i.test(said)) return { kind: 'usage-limit', code: null };
  const status = /\b(?:status|error)(?: code)?:? ([45]\d\d)\b/i.exec(said)?.[1];
  if (status === '401') return { kind: 'not-logged-in', code: null };
  if (status !== undefined) return { kind: 'api-error', code: Number(status) };
  // What its API said, as it said it: a request that does not fit, such as a schema it does not take.
  return isObject(parseJson(said)) ? { kind: 'api-error', code: null } : null;
}

/** Why the turn failed. */
function readReason(stdout: string): string | null {
  const failed = eventsIn(stdout).findLast(({ type }) => type === 'turn.failed' || type === 'error');
  const { message } = isObject(failed?.error) ? failed.error : (failed ?? {});
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}

/** The last message of a turn that was completed. */
function answerOf(events: readonly Event[]): Answer | null {
  const end = endOf(events);
  if (events[end]?.type !== 'turn.completed') return null;
  const messages = events
    .slice(0, end)
    .flatMap(({ type, item }) => (type === 'item.completed' && isObject(item) ? [item] : []))
    .filter((item) => item.type === 'agent_message');
  return answerIn(messages.at(-1)?.text);
}

const endOf = (events: readonly Event[]): number =>
  events.findLastIndex(({ type }) => type === 'turn.completed' || type === 'turn.failed');

/** What came from the cache is part of its input tokens, which it counts over the whole turn. It names no price. */
function readSpend(stdout: string): Spend | null {
  const usage = eventsIn(stdout).findLast(({ type }) => type === 'turn.completed')?.usage;
  if (!isObject(usage)) return null;
  const [cacheRead, cacheCreation] = [
    tokenCount(usage.cached_input_tokens),
    tokenCount(usage.cache_write_input_tokens),
  ];
  const input = Math.max(0, tokenCount(usage.input_tokens) - cacheRead - cacheCreation);
  return { usd: null, tokens: { input, cacheCreation, cacheRead, output: tokenCount(usage.output_tokens) } };
}
