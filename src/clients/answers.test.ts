// How stops are answered, beside what recorded.test.ts shows for each client: hostile texts, feedback, exit codes.

import { describe, expect, it } from 'vitest';
import { matchTable } from '../../test/support/golden.ts';
import { fc } from '../../test/support/property.ts';
import { recordedPayload } from '../../test/support/recorded.ts';
import { plainText } from '../text/printable.ts';
import { claudeCode } from './claude-code/index.ts';
import { generic } from './generic.ts';
import { clients, decodeStop } from './index.ts';
import type { Answer } from './stop.ts';

const hold = { kind: 'hold', reason: 'Go on.', notice: null } satisfies Answer;
const { stop } = decodeStop({ session_id: 'a' }, 'claude-code');

describe('any text', () => {
  it('leaves as one line of JSON that says the same, but for what steers a terminal', () => {
    const odd = fc.string({ unit: fc.constantFrom('\0', '\n', '\u2028', '"', '\u{1f600}') });
    const texts = fc.oneof(fc.string({ unit: 'binary' }), odd);
    fc.assert(
      fc.property(texts, texts, (reason, notice) => {
        const { stdout } = claudeCode.encode({ kind: 'hold', reason, notice }, stop, {});
        expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
        const read = JSON.parse(stdout);
        expect([read.reason, read.systemMessage ?? '']).toEqual([plainText(reason), plainText(notice)]);
      }),
    );
  });

  it.each([
    ['a\u001b[2J\u009b\u202eb\u2066\r\0\u2028c', 'a [2J  b    c'],
    // Codex 0.166.0 drops the whole answer over half a pair.
    ['a\ud800b\udc00c\u{1f600}', 'a\ufffdb\ufffdc\u{1f600}'],
  ])('%j is shown as %j, as a reason, a notice and on standard error', (text, shown) => {
    const { stdout, stderr, exitCode } = generic.encode(
      { kind: 'hold', reason: text, notice: text },
      stop,
      {},
    );
    expect(stdout).not.toMatch(/\\ud[89a-f]/);
    expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: shown, systemMessage: shown });
    expect([stderr, exitCode]).toEqual([`${shown}\n`, 2]);
  });
});

describe('a hold that the user wants as feedback', () => {
  const feedback = { ...hold, as: 'feedback' } satisfies Answer;
  const env = { AI_AGENT: 'claude-code_2-1-325_harness' };
  const real = decodeStop(recordedPayload('claude-code/stop-after-hold.json'), null);
  const kindOf = (
    answer: Answer = feedback,
    AI_AGENT: string | undefined = env.AI_AGENT,
    to = real,
  ): string => {
    const answered = JSON.parse(to.client.encode(answer, to.stop, { AI_AGENT }).stdout);
    return 'decision' in answered ? 'block' : answered.hookSpecificOutput.additionalContext;
  };

  it('is said so since the version of Claude Code that holds for it', () =>
    matchTable(import.meta.dirname, 'feedback', {
      'a hold as feedback in the version that AI_AGENT names': (agent) => kindOf(feedback, agent),
    }));

  it('is a block where nobody asked for it, and to every other client', () => {
    expect([kindOf(), kindOf(hold)]).toEqual(['Go on.', 'block']);
    expect(JSON.parse(claudeCode.encode(feedback, real.stop, {}).stdout).decision).toBe('block');
    for (const client of clients.filter(({ name }) => name !== 'claude-code'))
      expect(kindOf(feedback, env.AI_AGENT, { client, stop: real.stop }), client.name).toBe('block');
    const payload = { ...recordedPayload('codex/stop-first.json'), prompt_id: 'p' };
    // A Claude Code around Codex left its variables.
    expect(kindOf(feedback, env.AI_AGENT, decodeStop(payload, 'claude-code'))).toBe('block');
  });

  it.each([
    ['a'.repeat(10_000), true],
    ['a'.repeat(10_001), false],
    ['\u{1f600}'.repeat(5000), true],
    [`\u{1f600}${'a'.repeat(9999)}`, false],
  ])('is a block where it is longer than the client takes', (reason, isTaken) => {
    expect(kindOf({ ...feedback, reason }) === reason).toBe(isTaken);
  });

  it('carries no half of a pair and nothing that steers a terminal', () => {
    const answer: Answer = { ...feedback, reason: 'a\ud800b\u001b[2J', notice: 'n\ud800' };
    expect(JSON.parse(claudeCode.encode(answer, real.stop, env).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'a\ufffdb [2J' },
      systemMessage: 'n\ufffd',
    });
  });
});
