// Claude Code as a reviewer, headless. Checked with 2.1.197: `--print` does fire Stop hooks, so it is kept from
// ours by its own switch as well as by our variable; the verdict is at `.structured_output.verdict`.

import { isObject, parseJson } from '../store/json.ts';
import { resetTimeIn } from './reset-time.ts';
import type { Reviewer, ReviewTask } from './reviewer.ts';
import type { NoVerdict, Verdict } from './verdict.ts';

export const claude: Reviewer = {
  name: 'claude',
  call: (task) => ({
    program: 'claude',
    args: [
      '--print',
      '--model',
      task.model,
      ...accessFlags(task),
      '--output-format',
      'json',
      '--json-schema',
      VERDICT_SCHEMA,
      // Last, after an option with exactly one value: those that take lists would swallow it.
      task.prompt,
    ],
    env: {},
  }),
  readVerdict,
  readNoVerdict,
  readReason,
};

const VERDICT_SCHEMA = JSON.stringify({
  type: 'object',
  properties: { verdict: { type: 'string', enum: ['PASS', 'FAIL'] } },
  required: ['verdict'],
});

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
        `Edit(/${file})`,
        ...reads.map((folder) => `Read(/${folder}/**)`),
      ];
  }
}

/** A verdict counts only from a result that is whole and no error; anything else is none. */
function readVerdict(stdout: string, exitCode: number | null): Verdict {
  const envelope = parseEnvelope(stdout);
  if (exitCode !== null && exitCode !== 0) return ranToItsEnd(envelope) ? 'none' : 'failed';
  if (envelope === null || envelope.is_error === true) return 'none';
  return verdictOf(envelope.structured_output) ?? verdictOf(envelope.result) ?? 'none';
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

/** After five answers that do not fit the schema the client gives up, with exit code 1. */
function ranToItsEnd(envelope: Envelope | null): boolean {
  return envelope?.subtype === 'error_max_structured_output_retries';
}

function verdictOf(place: unknown): Verdict | null {
  const answer = typeof place === 'string' ? parseJson(place) : place;
  if (!isObject(answer)) return null;
  if (answer.verdict === 'PASS') return 'clean';
  return answer.verdict === 'FAIL' ? 'findings' : null;
}
