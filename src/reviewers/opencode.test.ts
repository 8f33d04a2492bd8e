import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RecordedReview, readsRecordings, recordedReview } from '../../test/support/recorded-reviews.ts';
import { askedInWords } from './in-words.ts';
import { opencode } from './opencode.ts';

const recorded = (name: string): RecordedReview => recordedReview('opencode', name);

const task = {
  model: 'anthropic/opus',
  prompt: '-p is a "flag".  Review.',
  file: '/p/plan-review-1.md',
  reads: ['/h/taskie'],
  folder: '/p/.holdfast/attempts/a1',
};

const part = (...parts: object[]): string =>
  parts.map((each) => JSON.stringify({ type: 'x', part: each })).join('\n');

describe('opencode as a reviewer', () => {
  readsRecordings(
    opencode,
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
    [{ data: {} }, null],
    [{}, null],
    [{ data: { statusCode: 401 } }, { kind: 'not-logged-in', code: null }],
    [{ data: { statusCode: 429, message: ' ' } }, { kind: 'usage-limit', code: null }],
    [{ data: { statusCode: 1, message: 7 } }, { kind: 'api-error', code: 1 }],
    [{ data: { statusCode: '401' } }, null],
    [{ data: 'x' }, null],
    ['x', null],
  ])('reads the error %j', (error, cause) => {
    expect(opencode.readNoVerdict?.(JSON.stringify({ type: 'error', error }), 0)).toEqual(cause);
    expect(opencode.readReason?.(JSON.stringify({ type: 'error', error }))).toBeNull();
  });

  it('takes no verdict before an error', () => {
    const { stdout } = recorded('pass');
    expect(opencode.readVerdict(`${stdout}{"type":"error","error":{}}\n`, null)).toBe('failed');
  });

  it('takes the message that ended the turn, and no other', () => {
    const text = { type: 'text', messageID: 'm1', text: '{"verdict":"PASS"}' };
    const end = { type: 'step-finish', messageID: 'm1', reason: 'stop' };
    expect(opencode.readVerdict(part(text, end), 0)).toBe('clean');
    expect(opencode.readVerdict(part(text, { ...end, reason: 'tool-calls' }), 0)).toBe('none');
    expect(opencode.readVerdict(part(text, { ...end, messageID: 'm2' }), 0)).toBe('none');
  });

  it('lists findings, and what it used', () => {
    const { stdout } = recorded('fail');
    expect(opencode.readFindings?.(stdout)?.list).toMatchObject([
      { severity: 'high', file: 'src/total.ts', line: 12, claim: 'The sum leaves out the last row.' },
      { severity: 'low', file: null, line: null },
    ]);
    expect(opencode.readFindings?.(recorded('pass').stdout)).toBeNull();
    const tokens = { input: 200, cacheCreation: 0, cacheRead: 0, output: 40 };
    expect(opencode.readSpend?.(stdout)).toEqual({ usd: null, tokens });
    const used = { input: 40, output: 5, reasoning: 2, cache: { write: 3, read: 60 } };
    const step = { type: 'step-finish', tokens: used, cost: 0.25 };
    expect(opencode.readSpend?.(part(step, step, { type: 'step-finish', cost: 'x' }))).toEqual({
      usd: 0.5,
      tokens: { input: 80, cacheCreation: 6, cacheRead: 120, output: 14 },
    });
    expect(opencode.readSpend?.('')).toBeNull();
    expect(opencode.readReason?.(recorded('not-logged-in').stdout)).toBe('bad key');
  });

  it('is called without plugins, with everything allowed, and a prompt that it cannot quote', () => {
    const { program, args, env } = opencode.call({ ...task, access: 'full' });
    expect(program).toBe('opencode');
    expect(args.slice(0, 8)).toEqual([
      ...['run', '--pure', '--format', 'json', '--model', 'anthropic/opus', '--auto', '--'],
    ]);
    expect(args.slice(8).join(' ')).toBe(askedInWords(task.prompt));
    expect(args.slice(8).some((word) => word.includes(' '))).toBe(false);
    expect(env).toEqual({});
    expect(opencode.call({ ...task, model: '', access: 'full' }).args).not.toContain('--model');
  });

  it('sandboxed may read, and write the one review file, by the names that it has for it', () => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-')));
    onTestFinished(() => fs.rmSync(root, { recursive: true }));
    fs.mkdirSync(path.join(root, '.git'));
    const file = path.join(root, 'plans', 'plan-review-1.md');
    const { args, env } = opencode.call({ ...task, file, access: 'sandboxed' });
    expect(args).not.toContain('--auto');
    expect(env.OPENCODE_DISABLE_PROJECT_CONFIG).toBe('1');
    const rules = JSON.parse(env.OPENCODE_PERMISSION ?? '');
    expect(rules).toMatchObject({ '*': 'deny', bash: 'deny', task: 'deny', webfetch: 'deny', read: 'allow' });
    expect(rules.edit).toEqual({
      '*': 'deny',
      'plans/plan-review-1.md': 'allow',
      [path.relative('/', file)]: 'allow',
    });
    expect(rules.external_directory).toEqual({ '*': 'deny', '/h/taskie/*': 'allow' });
  });

  it('gives the reason of the last error', () => {
    const error = (message: string): string =>
      JSON.stringify({ type: 'error', error: { data: { message } } });
    expect(opencode.readReason?.(`${error('a')}\n${error('b')}\n{"type":"x","error":{}}`)).toBe('b');
  });

  it('takes the last text of its last message', () => {
    const text = (said: string, messageID = 'm1'): object => ({ type: 'text', messageID, text: said });
    const end = { type: 'step-finish', messageID: 'm1', reason: 'stop' };
    const [pass, fail] = [text('{"verdict":"PASS"}'), text('{"verdict":"FAIL"}')];
    expect(opencode.readVerdict(part(fail, pass, end), 0)).toBe('clean');
    expect(opencode.readVerdict(part(pass, text('{"verdict":"FAIL"}', 'm2'), end), 0)).toBe('clean');
    expect(opencode.readVerdict(part({ ...pass, type: 'thought' }, end), 0)).toBe('none');
    expect(opencode.readVerdict(part(pass, { ...end, type: 'step-start' }), 0)).toBe('none');
    expect(opencode.readVerdict(part(pass, end, pass), 0)).toBe('none');
    expect(opencode.readVerdict(part(end), 0)).toBe('none');
  });

  it.each<[object[], object]>([
    [[{}], { usd: null, tokens: { input: 0, cacheCreation: 0, cacheRead: 0, output: 0 } }],
    [
      [{ cost: -1 }, { cost: 0 }],
      { usd: null, tokens: { input: 0, cacheCreation: 0, cacheRead: 0, output: 0 } },
    ],
    [
      [
        { cost: -1, tokens: 7 },
        { cost: 0.5, tokens: { input: 1, cache: 7 } },
      ],
      { usd: 0.5, tokens: { input: 1, cacheCreation: 0, cacheRead: 0, output: 0 } },
    ],
    [
      [{ tokens: { input: 1, output: 2, reasoning: 3, cache: { write: 4, read: 5 } } }],
      { usd: null, tokens: { input: 1, cacheCreation: 4, cacheRead: 5, output: 5 } },
    ],
  ])('reads what the steps %j cost', (steps, spend) => {
    const other = { type: 'text', cost: 9, tokens: { input: 9 } };
    expect(
      opencode.readSpend?.(part(other, ...steps.map((step) => ({ type: 'step-finish', ...step })))),
    ).toEqual(spend);
  });

  it('costs nothing that is no number', () => {
    expect(opencode.readSpend?.('{"part":{"type":"step-finish","cost":1e999}}')?.usd).toBeNull();
    expect(opencode.readSpend?.(part({ type: 'text', cost: 1 }))).toBeNull();
  });

  it('sandboxed has these rules and no others, where no repository is above', () => {
    const { reads: _, ...alone } = task;
    const { args, env } = opencode.call({
      ...alone,
      model: '',
      file: '/nowhere/a/r.md',
      access: 'sandboxed',
    });
    expect(args.slice(0, 5)).toEqual(['run', '--pure', '--format', 'json', '--']);
    expect(Object.keys(env)).toEqual(['OPENCODE_DISABLE_PROJECT_CONFIG', 'OPENCODE_PERMISSION']);
    expect(JSON.parse(env.OPENCODE_PERMISSION ?? '')).toEqual({
      ...{ '*': 'deny', bash: 'deny', task: 'deny', skill: 'deny', todowrite: 'deny', lsp: 'deny' },
      ...{ webfetch: 'deny', websearch: 'deny', codesearch: 'deny' },
      ...{ read: 'allow', grep: 'allow', glob: 'allow', list: 'allow' },
      edit: { '*': 'deny', 'nowhere/a/r.md': 'allow' },
      external_directory: { '*': 'deny' },
    });
  });
});
