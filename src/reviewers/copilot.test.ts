import { describe, expect, it } from 'vitest';
import { type RecordedReview, readsRecordings, recordedReview } from '../../test/support/recorded-reviews.ts';
import { copilot } from './copilot.ts';
import { askedInWords } from './in-words.ts';

const recorded = (name: string): RecordedReview => recordedReview('copilot', name);

const task = {
  model: 'gpt-5.2',
  prompt: '-p is a flag. Review.',
  file: '/p/plan-review-1.md',
  reads: ['/h/taskie'],
  folder: '/p/.holdfast/attempts/a1',
};

const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');

describe('copilot as a reviewer', () => {
  readsRecordings(
    copilot,
    {
      pass: 'clean',
      sandboxed: 'clean',
      fail: 'findings',
      missing: 'none',
      'api-error': 'failed',
      'not-logged-in': 'failed',
    },
    {
      pass: null,
      missing: null,
      'api-error': { kind: 'api-error', code: 400 },
      'not-logged-in': { kind: 'not-logged-in', code: null },
    },
  );

  it.each([
    [{ statusCode: 429 }, { kind: 'usage-limit', code: null }],
    [{ errorType: 'authentication' }, { kind: 'not-logged-in', code: null }],
    [{ errorType: 'query' }, null],
    [{ statusCode: 401 }, { kind: 'not-logged-in', code: null }],
    [
      { statusCode: 429, errorType: 'authentication' },
      { kind: 'not-logged-in', code: null },
    ],
    [{ statusCode: 1 }, { kind: 'api-error', code: 1 }],
    [
      { statusCode: 503, errorType: 'query' },
      { kind: 'api-error', code: 503 },
    ],
    [{ statusCode: '503' }, null],
    ['words', null],
  ])('reads the error %j', (data, cause) => {
    expect(copilot.readNoVerdict?.(lines({ type: 'session.error', data }), 0)).toEqual(cause);
  });

  it('takes no message that calls a tool, none of the user, and none of a session that failed', () => {
    const data = { content: '{"verdict":"PASS"}', toolRequests: [] };
    const [message, end] = [
      { type: 'assistant.message', data },
      { type: 'result', exitCode: 0 },
    ];
    expect(copilot.readVerdict(lines(message, end), 0)).toBe('clean');
    const calling = { ...message, data: { ...data, toolRequests: [{}] } };
    expect(copilot.readVerdict(lines(message, calling, end), 0)).toBe('none');
    expect(copilot.readVerdict(lines({ ...message, type: 'user.message' }, end), 0)).toBe('none');
    expect(copilot.readVerdict(lines(message, { ...end, exitCode: 1 }), 0)).toBe('failed');
  });

  it('lists findings, and gives the reason the real client printed', () => {
    expect(copilot.readFindings?.(recorded('fail').stdout)?.list).toMatchObject([
      { severity: 'high', file: 'src/total.ts', line: 12, claim: 'The sum leaves out the last row.' },
      { severity: 'low', file: null, line: null },
    ]);
    expect(copilot.readFindings?.(recorded('pass').stdout)).toBeNull();
    expect(copilot.readReason?.(recorded('not-logged-in').stdout)).toMatch(/^Authentication failed/);
    expect(copilot.readReason?.('')).toBeNull();
  });

  it('is called with everything allowed, and a prompt that is taken for no flag', () => {
    const { program, args } = copilot.call({ ...task, access: 'full' });
    expect(program).toBe('copilot');
    expect(args).toEqual([
      ...['--model', 'gpt-5.2', '--allow-all', '--no-ask-user', '--output-format', 'json'],
      `--prompt=${askedInWords(task.prompt)}`,
    ]);
    expect(copilot.call({ ...task, model: '', access: 'full' }).args).not.toContain('--model');
  });

  it('sandboxed may read, and write the one review file', () => {
    const { args } = copilot.call({ ...task, access: 'sandboxed' });
    expect(args).not.toContain('--allow-all');
    expect(args.slice(2, 6)).toEqual([
      '--available-tools=view,grep,glob,create,edit',
      '--allow-tool=write(/p/plan-review-1.md)',
      ...['--add-dir', '/h/taskie'],
    ]);
  });

  it('reads the last error of several, and no reason that is blank', () => {
    const error = (data: unknown): object => ({ type: 'session.error', data });
    const two = lines(error({ statusCode: 500, message: 'a' }), error({ statusCode: 401, message: 'b' }));
    expect(copilot.readNoVerdict?.(two, 0)).toEqual({ kind: 'not-logged-in', code: null });
    expect(copilot.readReason?.(two)).toBe('b');
    expect(copilot.readReason?.(lines(error({ message: ' ' })))).toBeNull();
    expect(copilot.readReason?.(lines(error({ message: 7 })))).toBeNull();
    expect(copilot.readReason?.(lines(error('a')))).toBeNull();
    expect(copilot.readReason?.(lines({ type: 'other', data: { message: 'a' } }))).toBeNull();
  });

  it.each<[unknown, object, string]>([
    [{ content: '{"verdict":"PASS"}' }, { type: 'result', exitCode: 0 }, 'clean'],
    [{ content: '{"verdict":"PASS"}', toolRequests: {} }, { type: 'result', exitCode: 0 }, 'clean'],
    [{ content: 7 }, { type: 'result', exitCode: 0 }, 'none'],
    ['{"verdict":"PASS"}', { type: 'result', exitCode: 0 }, 'none'],
    [{ content: '{"verdict":"PASS"}' }, { type: 'result' }, 'none'],
    [{ content: '{"verdict":"PASS"}' }, { type: 'other', exitCode: 0 }, 'none'],
  ])('takes %j before %j for %s', (data, end, verdict) => {
    expect(copilot.readVerdict(lines({ type: 'assistant.message', data }, end), 0)).toBe(verdict);
  });

  it('sandboxed reads the project alone unless it is said', () => {
    const { reads: _, ...alone } = task;
    expect(copilot.call({ ...alone, model: '', access: 'sandboxed' })).toEqual({
      program: 'copilot',
      args: [
        ...['--available-tools=view,grep,glob,create,edit', '--allow-tool=write(/p/plan-review-1.md)'],
        ...['--no-ask-user', '--output-format', 'json', `--prompt=${askedInWords(task.prompt)}`],
      ],
      env: {},
    });
  });
});
