import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { plainText } from '../text/printable.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { generic } from './generic.ts';
import { decodeStop } from './index.ts';
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
