// How each reviewer is called, and what is read from what it prints: recordings of the real programs, and what they have
// not printed yet. The golden files have the answers; what needs folders of its own is in codex.test.ts and opencode.test.ts.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findReviewer } from './index.ts';
import type { Reviewer } from './reviewer.ts';

const RECORDED = path.resolve(import.meta.dirname, '../../test/fixtures/recorded');
/** When Claude Code said at what time its limit ends. */
const NOW = Date.parse('2026-11-16T18:46:45Z');
const PASS = '{"verdict":"PASS"}';
const FAIL = '{"verdict":"FAIL"}';

const lines = (...events: unknown[]): string => events.map((event) => JSON.stringify(event)).join('\n');

const FINDINGS = [{ severity: 'low', claim: 'x' }];
const CLAUDE: readonly unknown[] = [
  { result: { verdict: 'PASS' } },
  ...[{ result: FAIL }, { result: 'PASS' }, { result: ' ' }, { is_error: true, result: {} }],
  { structured_output: { verdict: 'MAYBE' }, result: 'x' },
  { structured_output: { verdict: 'MAYBE' }, result: FAIL },
  { structured_output: { verdict: 'PASS' }, result: FAIL },
  { structured_output: { verdict: 'MAYBE', findings: FINDINGS } },
  { result: JSON.stringify({ verdict: 'FAIL', findings: FINDINGS }) },
  ...[true, false].map((is_error) => ({ is_error, structured_output: { verdict: 'PASS' } })),
  ...['error_max_structured_output_retries', 'error_max_turns'].map((subtype) => ({ subtype })),
  ...[0, 428, 429, 430, -1, 429.5, '429'].map((code) => ({ is_error: true, api_error_status: code })),
  ...[{ is_error: false, api_error_status: 429 }, { api_error_status: 429 }],
  ...['Not logged in', 'You are Not logged in', 'Not logged into it'].map((result) => ({
    is_error: true,
    result,
  })),
  { is_error: false, result: 'Not logged in' },
  { is_error: true, api_error_status: 400, result: 'Not logged in' },
  ...[0, -1, 'much'].map((total_cost_usd) => ({ total_cost_usd })),
  ...[
    { total_cost_usd: 0.5, modelUsage: {} },
    { modelUsage: [{ inputTokens: 1 }] },
    { modelUsage: { a: 7 } },
  ],
  { modelUsage: { a: { inputTokens: 1 }, b: { inputTokens: 2, outputTokens: -1 } } },
  {
    modelUsage: {
      a: { inputTokens: 1, cacheCreationInputTokens: 2, cacheReadInputTokens: 3, outputTokens: 4 },
      b: null,
    },
  },
];

const said = (text: string) => ({ type: 'item.completed', item: { type: 'agent_message', text } });
const turn = (usage: unknown = {}) => ({ type: 'turn.completed', usage });
const CODEX: readonly unknown[][] = [
  [said(FAIL), said(PASS), turn()],
  [said(PASS), said('So much for that.'), turn()],
  [{ type: 'item.completed', item: { type: 'command_execution', text: PASS } }, turn()],
  ...[[turn(), said(PASS)], [said(PASS)], [{ ...said(PASS), type: 'item.started' }, turn()]],
  ...[
    [{ type: 'item.completed', item: 7 }, turn()],
    [{ type: 'turn.failed' }],
    [{ type: 'error', message: 7 }],
  ],
  [said(PASS), turn(), { type: 'turn.failed', error: { message: 'x' } }],
  ...['unexpected status 401 Unauthorized', 'unexpected status 404 Not Found', 'Status code: 503'].map(
    failed,
  ),
  ...[
    'error: 500',
    'error code 418 and so on',
    'status 301',
    'status 600',
    'status 4000',
    'substatus 404',
  ].map(failed),
  ...[
    '404',
    'You have HIT your usage limit, status 404',
    '{"error":"no such schema"}',
    '[1]',
    'words',
    ' ',
  ].map(failed),
  [{ type: 'error', message: 'status 404' }],
  [{ type: 'item.completed', message: 'status 404' }],
  [
    { type: 'error', message: 'Reconnecting' },
    { type: 'turn.failed', error: { message: 'x' } },
  ],
  [{ type: 'error', message: 'Reconnecting' }, { type: 'turn.started' }],
  [turn({ input_tokens: 99 }), turn({ input_tokens: 5, cached_input_tokens: 6, output_tokens: 1 })],
  [turn({ input_tokens: 100, cached_input_tokens: 60, cache_write_input_tokens: 10, output_tokens: 5 })],
  [turn('much')],
];
function failed(message: string): unknown[] {
  return [{ type: 'turn.failed', error: { message } }];
}

const result = (more: object) => [{ type: 'result', ...more }];
const structured = (verdict: string) => ({ structured_result: { verdict } });
const QWEN: readonly unknown[] = [
  result({ is_error: true, error: { message: '[API Error: 429 quota]' } }),
  ...[result(structured('MAYBE')), result({ result: FAIL }), result(structured('PASS'))[0], []],
  [{ type: 'assistant', ...structured('PASS') }],
  ...[true, false].map((is_error) => result({ is_error, ...structured('PASS') })),
  ...['PASS', 'MAYBE'].map((verdict) => result({ ...structured(verdict), result: FAIL })),
  ...[
    'It spoke instead of calling the structured_output tool.',
    'It spoke.',
    '[API Error: 401 x]',
    '[API Error: 400]',
  ]
    .concat(['[API Error: 599 x]', '[API Error: 399 x]', '[API Error: 600 x]', '[API Error: 4000]', ' '])
    .map((message) => result({ error: { message } })),
  ...[result({ error: { message: 'An [API Error: 401 x]' } }), result({ error: 'words' })],
  [...result(structured('PASS')), { type: 'x' }],
  [{ type: 'x' }, ...result(structured('PASS'))],
  result({ usage: { input_tokens: 5, cache_read_input_tokens: 6, output_tokens: 1 } }),
  ...[
    result({ usage: 7 }),
    result({ usage: { input_tokens: 100, cache_read_input_tokens: 60, output_tokens: -1 } }),
  ],
];

const piece = (content: unknown, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content,
  ...more,
});
const DONE = { type: 'result', status: 'success' };
const geminiError = (error: unknown) => [{ type: 'result', status: 'error', error }];
const GEMINI: readonly unknown[][] = [
  ...[
    '{"error":{"code":429}}',
    'fetch failed',
    '{"error":{"code":"x"}}',
    '{"error":{"code":401}}',
    '{"error":{"code":1}}',
  ]
    .concat([
      '{"error":5}',
      '5',
      'You have exhausted your daily quota\non it',
      'You have exhausted your capacity',
    ])
    .concat(['You have exhausted your patience'])
    .map((message) => geminiError({ message: `[API Error: ${message}]` })),
  ...[
    'Maximum session turns reached',
    '[API Error: {"error":{"code":503}}] later',
    '[API Error: cut off',
    ' ',
    7,
  ]
    .concat(['An [API Error: {"error":{"code":401}}]'])
    .map((message) => geminiError({ message })),
  ...[
    geminiError('x'),
    [{ type: 'error', error: { message: 'x' } }],
    [...geminiError({ message: 'x' }), { type: 'other' }],
  ],
  [piece('{"verdict":'), piece('"PASS"}'), DONE],
  [piece('{"verdict":'), piece('"PASS"}'), { type: 'tool_use' }, DONE],
  ...['tool_use', 'tool_result'].map((type) => [piece('Let me see.'), { type }, piece(PASS), DONE]),
  ...[
    [piece(PASS), { type: 'tool_result' }, DONE],
    [piece('Let me see.'), piece(PASS), DONE],
  ],
  ...[
    [piece(PASS, { role: 'user' }), DONE],
    [piece(7), piece(PASS), DONE],
    [piece(PASS, { type: 'thought' }), DONE],
  ],
  ...[
    [piece(PASS), { ...DONE, status: 'error' }],
    [piece(PASS), DONE, { type: 'other' }],
  ],
  ...[
    7,
    { input_tokens: 100, cached: 60, output_tokens: -1 },
    { input_tokens: 5, cached: 6, output_tokens: 1 },
  ].map((stats) => [{ type: 'result', stats }]),
];

const message = (data: unknown, type = 'assistant.message') => ({ type, data });
const OVER = { type: 'result', exitCode: 0 };
const sessionError = (data: unknown) => ({ type: 'session.error', data });
const COPILOT: readonly unknown[][] = [
  ...[
    { statusCode: 429 },
    { errorType: 'authentication' },
    { errorType: 'query' },
    { statusCode: 401 },
    'words',
  ].map((data) => [sessionError(data)]),
  ...[
    { statusCode: 429, errorType: 'authentication' },
    { statusCode: 1 },
    { statusCode: '503' },
    { message: 7 },
  ].map((data) => [sessionError(data)]),
  ...[
    [sessionError({ statusCode: 503, errorType: 'query', message: ' ' })],
    [message({ message: 'a' }, 'other')],
  ],
  [sessionError({ statusCode: 500, message: 'a' }), sessionError({ statusCode: 401, message: 'b' })],
  ...[
    [message({ content: PASS, toolRequests: [] }), OVER],
    [message({ content: PASS, toolRequests: {} }), OVER],
  ],
  [message({ content: PASS }), message({ content: PASS, toolRequests: [{}] }), OVER],
  ...[
    [message({ content: PASS }, 'user.message'), OVER],
    [message({ content: PASS }), { ...OVER, exitCode: 1 }],
  ],
  ...[
    [message({ content: 7 }), OVER],
    [message(PASS), OVER],
    [message({ content: PASS }), { type: 'result' }],
  ],
  [message({ content: PASS }), { ...OVER, type: 'other' }],
];

const part = (each: object) => ({ type: 'x', part: each });
const text = (words: string, more: object = {}) =>
  part({ type: 'text', messageID: 'm1', text: words, ...more });
const finish = (more: object = {}) => part({ type: 'step-finish', messageID: 'm1', reason: 'stop', ...more });
const OPENCODE: readonly unknown[][] = [
  ...[
    { data: {} },
    {},
    { data: { statusCode: 401 } },
    { data: { statusCode: 429, message: ' ' } },
    { data: 'x' },
    'x',
  ]
    .concat([{ data: { statusCode: 1, message: 7 } } as object, { data: { statusCode: '401' } }])
    .map((error) => [{ type: 'error', error }]),
  [
    { type: 'error', error: { data: { message: 'a' } } },
    { type: 'error', error: { data: { message: 'b' } } },
    { type: 'x', error: {} },
  ],
  ...[
    [text(PASS), finish()],
    [text(PASS), finish({ reason: 'tool-calls' })],
    [text(PASS), finish({ messageID: 'm2' })],
  ],
  ...[
    [text(FAIL), text(PASS), finish()],
    [text(PASS), text(FAIL, { messageID: 'm2' }), finish()],
    [finish()],
  ],
  ...[
    [text(PASS, { type: 'thought' }), finish()],
    [text(PASS), finish({ type: 'step-start' })],
  ],
  ...[
    [text(PASS), finish(), text(PASS)],
    [text(PASS), finish(), { type: 'error', error: {} }],
  ],
  ...[
    [finish({ cost: -1 }), finish({ cost: 0 })],
    [finish({ cost: 'x' }), text('', { cost: 1 })],
  ],
  [finish({ cost: -1, tokens: 7 }), finish({ cost: 0.5, tokens: { input: 1, cache: 7 } })],
  [
    finish({ cost: 0.25, tokens: { input: 40, output: 5, reasoning: 2, cache: { write: 3, read: 60 } } }),
    finish({ cost: 0.25 }),
  ],
];

const MADE: Readonly<Record<string, readonly string[]>> = {
  claude: CLAUDE.map((envelope) => JSON.stringify(envelope)).concat([
    `a warning\n${lines({ structured_output: { verdict: 'PASS' } })}\n`,
  ]),
  codex: CODEX.map((events) => lines(...events)),
  qwen: QWEN.map((printed) => JSON.stringify(printed)),
  gemini: GEMINI.map((events) => lines(...events)),
  copilot: COPILOT.map((events) => lines(...events)),
  opencode: OPENCODE.map((events) => lines(...events)),
};
const NOTHING_READ = ['', '[]', 'Segmentation fault', '{"total_cost_usd":1e999}'];

const TASK = {
  ...{ model: 'm', prompt: '-p is a "flag".  Review.', file: '/p (1)/plan-review-1.md' },
  ...{ reads: ['/h/taskie'], folder: '/p/.holdfast/attempts/a1-2-c3' },
};
const { reads: _, ...ALONE } = TASK;

const recordingsOf = (name: string) => {
  const folder = path.join(RECORDED, name === 'claude' ? 'claude-code' : name);
  const files = fs.readdirSync(folder).filter((file) => file.startsWith('review-'));
  return files
    .sort()
    .map((file) => ({ file, ...JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) }));
};

/** What is not said is left out. */
function readingOf(reviewer: Reviewer, stdout: string, codes: readonly (number | null)[]): string {
  const verdicts = codes.map((code) => `${code}: ${reviewer.readVerdict(stdout, code)}`).join(', ');
  const readings = {
    why: reviewer.readNoVerdict?.(stdout, NOW),
    reason: reviewer.readReason?.(stdout),
    findings: reviewer.readFindings?.(stdout),
    spend: reviewer.readSpend?.(stdout),
  };
  const found = Object.entries(readings).filter(([, reading]) => reading !== null && reading !== undefined);
  return [`  ${verdicts}`, ...found.map(([what, reading]) => `  ${what} ${JSON.stringify(reading)}`)].join(
    '\n',
  );
}

it.each(Object.keys(MADE))(
  '%s is called and read as its golden file says',
  { tags: ['T-accept-3.3.1'] },
  async (name) => {
    const reviewer = await findReviewer(name);
    const calls = [
      { ...TASK, access: 'full' as const },
      { ...ALONE, model: '', access: 'full' as const },
      { ...TASK, access: 'sandboxed' as const },
      { ...ALONE, model: '', access: 'sandboxed' as const },
    ].map(
      (task) =>
        `${task.access}${task.model === '' ? ' without a model' : ''}\n${JSON.stringify(reviewer.call(task), null, 2)}`,
    );
    const recorded = recordingsOf(name).map(
      ({ file, stdout, exitCode }) => `${file}\n${readingOf(reviewer, stdout, [exitCode, null])}`,
    );
    const { stdout: whole } = recordingsOf(name).find(({ file }) => file === 'review-pass.json');
    const made = [whole.slice(0, -40), ...NOTHING_READ, ...(MADE[name] ?? [])].map(
      (stdout, at) =>
        `${at === 0 ? 'review-pass.json, cut off' : stdout.trim() || '(nothing)'}\n${readingOf(reviewer, stdout, [0, null, 1])}`,
    );
    const golden = [...calls, ...recorded, ...made].join('\n\n');
    await expect(`${golden}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  },
);
