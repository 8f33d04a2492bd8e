// Claude Code as a reviewer, headless. Checked with 2.1.197: `--print` does fire Stop hooks, so it is kept from
// ours by its own switch as well as by our variable; the verdict is at `.structured_output.verdict`.

import { isObject, parseJson } from '../store/json.ts';
import type { Spend } from './findings.ts';
import { asPattern } from './path-pattern.ts';
import { CLAUDE } from './programs.ts';
import { type Answer, answerIn, findingsIn, verdictIn } from './read-answer.ts';
import { addTokens, tokenCount } from './read-spend.ts';
import { resetTimeIn } from './reset-time.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import { LENIENT_SCHEMA } from './schema.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export const claude: Reviewer = {
  name: CLAUDE,
  call: (task) => ({
    program: CLAUDE,
    args: [
      '--print',
      ...(task.model === '' ? [] : ['--model', task.model]),
      ...accessFlags(task),
      '--output-format',
      'json',
      '--json-schema',
      LENIENT_SCHEMA,
      // Last, after an option with exactly one value: those that take lists would swallow it.
      task.prompt,
    ],
    env: {},
  }),
  readVerdict,
  readNoVerdict,
  readReason,
  readFindings: (stdout) => findingsIn(answerOf(parseEnvelope(stdout))),
  readSpend,
};

function accessFlags({ access, file, reads = [] }: ReviewTask): string[] {
  switch (access) {
    case 'full':
      // Unlike safe mode this keeps the project's CLAUDE.md and the user's tools, which a review of code needs.
      return ['--settings', '{"disableAllHooks":true}', '--dangerously-skip-permissions'];
    case 'sandboxed':
      return [
        '--safe-mode',
        '--permission-mode',
        'dontAsk',
        '--tools',
        'Read,Grep,Glob,Write',
        // A rule for Edit covers Write; rules for Write have no effect.
        '--allowedTools',
        `Edit(/${asPattern(file)})`,
        ...reads.map((folder) => `Read(/${asPattern(folder)}/**)`),
      ];
  }
}

/** A verdict counts only from a result that is whole and no error. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  const envelope = parseEnvelope(stdout);
  const isBroken = exitCode !== null && exitCode !== 0;
  if (isBroken || isError(envelope)) return ranToItsEnd(envelope) ? 'none' : 'failed';
  return verdictIn(answerOf(envelope)) ?? 'none';
}

/** Where the client puts it; the same JSON is in `result` as text. */
function answerOf(envelope: Envelope | null): Answer | null {
  const places = [envelope?.structured_output, envelope?.result].map(answerIn);
  return places.find((answer) => verdictIn(answer) !== null) ?? null;
}

/** `usage` has the last turn's main thread alone; `modelUsage` and the cost include subagents (2.1.325). */
function readSpend(stdout: string): Spend | null {
  const envelope = parseEnvelope(stdout);
  const cost = envelope?.total_cost_usd;
  const usd = typeof cost === 'number' && cost >= 0 && Number.isFinite(cost) ? cost : null;
  const models = isObject(envelope?.modelUsage) ? Object.values(envelope.modelUsage).filter(isObject) : [];
  const each = models.map((model) => ({
    input: tokenCount(model.inputTokens),
    cacheCreation: tokenCount(model.cacheCreationInputTokens),
    cacheRead: tokenCount(model.cacheReadInputTokens),
    output: tokenCount(model.outputTokens),
  }));
  const tokens = each.length === 0 ? null : each.reduce(addTokens);
  return usd === null && tokens === null ? null : { usd, tokens };
}

/** A refusal comes as a whole result that is an error (2.1.325): the status of the API, or none and these words. */
function readNoVerdict(stdout: string, now: number): NoVerdict | null {
  const envelope = parseEnvelope(stdout);
  if (envelope?.is_error !== true) return null;
  const status = envelope.api_error_status;
  if (typeof status === 'number' && Number.isSafeInteger(status) && status >= 0)
    return status === 429
      ? { kind: 'usage-limit', code: resetTimeIn(readReason(stdout) ?? '', now) }
      : { kind: 'api-error', code: status };
  const isLoggedOut = /^Not logged in\b/.test(readReason(stdout) ?? '');
  return isLoggedOut ? { kind: 'not-logged-in', code: null } : null;
}

/** Why there was no verdict: `Not logged in · Please run /login` comes on stdout, in the envelope. */
function readReason(stdout: string): string | null {
  const said = parseEnvelope(stdout)?.result;
  return typeof said === 'string' && said.trim() !== '' ? said : null;
}

type Envelope = Readonly<Record<string, unknown>>;

/** One JSON object; a warning the client prints before it does no harm. */
function parseEnvelope(stdout: string): Envelope | null {
  const text = stdout.trim();
  const whole = parseJson(text) ?? parseJson(text.slice(text.lastIndexOf('\n') + 1));
  return isObject(whole) ? whole : null;
}

function isError(envelope: Envelope | null): boolean {
  return envelope?.is_error === true || String(envelope?.subtype ?? '').startsWith('error');
}

/** After five answers that do not fit the schema the client gives up, with exit code 1. */
function ranToItsEnd(envelope: Envelope | null): boolean {
  return envelope?.subtype === 'error_max_structured_output_retries';
}
