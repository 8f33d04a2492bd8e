// opencode as a reviewer, headless (1.18.33). It prints an event per line and takes no schema, so its last message is the
// answer. `--pure` leaves plugins out, and ours with them.

import fs from 'node:fs';
import path from 'node:path';
import { isObject } from '../store/json.ts';
import { below } from '../store/paths.ts';
import { type Event, eventsIn } from './event-lines.ts';
import type { Spend, Tokens } from './findings.ts';
import { answerInWords, askedInWords } from './in-words.ts';
import { type Answer, findingsIn, verdictIn } from './read-answer.ts';
import { addTokens, tokenCount } from './read-spend.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export const opencode: Reviewer = {
  name: 'opencode',
  call: (task) => ({
    program: 'opencode',
    args: [
      ...['run', '--pure', '--format', 'json'],
      ...(task.model === '' ? [] : ['--model', task.model]),
      ...(task.access === 'full' ? ['--auto'] : []),
      // It puts quotes around what has blanks in it, and joins the rest with blanks.
      ...['--', ...askedInWords(task.prompt).split(' ')],
    ],
    env: accessVariables(task),
  }),
  readVerdict,
  readNoVerdict,
  readReason,
  readFindings: (stdout) => findingsIn(answerOf(eventsIn(stdout))),
  readSpend,
};

function accessVariables({ access, file, reads = [] }: ReviewTask): Record<string, string> {
  switch (access) {
    case 'full':
      return {};
    case 'sandboxed':
      return {
        // The project's own settings could allow more, or start programs.
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_PERMISSION: JSON.stringify(permissions(file, reads)),
      };
  }
}

/** Said one by one, since a rule of the user's own may stand after the one for all. */
const DENIED = ['bash', 'task', 'skill', 'todowrite', 'lsp', 'webfetch', 'websearch', 'codesearch'];

/** The last rule that fits counts. */
function permissions(file: string, reads: readonly string[]): object {
  const allowed = (places: readonly string[]): object =>
    Object.fromEntries([['*', 'deny'], ...places.map((place) => [place, 'allow'])]);
  return {
    '*': 'deny',
    ...Object.fromEntries(DENIED.map((tool) => [tool, 'deny'])),
    ...Object.fromEntries(['read', 'grep', 'glob', 'list'].map((tool) => [tool, 'allow'])),
    edit: allowed(namesOf(file)),
    external_directory: allowed(reads.map((folder) => `${folder}/*`)),
  };
}

/** It names a file from the top of its repository, or from the root where there is none. */
function namesOf(file: string): string[] {
  const tops = foldersAbove(file).filter((folder) => fs.existsSync(below(folder, '.git')));
  // Its patterns know `*` and `?`: a name with one of them must not stand for other files as well.
  return [...new Set([...tops, '/'])].map((top) => path.relative(top, file).replaceAll('*', '?'));
}

function foldersAbove(place: string): string[] {
  const folder = path.dirname(place);
  return folder === place ? [] : [folder, ...foldersAbove(folder)];
}

/** A verdict counts only from a turn that came to its end. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  if (exitCode !== null && exitCode !== 0) return 'failed';
  const events = eventsIn(stdout);
  if (partsOf(events).at(-1)?.type === 'error') return 'failed';
  return verdictIn(answerOf(events)) ?? 'none';
}

function readNoVerdict(stdout: string): NoVerdict | null {
  const data = errorIn(stdout)?.data;
  const status = isObject(data) ? tokenCount(data.statusCode) : 0;
  if (status === 401) return { kind: 'not-logged-in', code: null };
  if (status === 429) return { kind: 'usage-limit', code: null };
  return status === 0 ? null : { kind: 'api-error', code: status };
}

/** Why the turn failed. */
function readReason(stdout: string): string | null {
  const data = errorIn(stdout)?.data;
  const message = isObject(data) ? data.message : null;
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}

function errorIn(stdout: string): Event | null {
  const error = eventsIn(stdout).findLast(({ type }) => type === 'error')?.error;
  return isObject(error) ? error : null;
}

/** What was said in the last step, which must be one that ended the turn. */
function answerOf(events: readonly Event[]): Answer | null {
  const end = partsOf(events).at(-1);
  if (end?.type !== 'step-finish' || end.reason !== 'stop') return null;
  const texts = partsOf(events).filter(
    ({ type, messageID }) => type === 'text' && messageID === end.messageID,
  );
  return answerInWords(texts.at(-1)?.text);
}

/** An error has none, and takes the place of one. */
function partsOf(events: readonly Event[]): Event[] {
  return events.map(({ type, part }) => (isObject(part) ? part : { type }));
}

/** Each step names its own. What was thought counts as output. */
function readSpend(stdout: string): Spend | null {
  const steps = partsOf(eventsIn(stdout)).filter(({ type }) => type === 'step-finish');
  if (steps.length === 0) return null;
  const usd = steps.reduce((sum, { cost }) => sum + costIn(cost), 0);
  return { usd: usd > 0 ? usd : null, tokens: steps.map(tokensOf).reduce(addTokens) };
}

/** Nothing is said where the price of a model is not known. */
const costIn = (cost: unknown): number =>
  typeof cost === 'number' && Number.isFinite(cost) && cost > 0 ? cost : 0;

function tokensOf({ tokens }: Event): Tokens {
  const counts = isObject(tokens) ? tokens : {};
  const cache = isObject(counts.cache) ? counts.cache : {};
  return {
    input: tokenCount(counts.input),
    cacheCreation: tokenCount(cache.write),
    cacheRead: tokenCount(cache.read),
    output: tokenCount(counts.output) + tokenCount(counts.reasoning),
  };
}
