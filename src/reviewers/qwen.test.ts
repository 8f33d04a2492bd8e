import { describe, expect, it } from 'vitest';
import { type RecordedReview, readsRecordings, recordedReview } from '../../test/support/recorded-reviews.ts';
import { qwen } from './qwen.ts';
import { LENIENT_SCHEMA } from './schema.ts';

const recorded = (name: string): RecordedReview => recordedReview('qwen', name);

const task = {
  model: 'qwen3-coder',
  prompt: '-p is a flag. Review.',
  file: '/p/plan-review-1.md',
  reads: ['/h/taskie'],
  folder: '/p/.holdfast/attempts/a1',
};

describe('qwen as a reviewer', () => {
  readsRecordings(
    qwen,
    { pass: 'clean', fail: 'findings', missing: 'none', 'api-error': 'failed', 'not-logged-in': 'failed' },
    {
      pass: null,
      missing: null,
      'api-error': { kind: 'api-error', code: 400 },
      'not-logged-in': { kind: 'not-logged-in', code: null },
    },
  );

  it('knows a usage limit by its status', () => {
    const result = { type: 'result', is_error: true, error: { message: '[API Error: 429 quota]' } };
    expect(qwen.readNoVerdict?.(JSON.stringify([result]), 0)).toEqual({ kind: 'usage-limit', code: null });
  });

  it.each([
    ['[{"type":"result","structured_result":{"verdict":"MAYBE"}}]', 'none'],
    ['[{"type":"result","result":"{\\"verdict\\":\\"FAIL\\"}"}]', 'findings'],
    ['[{"type":"assistant","structured_result":{"verdict":"PASS"}}]', 'none'],
    ['{"type":"result","structured_result":{"verdict":"PASS"}}', 'none'],
    ['[]', 'none'],
    ['', 'none'],
  ])('reads %s as %s', (stdout, verdict) => {
    expect(qwen.readVerdict(stdout, 0)).toBe(verdict);
    expect(qwen.readReason?.(stdout)).toBeNull();
  });

  it('lists findings, and what it used', () => {
    const { stdout } = recorded('fail');
    expect(qwen.readFindings?.(stdout)?.list).toMatchObject([
      { severity: 'high', file: 'src/total.ts', line: 12, claim: 'The sum leaves out the last row.' },
      { severity: 'low', file: null, line: null },
    ]);
    expect(qwen.readFindings?.(recorded('pass').stdout)).toBeNull();
    const tokens = { input: 100, cacheCreation: 0, cacheRead: 0, output: 10 };
    expect(qwen.readSpend?.(stdout)).toEqual({ usd: null, tokens });
    const usage = { input_tokens: 100, cache_read_input_tokens: 60, output_tokens: -1 };
    expect(qwen.readSpend?.(JSON.stringify([{ type: 'result', usage }]))).toEqual({
      usd: null,
      tokens: { input: 40, cacheCreation: 0, cacheRead: 60, output: 0 },
    });
    expect(qwen.readSpend?.('')).toBeNull();
  });

  it('gives the reason the real client printed', () => {
    expect(qwen.readReason?.(recorded('not-logged-in').stdout)).toBe('[API Error: 401 bad key]');
  });

  it('is called with everything allowed, and a prompt that is taken for no flag', () => {
    const { program, args } = qwen.call({ ...task, access: 'full' });
    expect(program).toBe('qwen');
    expect(args).toEqual([
      ...['--model', 'qwen3-coder', '--approval-mode', 'yolo', '--output-format', 'json'],
      ...['--json-schema', LENIENT_SCHEMA, '--prompt=-p is a flag. Review.'],
    ]);
    expect(qwen.call({ ...task, model: '', access: 'full' }).args).not.toContain('--model');
  });

  it('sandboxed may read, and write the one review file', () => {
    const { args } = qwen.call({ ...task, access: 'sandboxed' });
    expect(args).not.toContain('yolo');
    expect(args.join(' ')).toContain(
      '--safe-mode --approval-mode default --allowed-tools WriteFile(//p/plan-review-1.md) Edit(//p/plan-review-1.md) Read(//h/taskie/**) --output-format',
    );
  });

  it.each<[string, object | null]>([
    ['[API Error: 401 x]', { kind: 'not-logged-in', code: null }],
    ['[API Error: 400]', { kind: 'api-error', code: 400 }],
    ['[API Error: 599 x]', { kind: 'api-error', code: 599 }],
    ['[API Error: 399 x]', null],
    ['[API Error: 600 x]', null],
    ['[API Error: 4000]', null],
    ['An [API Error: 401 x]', null],
    [' ', null],
  ])('tells from %j: %j', (message, cause) => {
    const result = JSON.stringify([{ type: 'result', error: { message } }]);
    expect(qwen.readNoVerdict?.(result, 0)).toEqual(cause);
    expect(qwen.readReason?.(result)).toBe(message === ' ' ? null : message);
    expect(qwen.readReason?.(JSON.stringify([{ type: 'result', error: message }]))).toBeNull();
  });

  it.each<[object, number | null, string]>([
    [{ is_error: true, structured_result: { verdict: 'PASS' } }, 0, 'failed'],
    [{ is_error: false, structured_result: { verdict: 'PASS' } }, null, 'clean'],
    [{ structured_result: { verdict: 'PASS' }, result: '{"verdict":"FAIL"}' }, 0, 'clean'],
    [{ structured_result: { verdict: 'MAYBE' }, result: '{"verdict":"FAIL"}' }, 0, 'findings'],
    [{ error: { message: 'It spoke instead of calling the structured_output tool.' } }, 1, 'none'],
    [{ error: { message: 'It spoke.' } }, 1, 'failed'],
    [{ structured_result: { verdict: 'PASS' } }, 1, 'failed'],
  ])('reads %j, ended with %j, as %s', (result, exitCode, verdict) => {
    expect(qwen.readVerdict(JSON.stringify([{ type: 'result', ...result }]), exitCode)).toBe(verdict);
  });

  it('takes the last message alone, and used nothing below zero', () => {
    const pass = { type: 'result', structured_result: { verdict: 'PASS' } };
    expect(qwen.readVerdict(JSON.stringify([pass, { type: 'x' }]), 0)).toBe('none');
    expect(qwen.readVerdict(` ${JSON.stringify([{ type: 'x' }, pass])}\n`, 0)).toBe('clean');
    const usage = { input_tokens: 5, cache_read_input_tokens: 6, output_tokens: 1 };
    expect(qwen.readSpend?.(JSON.stringify([{ type: 'result', usage }]))?.tokens).toEqual({
      input: 0,
      cacheCreation: 0,
      cacheRead: 6,
      output: 1,
    });
    expect(qwen.readSpend?.('[{"type":"result","usage":7}]')).toBeNull();
  });

  it('sandboxed reads the project alone unless it is said', () => {
    const { reads: _, ...alone } = task;
    expect(qwen.call({ ...alone, model: '', access: 'sandboxed' })).toEqual({
      program: 'qwen',
      args: [
        ...['--safe-mode', '--approval-mode', 'default', '--allowed-tools'],
        ...['WriteFile(//p/plan-review-1.md)', 'Edit(//p/plan-review-1.md)', '--output-format', 'json'],
        ...['--json-schema', LENIENT_SCHEMA, '--prompt=-p is a flag. Review.'],
      ],
      env: {},
    });
  });
});
