import { describe, expect, it } from 'vitest';
import { type RecordedReview, readsRecordings, recordedReview } from '../../test/support/recorded-reviews.ts';
import { gemini } from './gemini.ts';
import { askedInWords } from './in-words.ts';

const recorded = (name: string): RecordedReview => recordedReview('gemini', name);

const task = {
  model: 'gemini-2.5-pro',
  prompt: '-p is a flag. Review.',
  file: '/p (1)/plan-review-1.md',
  reads: ['/h/taskie'],
  folder: '/p/.holdfast/attempts/a1',
};

const ended = (error: object): string => JSON.stringify({ type: 'result', status: 'error', error });

describe('gemini as a reviewer', () => {
  readsRecordings(
    gemini,
    {
      pass: 'clean',
      sandboxed: 'clean',
      fail: 'findings',
      missing: 'none',
      'api-error': 'failed',
      'not-logged-in': 'failed',
      'usage-limit': 'failed',
    },
    {
      pass: null,
      missing: null,
      'api-error': { kind: 'api-error', code: 400 },
      'not-logged-in': { kind: 'not-logged-in', code: null },
      'usage-limit': { kind: 'usage-limit', code: null },
    },
  );

  it.each([
    ['[API Error: {"error":{"code":429}}]', { kind: 'usage-limit', code: null }],
    ['[API Error: fetch failed]', { kind: 'api-error', code: null }],
    ['[API Error: {"error":{"code":"x"}}]', { kind: 'api-error', code: null }],
    ['Maximum session turns reached', null],
    ['[API Error: {"error":{"code":401}}]', { kind: 'not-logged-in', code: null }],
    ['[API Error: {"error":{"code":1}}]', { kind: 'api-error', code: 1 }],
    ['[API Error: {"error":{"code":503}}] later', { kind: 'api-error', code: 503 }],
    ['[API Error: {"error":5}]', { kind: 'api-error', code: null }],
    ['[API Error: 5]', { kind: 'api-error', code: null }],
    ['[API Error: You have exhausted your daily quota\non it]', { kind: 'usage-limit', code: null }],
    ['[API Error: You have exhausted your capacity]', { kind: 'usage-limit', code: null }],
    ['[API Error: You have exhausted your patience]', { kind: 'api-error', code: null }],
    ['An [API Error: {"error":{"code":401}}]', null],
    ['[API Error: cut off', null],
  ])('reads the error %j', (message, cause) => {
    expect(gemini.readNoVerdict?.(ended({ message }), 0)).toEqual(cause);
    expect(gemini.readReason?.(ended({ message }))).toBe(message);
  });

  it('gives no reason where nothing was printed', () => {
    expect(gemini.readReason?.('')).toBeNull();
  });

  it('joins the pieces of the last message, and takes none that is followed by a call', () => {
    const piece = (content: string): object => ({ type: 'message', role: 'assistant', content, delta: true });
    const result = { type: 'result', status: 'success' };
    const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');
    const halves = [piece('{"verdict":'), piece('"PASS"}')];
    expect(gemini.readVerdict(lines(...halves, result), 0)).toBe('clean');
    expect(gemini.readVerdict(lines(...halves, { type: 'tool_use' }, result), 0)).toBe('none');
    expect(gemini.readVerdict(lines({ ...piece('{"verdict":"PASS"}'), role: 'user' }, result), 0)).toBe(
      'none',
    );
  });

  it('lists findings, and what it used', () => {
    const { stdout } = recorded('fail');
    expect(gemini.readFindings?.(stdout)?.list).toMatchObject([
      { severity: 'high', file: 'src/total.ts', line: 12, claim: 'The sum leaves out the last row.' },
      { severity: 'low', file: null, line: null },
    ]);
    expect(gemini.readFindings?.(recorded('pass').stdout)).toBeNull();
    const tokens = { input: 300, cacheCreation: 0, cacheRead: 0, output: 60 };
    expect(gemini.readSpend?.(stdout)).toEqual({ usd: null, tokens });
    const stats = { input_tokens: 100, cached: 60, output_tokens: -1 };
    expect(gemini.readSpend?.(JSON.stringify({ type: 'result', stats }))).toEqual({
      usd: null,
      tokens: { input: 40, cacheCreation: 0, cacheRead: 60, output: 0 },
    });
    expect(gemini.readSpend?.('')).toBeNull();
  });

  it('is called with everything allowed, without our extension, and a prompt that is taken for no flag', () => {
    const { program, args, files } = gemini.call({ ...task, access: 'full' });
    expect(program).toBe('gemini');
    expect(args).toEqual([
      ...['--model', 'gemini-2.5-pro', '--skip-trust', '--extensions', 'none', '--approval-mode', 'yolo'],
      ...['--output-format', 'stream-json', `--prompt=${askedInWords(task.prompt)}`],
    ]);
    expect(files).toBeUndefined();
    expect(gemini.call({ ...task, model: '', access: 'full' }).args).not.toContain('--model');
  });

  it('sandboxed may read, and write the one review file, and trusts no folder by itself', () => {
    const { args, files } = gemini.call({ ...task, access: 'sandboxed' });
    expect(args.join(' ')).toContain(
      '--extensions none --approval-mode default --policy /p/.holdfast/attempts/a1/policy.toml --include-directories /h/taskie --output-format',
    );
    expect(args).not.toContain('--skip-trust');
    expect(files?.['policy.toml']).toContain('toolName = ["*"]\ndecision = "deny"\npriority = 998');
    const pattern = /^argsPattern = (.*)$/m.exec(files?.['policy.toml'] ?? '')?.[1] ?? '""';
    const allows = new RegExp(JSON.parse(pattern));
    expect(allows.test('{\0"content":"x"\0,\0"file_path":"/p (1)/plan-review-1.md"\0}')).toBe(true);
    expect(allows.test('{\0"file_path":"/p 1/plan-review-1.md"\0}')).toBe(false);
    expect(allows.test('{\0"file_path":"/q"\0,\0"x":{"file_path":"/p (1)/plan-review-1.md"}\0}')).toBe(false);
  });

  it.each([
    ['{"type":"result","error":{"message":" "}}', null],
    ['{"type":"result","error":{"message":7}}', null],
    ['{"type":"result","error":"x"}', null],
    ['{"type":"error","error":{"message":"x"}}', null],
    ['{"type":"result","error":{"message":"x"}}\n{"type":"other"}', null],
    ['{"type":"result","error":{"message":"x"}}', 'x'],
  ])('gives the reason from %s', (stdout, reason) => {
    expect(gemini.readReason?.(stdout)).toBe(reason);
  });

  it('takes what was said after the last call, in a turn that ended well', () => {
    const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');
    const said = { type: 'message', role: 'assistant', content: '{"verdict":"PASS"}' };
    const before = { ...said, content: 'Let me see.' };
    const end = { type: 'result', status: 'success' };
    expect(gemini.readVerdict(lines(before, { type: 'tool_use' }, said, end), 0)).toBe('clean');
    expect(gemini.readVerdict(lines(before, { type: 'tool_result' }, said, end), 0)).toBe('clean');
    expect(gemini.readVerdict(lines(said, { type: 'tool_result' }, end), 0)).toBe('none');
    expect(gemini.readVerdict(lines(before, said, end), 0)).toBe('none');
    expect(gemini.readVerdict(lines({ ...said, content: 7 }, said, end), 0)).toBe('clean');
    expect(gemini.readVerdict(lines({ ...said, type: 'thought' }, end), 0)).toBe('none');
    expect(gemini.readVerdict(lines(said, { ...end, status: 'error' }), 0)).toBe('failed');
    expect(gemini.readVerdict(lines(said, end, { type: 'other' }), 0)).toBe('none');
  });

  it('used nothing below zero', () => {
    const stats = { input_tokens: 5, cached: 6, output_tokens: 1 };
    expect(gemini.readSpend?.(JSON.stringify({ type: 'result', stats }))?.tokens?.input).toBe(0);
    expect(gemini.readSpend?.('{"type":"result","stats":7}')).toBeNull();
  });

  it('sandboxed has these rules and no others, and reads the project alone unless it is said', () => {
    const { reads: _, ...alone } = task;
    const { args, files, env } = gemini.call({ ...alone, file: '/p.md', model: '', access: 'sandboxed' });
    expect(args).toEqual([
      ...['--extensions', 'none', '--approval-mode', 'default'],
      ...['--policy', '/p/.holdfast/attempts/a1/policy.toml'],
      ...['--output-format', 'stream-json', `--prompt=${askedInWords(task.prompt)}`],
    ]);
    expect(env).toEqual({});
    expect(files).toEqual({
      'policy.toml': [
        '[[rule]]\ntoolName = ["*"]\ndecision = "deny"\npriority = 998\n',
        '[[rule]]\ntoolName = ["glob","grep_search","list_directory","read_file"]\ndecision = "allow"\npriority = 999\n',
        '[[rule]]\ntoolName = ["write_file","replace"]\nargsPattern = "\\\\x00\\"file_path\\":\\"/p\\\\.md\\"\\\\x00"\ndecision = "allow"\npriority = 999\n',
      ].join('\n'),
    });
  });
});
