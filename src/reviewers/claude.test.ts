import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claude } from './claude.ts';
import { LENIENT_SCHEMA } from './schema.ts';

const recorded = (name: string): { stdout: string; exitCode: number } => {
  const folder = path.resolve(import.meta.dirname, '../../test/fixtures/recorded/claude-code');
  return JSON.parse(fs.readFileSync(path.join(folder, `review-${name}.json`), 'utf8'));
};

/** When the client said at what time its limit ends. */
const RECORDED_AT = Date.parse('2026-11-16T18:46:45Z');

const task = {
  model: 'opus',
  prompt: 'Read and review.',
  file: '/p/plan-review-1.md',
  reads: ['/h/taskie'],
  folder: '/p/.holdfast/attempts/a1',
};

describe('claude as a reviewer', () => {
  it.each([
    ['pass', 'clean'],
    ['fail', 'findings'],
    ['missing', 'none'],
    ['invalid', 'none'],
    ['api-error', 'failed'],
    ['rate-limit', 'failed'],
    ['usage-limit-2.1.325', 'failed'],
    ['weekly-limit-2.1.325', 'failed'],
    ['not-logged-in', 'failed'],
    ['findings-2.1.325', 'findings'],
    ['findings-sandboxed-2.1.325', 'findings'],
    ['findings-none-2.1.325', 'clean'],
    ['findings-retried-2.1.325', 'findings'],
  ])('reads what the real client printed (%s) as %s', { tags: ['T-accept-3.3.1'] }, (name, verdict) => {
    const { stdout, exitCode } = recorded(name);
    expect(claude.readVerdict(stdout, exitCode)).toBe(verdict);
  });

  it.each([
    ['pass', null],
    ['fail', null],
    ['missing', null],
    ['invalid', null],
    ['api-error', { kind: 'api-error', code: 400 }],
    ['rate-limit', { kind: 'usage-limit', code: null }],
    // At 19:53 UTC, and on 21 November at 10:53 in Berlin: each when that minute is over.
    ['usage-limit-2.1.325', { kind: 'usage-limit', code: Date.parse('2026-11-16T19:54:00Z') / 1000 }],
    ['weekly-limit-2.1.325', { kind: 'usage-limit', code: Date.parse('2026-11-21T09:54:00Z') / 1000 }],
    ['not-logged-in', { kind: 'not-logged-in', code: null }],
  ])('tells why there is no verdict from what the real client printed (%s)', (name, cause) => {
    expect(claude.readNoVerdict?.(recorded(name).stdout, RECORDED_AT)).toEqual(cause);
  });

  it.each(['', 'no JSON', '[]', '{"is_error":true}', '{"is_error":true,"api_error_status":-1.5,"result":7}'])(
    'tells nothing from %j',
    (stdout) => expect(claude.readNoVerdict?.(stdout, RECORDED_AT)).toBeNull(),
  );

  it('takes a verdict whose hook died, but no error', () => {
    expect(claude.readVerdict(recorded('pass').stdout, null)).toBe('clean');
    expect(claude.readVerdict(recorded('api-error').stdout, null)).toBe('failed');
    expect(claude.readVerdict(recorded('pass').stdout.slice(0, -40), null)).toBe('none');
  });

  it('lists findings, and what it cost with its subagents', () => {
    const { stdout } = recorded('findings-2.1.325');
    expect(claude.readFindings?.(stdout)?.list).toMatchObject([
      { severity: 'high', file: 'src/total.ts', line: 12, claim: 'The sum leaves out the last row.' },
      { severity: 'medium', file: 'src/total.ts', line: null, evidence: null },
      { severity: 'low', file: null, line: null },
    ]);
    expect(claude.readFindings?.(recorded('findings-none-2.1.325').stdout)).toBeNull();
    expect(claude.readFindings?.(recorded('fail').stdout)).toBeNull();
    const spend = claude.readSpend?.(recorded('pass').stdout);
    expect(spend).toEqual({
      usd: 0.001,
      tokens: { input: 100, cacheCreation: 0, cacheRead: 0, output: 20 },
    });
    expect(
      claude.readSpend?.('{"modelUsage":{"a":{"inputTokens":1},"b":{"inputTokens":2,"outputTokens":-1}}}'),
    ).toEqual({
      usd: null,
      tokens: { input: 3, cacheCreation: 0, cacheRead: 0, output: 0 },
    });
    expect(claude.readSpend?.('')).toBeNull();
    expect(claude.readSpend?.('{"total_cost_usd":"much"}')).toBeNull();
  });

  it('takes the findings from where it takes the verdict', () => {
    const findings = '[{"severity":"low","claim":"x"}]';
    const text = JSON.stringify({ result: `{"verdict":"FAIL","findings":${findings}}` });
    expect(claude.readFindings?.(text)?.list).toHaveLength(1);
    expect(
      claude.readFindings?.(`{"structured_output":{"verdict":"MAYBE","findings":${findings}}}`),
    ).toBeNull();
  });

  it('is asked for its default model by no flag', () => {
    expect(claude.call({ ...task, model: '', access: 'full' }).args).not.toContain('--model');
  });

  it('takes no verdict from a process that failed', () => {
    expect(claude.readVerdict(recorded('pass').stdout, 1)).toBe('failed');
  });

  it.each([
    ['{"result":{"verdict":"PASS"}}', 'clean'],
    ['{"result":"{\\"verdict\\":\\"FAIL\\"}"}', 'findings'],
    ['{"result":"PASS"}', 'none'],
    ['{"structured_output":{"verdict":"MAYBE"},"result":"x"}', 'none'],
    ['a warning\n{"structured_output":{"verdict":"PASS"}}\n', 'clean'],
    ['[]', 'none'],
    ['', 'none'],
  ])('reads %s as %s', (stdout, verdict) => {
    expect(claude.readVerdict(stdout, 0)).toBe(verdict);
  });

  it('gives the reason the real client printed, and none where it printed no text', () => {
    expect(claude.readReason?.(recorded('not-logged-in').stdout)).toBe('Not logged in · Please run /login');
    expect(claude.readReason?.('{"is_error":true,"result":{}}')).toBeNull();
    expect(claude.readReason?.('{"result":" "}')).toBeNull();
    expect(claude.readReason?.('Segmentation fault')).toBeNull();
  });

  it('is called with everything allowed, hooks off, and the prompt last', {
    tags: ['T-accept-3.2.3'],
  }, () => {
    const { program, args } = claude.call({ ...task, access: 'full' });
    expect(program).toBe('claude');
    expect(args).toEqual([
      '--print',
      '--model',
      'opus',
      '--settings',
      '{"disableAllHooks":true}',
      '--dangerously-skip-permissions',
      '--output-format',
      'json',
      '--json-schema',
      LENIENT_SCHEMA,
      'Read and review.',
    ]);
  });

  it('sandboxed may read, and write the one review file', () => {
    const { args } = claude.call({ ...task, access: 'sandboxed' });
    expect(args).not.toContain('--dangerously-skip-permissions');
    expect(args.join(' ')).toContain(
      '--safe-mode --permission-mode dontAsk --tools Read,Grep,Glob,Write --allowedTools Edit(//p/plan-review-1.md) Read(//h/taskie/**) --output-format',
    );
  });

  it('sandboxed is given these flags and no others, and reads the project alone unless it is said', () => {
    const { reads: _, ...alone } = task;
    expect(claude.call({ ...alone, model: '', access: 'sandboxed' })).toEqual({
      program: 'claude',
      args: [
        ...['--print', '--safe-mode', '--permission-mode', 'dontAsk', '--tools', 'Read,Grep,Glob,Write'],
        ...['--allowedTools', 'Edit(//p/plan-review-1.md)'],
        ...['--output-format', 'json', '--json-schema', LENIENT_SCHEMA, 'Read and review.'],
      ],
      env: {},
    });
  });

  it.each([
    [{ is_error: true, structured_output: { verdict: 'PASS' } }, 0, 'failed'],
    [{ is_error: false, structured_output: { verdict: 'PASS' } }, 0, 'clean'],
    [{ structured_output: { verdict: 'MAYBE' }, result: '{"verdict":"FAIL"}' }, 0, 'findings'],
    [{ structured_output: { verdict: 'PASS' }, result: '{"verdict":"FAIL"}' }, null, 'clean'],
    [{ subtype: 'error_max_structured_output_retries' }, 1, 'none'],
    [{ subtype: 'error_max_structured_output_retries' }, 0, 'none'],
    [{ subtype: 'error_max_turns' }, 1, 'failed'],
    [{ subtype: 'error_max_turns' }, 0, 'failed'],
  ])('reads %j, ended with %j, as %s', (envelope, exitCode, verdict) => {
    expect(claude.readVerdict(JSON.stringify(envelope), exitCode)).toBe(verdict);
  });

  it.each([
    [
      { is_error: true, api_error_status: 0 },
      { kind: 'api-error', code: 0 },
    ],
    [
      { is_error: true, api_error_status: 428 },
      { kind: 'api-error', code: 428 },
    ],
    [
      { is_error: true, api_error_status: 430 },
      { kind: 'api-error', code: 430 },
    ],
    [
      { is_error: true, api_error_status: 429 },
      { kind: 'usage-limit', code: null },
    ],
    [{ is_error: true, api_error_status: -1 }, null],
    [{ is_error: true, api_error_status: 429.5 }, null],
    [{ is_error: true, api_error_status: '429' }, null],
    [{ is_error: false, api_error_status: 429 }, null],
    [{ api_error_status: 429 }, null],
    [
      { is_error: true, result: 'Not logged in' },
      { kind: 'not-logged-in', code: null },
    ],
    [{ is_error: true, result: 'You are Not logged in' }, null],
    [{ is_error: true, result: 'Not logged into it' }, null],
    [{ is_error: false, result: 'Not logged in' }, null],
    [
      { is_error: true, api_error_status: 400, result: 'Not logged in' },
      { kind: 'api-error', code: 400 },
    ],
  ])('tells from %j: %j', (envelope, cause) => {
    expect(claude.readNoVerdict?.(JSON.stringify(envelope), RECORDED_AT)).toEqual(cause);
  });

  it.each([
    ['{"total_cost_usd":0}', { usd: 0, tokens: null }],
    ['{"total_cost_usd":-1}', null],
    ['{"total_cost_usd":1e999}', null],
    ['{"total_cost_usd":0.5,"modelUsage":{}}', { usd: 0.5, tokens: null }],
    ['{"modelUsage":[{"inputTokens":1}]}', null],
    ['{"modelUsage":{"a":7}}', null],
    [
      '{"modelUsage":{"a":{"inputTokens":1,"cacheCreationInputTokens":2,"cacheReadInputTokens":3,"outputTokens":4},"b":null}}',
      { usd: null, tokens: { input: 1, cacheCreation: 2, cacheRead: 3, output: 4 } },
    ],
  ])('reads what it cost from %s', (stdout, spend) => {
    expect(claude.readSpend?.(stdout)).toEqual(spend);
  });
});
