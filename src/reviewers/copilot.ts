// Copilot CLI as a reviewer, headless (1.0.102). It prints an event per line and takes no schema, so its last message is
// the answer. It has no switch that silences a plugin's hooks: our variable keeps ours out.

import { isObject } from '../store/json.ts';
import { type Event, eventsIn } from './event-lines.ts';
import { answerInWords, askedInWords } from './in-words.ts';
import { type Answer, findingsIn, verdictIn } from './read-answer.ts';
import { tokenCount } from './read-spend.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

/** It names what it used nowhere but in requests that count for its plan, so there is no spend to read. */
export const copilot: Reviewer = {
  name: 'copilot',
  call: (task) => ({
    program: 'copilot',
    args: [
      ...(task.model === '' ? [] : ['--model', task.model]),
      ...accessFlags(task),
      ...['--no-ask-user', '--output-format', 'json', `--prompt=${askedInWords(task.prompt)}`],
    ],
    env: {},
  }),
  readVerdict,
  readNoVerdict,
  readReason,
  readFindings: (stdout) => findingsIn(answerOf(eventsIn(stdout))),
};

/** Without a person to ask, whatever is not allowed is denied. */
function accessFlags({ access, file, reads = [] }: ReviewTask): string[] {
  switch (access) {
    case 'full':
      return ['--allow-all'];
    case 'sandboxed':
      return [
        ...['--available-tools=view,grep,glob,create,edit', `--allow-tool=write(${file})`],
        ...reads.flatMap((folder) => ['--add-dir', folder]),
      ];
  }
}

/** A verdict counts only from a turn that came to its end. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  if (exitCode !== null && exitCode !== 0) return 'failed';
  const events = eventsIn(stdout);
  const end = events.at(-1);
  if (end?.type === 'result' && tokenCount(end.exitCode) > 0) return 'failed';
  return verdictIn(answerOf(events)) ?? 'none';
}

function readNoVerdict(stdout: string): NoVerdict | null {
  const error = errorIn(eventsIn(stdout));
  if (error === null) return null;
  const status = tokenCount(error.statusCode);
  if (status === 401 || error.errorType === 'authentication') return { kind: 'not-logged-in', code: null };
  if (status === 429) return { kind: 'usage-limit', code: null };
  return status === 0 ? null : { kind: 'api-error', code: status };
}

/** Why the turn failed. */
function readReason(stdout: string): string | null {
  const message = errorIn(eventsIn(stdout))?.message;
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}

function errorIn(events: readonly Event[]): Event | null {
  const data = events.findLast(({ type }) => type === 'session.error')?.data;
  return isObject(data) ? data : null;
}

/** The last message of a session that ended well. One that calls tools is no last word. */
function answerOf(events: readonly Event[]): Answer | null {
  const end = events.at(-1);
  if (end?.type !== 'result' || end.exitCode !== 0) return null;
  const message = events.findLast(({ type }) => type === 'assistant.message')?.data;
  if (!isObject(message)) return null;
  const calls = message.toolRequests;
  return Array.isArray(calls) && calls.length > 0 ? null : answerInWords(message.content);
}
