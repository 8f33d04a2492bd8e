import { describe, expect, it } from 'vitest';
import type { Answer, Stop } from '../stop.ts';
import { encode } from './encode.ts';

const stop: Stop = {
  ...{ client: 'claude-code', session: 's', turn: 'p', cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};
const feedback: Answer = { kind: 'hold', reason: 'Go on.', notice: null, as: 'feedback' };
const agent = (version: string, role = 'harness') => ({ AI_AGENT: `claude-code_${version}_${role}` });
const NEW = agent('2-1-325');
const AS_BLOCK = '{"decision":"block","reason":"Go on."}\n';
const AS_FEEDBACK = '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"Go on."}}\n';

describe('Claude Code is answered', () => {
  it.each<[Answer, string]>([
    [{ kind: 'hold', reason: 'Go on.', notice: null }, AS_BLOCK],
    [{ kind: 'allow', notice: 'n', suppressOutput: false }, '{"systemMessage":"n"}\n'],
    [feedback, AS_FEEDBACK],
    [{ ...feedback, notice: '' }, AS_FEEDBACK],
    [
      { ...feedback, reason: '\ud800Go', notice: 'n\ud800' },
      '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"\ufffdGo"},"systemMessage":"n\ufffd"}\n',
    ],
  ])('%j', (answer, stdout) => {
    expect(encode(answer, stop, NEW)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it.each<[Record<string, string>, boolean]>([
    [{}, false],
    [agent('2-1-162'), false],
    [agent('2-1-163'), true],
    [agent('2-1-164'), true],
    [agent('2-0-999'), false],
    [agent('2-2-0'), true],
    [agent('1-9-999'), false],
    [agent('3-0-0'), true],
    [agent('2-1-325', 'agent'), false],
    [agent('2-1'), false],
    [{ AI_AGENT: `x${NEW.AI_AGENT}` }, false],
    [{ AI_AGENT: `${NEW.AI_AGENT}x` }, false],
  ])('with feedback since the version that holds for it: %j is %s', (env, taken) => {
    expect(encode(feedback, stop, env).stdout).toBe(taken ? AS_FEEDBACK : AS_BLOCK);
  });

  it('with a block where no prompt is named', () => {
    expect(encode(feedback, { ...stop, turn: null }, NEW).stdout).toBe(AS_BLOCK);
  });

  it('with a block where feedback would be cut', () => {
    const said = (length: number): object =>
      JSON.parse(encode({ ...feedback, reason: 'x'.repeat(length) }, stop, NEW).stdout);
    expect(Object.keys(said(10_000))).toEqual(['hookSpecificOutput']);
    expect(Object.keys(said(10_001))).toEqual(['decision', 'reason']);
  });
});
