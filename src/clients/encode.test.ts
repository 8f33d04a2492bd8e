import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { recordedPayload } from '../../test/support/recorded.ts';
import { plainText } from '../text/printable.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { generic } from './generic.ts';
import { clients, decodeStop } from './index.ts';
import { type Answer, allowSilently } from './stop.ts';

const hold: Answer = { kind: 'hold', reason: 'Run the next round.', notice: null };
const { stop } = decodeStop({ session_id: 'a' }, 'claude-code');
const noticed = { kind: 'allow', notice: 'Released.', suppressOutput: false } satisfies Answer;

describe.each([claudeCode, codex])('$name', (client) => {
  it('is held with exit code 0 and a block', () => {
    const { stdout, stderr, exitCode } = client.encode(hold, stop, {});
    expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: 'Run the next round.' });
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it('shows a notice beside a hold', () => {
    const { stdout } = client.encode({ ...hold, notice: 'Round 2 of 3.' }, stop, {});
    expect(JSON.parse(stdout)).toEqual({
      decision: 'block',
      reason: 'Run the next round.',
      systemMessage: 'Round 2 of 3.',
    });
  });

  it('is let go without a word when there is nothing to say', () => {
    expect(client.encode(allowSilently, stop, {})).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test.each<[string, Answer, object]>([
    ['a notice', noticed, { systemMessage: 'Released.' }],
    [
      'a suppressed notice',
      { ...noticed, suppressOutput: true },
      { systemMessage: 'Released.', suppressOutput: true },
    ],
    ['suppression alone', { ...noticed, notice: null, suppressOutput: true }, { suppressOutput: true }],
  ])('is let go with %s', (_, answer, expected) => {
    const { stdout, stderr, exitCode } = client.encode(answer, stop, {});
    expect(JSON.parse(stdout)).toEqual(expected);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });
});

describe('a hold that the user wants as feedback', () => {
  const asFeedback: Answer = { ...hold, as: 'feedback' };
  const real = decodeStop(recordedPayload('claude-code/stop-after-hold.json'), null);
  const env = { AI_AGENT: 'claude-code_2-1-325_harness' };
  const encoded = (answer = asFeedback, environment: Record<string, string> = env, to = real) =>
    JSON.parse(to.client.encode(answer, to.stop, environment).stdout);
  const additionalContext = 'Run the next round.';
  const hookSpecificOutput = { hookEventName: 'Stop', additionalContext };
  const block = { decision: 'block', reason: 'Run the next round.' };

  it('is said so to Claude Code, with no decision beside it', () => {
    expect(real.client.encode(asFeedback, real.stop, env)).toMatchObject({ stderr: '', exitCode: 0 });
    expect(encoded()).toEqual({ hookSpecificOutput });
  });

  it('may have a notice beside it', () => {
    expect(encoded({ ...asFeedback, notice: 'Round 2.' })).toEqual({
      hookSpecificOutput,
      systemMessage: 'Round 2.',
    });
  });

  it('is a block where the user did not ask for it', () => {
    expect(encoded(hold)).toEqual(block);
  });

  test.each([
    'claude-code_2-1-163_harness',
    'claude-code_2-1-1000_harness',
    'claude-code_2-2-0_harness',
    'claude-code_2-10-1_harness',
    'claude-code_3-0-0_harness',
    'claude-code_10-0-0_harness',
  ])('is taken by %s', (AI_AGENT) => {
    expect(encoded(asFeedback, { AI_AGENT })).toEqual({ hookSpecificOutput });
  });

  test.each([
    'claude-code_2-1-162_harness',
    'claude-code_2-1-99_harness',
    'claude-code_2-0-999_harness',
    'claude-code_1-9-999_harness',
    'claude-code_2-1-325_agent',
    'claude-code_2-1-325',
    'claude-code_2-1_harness',
    'claude-code_2-1-325-1_harness',
    'x-claude-code_2-1-325_harness',
    'claude-code_2-1-325_harness_agent',
    'claude-code_2-1-325_harness\n',
    '',
  ])('is a block for %j', (AI_AGENT) => {
    expect(encoded(asFeedback, { AI_AGENT })).toEqual(block);
  });

  it('is a block where no version is told', () => {
    expect(encoded(asFeedback, {})).toEqual(block);
  });

  it('is a block for Codex, also where a Claude Code around it left its variables', () => {
    const payload = recordedPayload('codex/stop-first.json');
    expect(encoded(asFeedback, env, decodeStop(payload, null))).toEqual(block);
    expect(encoded(asFeedback, env, decodeStop(payload, 'claude-code'))).toEqual(block);
    const both = decodeStop({ ...payload, prompt_id: 'p' }, 'claude-code');
    expect(encoded(asFeedback, env, both)).toEqual(block);
  });

  test.each(clients.filter(({ name }) => name !== 'claude-code'))('is a block for $name', (client) => {
    expect(JSON.parse(client.encode(asFeedback, real.stop, env).stdout)).toEqual(block);
  });

  it('is a block where it is longer than the client takes, counted as it leaves', () => {
    const of = (reason: string) => Object.keys(encoded({ ...asFeedback, reason }));
    expect(of('a'.repeat(10_000))).toEqual(['hookSpecificOutput']);
    expect(of('a'.repeat(10_001))).toEqual(['decision', 'reason']);
    expect(of('\u{1f600}'.repeat(5000))).toEqual(['hookSpecificOutput']);
    expect(of(`\u{1f600}${'a'.repeat(9999)}`)).toEqual(['decision', 'reason']);
  });

  it('carries no half of a pair and nothing that steers a terminal', () => {
    expect(encoded({ ...asFeedback, reason: 'a\ud800b\u001b[2J' })).toEqual({
      hookSpecificOutput: { ...hookSpecificOutput, additionalContext: 'a\ufffdb [2J' },
    });
  });
});

describe('a host that knows exit codes', () => {
  it('is held by exit code 2, with the reason on stderr and the same JSON on stdout', () => {
    const { stdout, stderr, exitCode } = generic.encode(hold, stop, {});
    expect(stdout).toBe(claudeCode.encode(hold, stop, {}).stdout);
    expect([stderr, exitCode]).toEqual(['Run the next round.\n', 2]);
  });

  it('is let go with exit code 0 and nothing on stderr', () => {
    expect(generic.encode(noticed, stop, {})).toEqual(claudeCode.encode(noticed, stop, {}));
    expect(generic.encode(allowSilently, stop, {})).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });
});

describe('any text', () => {
  it('leaves as one line of JSON that says the same, but for halves of surrogate pairs and what steers a terminal', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\0', '\n', '\u2028', '"', '\u{1f600}') }),
    );
    fc.assert(
      fc.property(texts, texts, (reason, notice) => {
        const { stdout } = claudeCode.encode({ kind: 'hold', reason, notice }, stop, {});
        expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
        const read = JSON.parse(stdout);
        expect([read.reason, read.systemMessage ?? '']).toEqual([plainText(reason), plainText(notice)]);
      }),
    );
  });

  it('carries no escape, control or bidirectional character to a client', () => {
    const hostile = 'a\u001b[2J\u009b\u202eb\u2066\r\0\u2028c';
    const { stdout, stderr } = generic.encode({ kind: 'hold', reason: hostile, notice: hostile }, stop, {});
    const shown = 'a [2J  b    c';
    expect(JSON.parse(stdout)).toMatchObject({ reason: shown, systemMessage: shown });
    expect(stderr).toBe(`${shown}\n`);
  });

  it('never carries half a surrogate pair: Codex 0.166.0 drops the whole answer over one', () => {
    const { stdout, stderr } = generic.encode(
      { kind: 'hold', reason: 'a\ud800b\udc00c\u{1f600}', notice: '\udfff' },
      stop,
      {},
    );
    expect(stdout).not.toMatch(/\\ud[89a-f]/);
    expect(JSON.parse(stdout)).toMatchObject({ reason: 'a\ufffdb\ufffdc\u{1f600}', systemMessage: '\ufffd' });
    expect(stderr).toBe('a\ufffdb\ufffdc\u{1f600}\n');
  });
});
