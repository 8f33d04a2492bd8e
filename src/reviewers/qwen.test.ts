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
});
