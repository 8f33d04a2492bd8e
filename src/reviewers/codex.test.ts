import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codex } from './codex.ts';
import { STRICT_SCHEMA } from './schema.ts';

const recorded = (name: string): { stdout: string; exitCode: number } => {
  const folder = path.resolve(import.meta.dirname, '../../test/fixtures/recorded/codex');
  return JSON.parse(fs.readFileSync(path.join(folder, `review-${name}.json`), 'utf8'));
};

const plan = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-codex-'));
afterAll(() => fs.rmSync(plan, { recursive: true }));

const task = {
  model: 'gpt-5.2-codex',
  prompt: '-Read and review.',
  file: path.join(plan, 'plan-review-1.md'),
  folder: '/p/.holdfast/attempts/a1-2-c3',
};

describe('codex as a reviewer', () => {
  it.each([
    ['pass', 'clean'],
    ['fail', 'findings'],
    ['missing', 'none'],
    ['api-error', 'failed'],
    ['findings', 'findings'],
    ['findings-sandboxed', 'findings'],
    ['findings-none', 'clean'],
    ['usage-limit', 'failed'],
    ['refused-schema', 'failed'],
    ['not-logged-in', 'failed'],
    ['server-error', 'failed'],
    ['unreachable', 'failed'],
  ])('reads what the real client printed (%s) as %s', (name, verdict) => {
    const { stdout, exitCode } = recorded(name);
    expect(codex.readVerdict(stdout, exitCode)).toBe(verdict);
  });

  it.each([
    ['pass', null],
    ['missing', null],
    ['usage-limit', { kind: 'usage-limit', code: null }],
    ['not-logged-in', { kind: 'not-logged-in', code: null }],
    ['refused-schema', { kind: 'api-error', code: null }],
    ['api-error', { kind: 'api-error', code: null }],
    ['server-error', null],
    ['unreachable', null],
  ])('tells why there is no verdict from what the real client printed (%s)', (name, cause) => {
    expect(codex.readNoVerdict?.(recorded(name).stdout, 0)).toEqual(cause);
  });

  it('gives the reason the real client printed', () => {
    expect(codex.readReason?.(recorded('unreachable').stdout)).toBe(
      'Connection failed: error sending request',
    );
    expect(codex.readReason?.(recorded('pass').stdout)).toBeNull();
    expect(codex.readReason?.('Segmentation fault')).toBeNull();
  });

  it('lists findings, and what it cost', () => {
    const { stdout } = recorded('findings');
    expect(codex.readFindings?.(stdout)?.list).toMatchObject([
      { severity: 'high', file: 'src/total.ts', line: 12, claim: 'The sum leaves out the last row.' },
      { severity: 'medium', file: 'src/total.ts', line: null, evidence: null },
      { severity: 'low', file: null, line: null },
    ]);
    expect(codex.readFindings?.(recorded('findings-none').stdout)).toBeNull();
    const tokens = { input: 200, cacheCreation: 0, cacheRead: 0, output: 40 };
    expect(codex.readSpend?.(stdout)).toEqual({ usd: null, tokens });
    expect(codex.readSpend?.(recorded('unreachable').stdout)).toBeNull();
  });

  it('counts what came from the cache once', () => {
    const usage = {
      input_tokens: 100,
      cached_input_tokens: 60,
      cache_write_input_tokens: 10,
      output_tokens: 5,
    };
    expect(codex.readSpend?.(JSON.stringify({ type: 'turn.completed', usage }))?.tokens).toEqual({
      input: 30,
      cacheCreation: 10,
      cacheRead: 60,
      output: 5,
    });
  });

  it('takes a verdict whose hook died, but none of a turn that did not come to its end', () => {
    const { stdout } = recorded('pass');
    expect(codex.readVerdict(stdout, null)).toBe('clean');
    expect(codex.readVerdict(stdout.slice(0, -20), null)).toBe('none');
    expect(codex.readVerdict(`${stdout}{"type":"turn.failed","error":{"message":"x"}}\n`, null)).toBe(
      'failed',
    );
    expect(codex.readVerdict(stdout, 1)).toBe('failed');
  });

  it('takes the last message for its answer: it may say more before', () => {
    const said = (text: string): string =>
      JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text } });
    const end = '{"type":"turn.completed","usage":{}}';
    const pass = said('{"verdict":"PASS"}');
    expect(codex.readVerdict([said('{"verdict":"FAIL"}'), pass, end].join('\n'), 0)).toBe('clean');
    expect(codex.readVerdict([pass, said('So much for that.'), end].join('\n'), 0)).toBe('none');
    const command = JSON.stringify({
      type: 'item.completed',
      item: { type: 'command_execution', text: '{"verdict":"PASS"}' },
    });
    expect(codex.readVerdict([command, end].join('\n'), 0)).toBe('none');
  });

  it('is called with everything allowed, hooks off, and the prompt last, whatever it begins with', () => {
    const { program, args, files } = codex.call({ ...task, access: 'full' });
    expect(program).toBe('codex');
    expect(args).toEqual([
      ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '--disable', 'hooks'],
      ...['--disable', 'unbounded_connection_retries', '--model', 'gpt-5.2-codex'],
      '--dangerously-bypass-approvals-and-sandbox',
      ...['--output-schema', '/p/.holdfast/attempts/a1-2-c3/schema.json', '--', '-Read and review.'],
    ]);
    expect(files).toEqual({ 'schema.json': STRICT_SCHEMA });
    expect(codex.call({ ...task, model: '', access: 'full' }).args).not.toContain('--model');
  });

  it('sandboxed may read, and write beside what is in the folder of its review', () => {
    fs.writeFileSync(path.join(plan, 'plan.md'), '');
    fs.writeFileSync(path.join(plan, 'state.json'), '{}');
    const { args } = codex.call({ ...task, access: 'sandboxed' });
    expect(args).not.toContain('--dangerously-bypass-approvals-and-sandbox');
    const profile = 'holdfast-a1-2-c3';
    expect(args).toContain(`default_permissions="${profile}"`);
    expect(args).toContain(
      `permissions.${profile}={filesystem={":root"="read","${plan}"="write","${plan}/docket.json"="read","${plan}/state.json"="read","${plan}/plan.md"="read"},network={enabled=false}}`,
    );
  });

  it('sandboxed may write its own review, whatever is there, and is given no more names than an argument takes', () => {
    const folder = path.join(plan, 'many');
    fs.mkdirSync(folder);
    for (let at = 100; at < 450; at++) fs.writeFileSync(path.join(folder, `${'ü'.repeat(100)}${at}.md`), '');
    for (const name of ['state.json', 'plan-review-1.md']) fs.writeFileSync(path.join(folder, name), '');
    const file = path.join(folder, 'plan-review-1.md');
    const { args } = codex.call({ ...task, file, access: 'sandboxed' });
    const profile = args.find((each) => each.startsWith('permissions.')) ?? '';
    expect(profile).toContain(`"${folder}/state.json"="read"`);
    expect(profile).not.toContain('plan-review-1.md');
    expect(Buffer.byteLength(profile)).toBeGreaterThan(60 * 1024);
    expect(Buffer.byteLength(profile)).toBeLessThan(66 * 1024);
  });

  it.each<[string, object | null]>([
    ['unexpected status 401 Unauthorized', { kind: 'not-logged-in', code: null }],
    ['unexpected status 404 Not Found', { kind: 'api-error', code: 404 }],
    ['Status code: 503', { kind: 'api-error', code: 503 }],
    ['error: 500', { kind: 'api-error', code: 500 }],
    ['error code 418 and so on', { kind: 'api-error', code: 418 }],
    ['status 301', null],
    ['status 600', null],
    ['status 4000', null],
    ['substatus 404', null],
    ['404', null],
    ['You have HIT your usage limit, status 404', { kind: 'usage-limit', code: null }],
    ['{"error":"no such schema"}', { kind: 'api-error', code: null }],
    ['[1]', null],
    ['words', null],
    [' ', null],
  ])('tells from %j: %j', (message, cause) => {
    const failed = JSON.stringify({ type: 'turn.failed', error: { message } });
    expect(codex.readNoVerdict?.(failed, 0)).toEqual(cause);
    expect(codex.readNoVerdict?.(JSON.stringify({ type: 'error', message }), 0)).toEqual(cause);
    expect(codex.readNoVerdict?.(JSON.stringify({ type: 'item.completed', message }), 0)).toBeNull();
    expect(codex.readReason?.(failed)).toBe(message.trim() === '' ? null : message);
  });

  it('gives the last reason of several, and none that is no text', () => {
    const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');
    const first = { type: 'error', message: 'Reconnecting' };
    expect(codex.readReason?.(lines(first, { type: 'turn.failed', error: { message: 'x' } }))).toBe('x');
    expect(codex.readReason?.(lines(first, { type: 'turn.started' }))).toBe('Reconnecting');
    expect(codex.readReason?.(lines({ type: 'error', message: 7 }))).toBeNull();
    expect(codex.readReason?.(lines({ type: 'turn.failed' }))).toBeNull();
  });

  it('takes an answer only from before the end of its turn', () => {
    const pass =
      '{"type":"item.completed","item":{"type":"agent_message","text":"{\\"verdict\\":\\"PASS\\"}"}}';
    const end = '{"type":"turn.completed","usage":{}}';
    expect(codex.readVerdict(`${pass}\n${end}`, 0)).toBe('clean');
    expect(codex.readVerdict(`${end}\n${pass}`, 0)).toBe('none');
    expect(codex.readVerdict(pass, 0)).toBe('none');
    expect(codex.readVerdict(`${pass.replace('completed', 'started')}\n${end}`, 0)).toBe('none');
    expect(codex.readVerdict(`{"type":"item.completed","item":7}\n${end}`, 0)).toBe('none');
    expect(codex.readVerdict('{"type":"turn.failed"}\n', 0)).toBe('failed');
  });

  it('cost nothing below zero, of the last turn that was completed', () => {
    const turn = (usage: unknown): string => JSON.stringify({ type: 'turn.completed', usage });
    const usage = { input_tokens: 5, cached_input_tokens: 6, output_tokens: 1 };
    expect(codex.readSpend?.(`${turn({ input_tokens: 99 })}\n${turn(usage)}`)).toEqual({
      usd: null,
      tokens: { input: 0, cacheCreation: 0, cacheRead: 6, output: 1 },
    });
    expect(codex.readSpend?.(turn('much'))).toBeNull();
  });

  it('sandboxed in a folder that is not there yet may begin anything but the docket', () => {
    const folder = path.join(plan, 'later');
    const file = path.join(folder, 'plan-review-1.md');
    expect(codex.call({ ...task, model: '', file, access: 'sandboxed' })).toEqual({
      program: 'codex',
      args: [
        ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '--disable', 'hooks'],
        ...['--disable', 'unbounded_connection_retries'],
        ...['-c', 'default_permissions="holdfast-a1-2-c3"', '-c'],
        `permissions.holdfast-a1-2-c3={filesystem={":root"="read","${folder}"="write","${folder}/docket.json"="read"},network={enabled=false}}`,
        ...['--output-schema', '/p/.holdfast/attempts/a1-2-c3/schema.json', '--', '-Read and review.'],
      ],
      env: {},
      files: { 'schema.json': STRICT_SCHEMA },
    });
  });

  it('sandboxed is given 400 names at most, those that are no text first, each as TOML has it', () => {
    const folder = path.join(plan, 'short');
    fs.mkdirSync(folder);
    for (let at = 0; at < 400; at++) fs.writeFileSync(path.join(folder, `${at}.md`), '');
    fs.writeFileSync(path.join(folder, 'x"\u007f'), '');
    const file = path.join(folder, 'r.md');
    const { args } = codex.call({ ...task, file, access: 'sandboxed' });
    const profile = args.find((each) => each.startsWith('permissions.')) ?? '';
    const places = [...profile.matchAll(/"=?"read"/g)];
    expect(places).toHaveLength(1 + 400);
    expect(profile.match(/\.md"="read"/g)).toHaveLength(398);
    expect(profile).toContain(`"${folder}/x\\"\\u007f"="read"`);
  });
});
