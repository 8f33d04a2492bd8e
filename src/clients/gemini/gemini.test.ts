import { describe, expect, it } from 'vitest';
import { recordedLines } from '../../../test/support/recorded.ts';
import { gemini } from './index.ts';
import { usage } from './usage.ts';

const env = {};
const stop = gemini.decode({ session_id: 's', hook_event_name: 'AfterAgent' });

describe("Gemini CLI's hook", () => {
  it('is limited in milliseconds', () => {
    expect(gemini.hookLimit(7_200_000)).toBe(7200);
    expect(gemini.hookLimit(999)).toBe(0);
    expect(gemini.hookLimit(null)).toBe(null);
  });

  it('never asks for its output to be suppressed: its notice would not be shown', () => {
    const answer = { kind: 'allow', notice: 'A line.', suppressOutput: true } as const;
    expect(JSON.parse(gemini.encode(answer, stop, env).stdout)).toEqual({ systemMessage: 'A line.' });
    expect(gemini.encode({ ...answer, notice: null }, stop, env).stdout).toBe('');
    const hold = gemini.encode({ kind: 'hold', reason: 'Go on.', notice: null }, stop, env);
    expect(JSON.parse(hold.stdout)).toEqual({ decision: 'block', reason: 'Go on.' });
  });

  it('after Esc is no stop of the agent', () => {
    expect(gemini.decode({ session_id: 's', prompt_response: '[no response text]' }).failed).toBe(true);
    expect(stop.failed).toBe(undefined);
  });
});

describe('tokens in its transcript', () => {
  const counted = recordedLines('gemini/transcript-hold.jsonl').flatMap((line) => usage.read(line) ?? []);

  it('are those of each message, which may be written twice under its id', () => {
    expect(counted.map(({ tokens, cacheRead }) => [tokens, cacheRead])).toContainEqual([110, 0]);
    const ids = counted.map((each) => (each.kind === 'message' ? each.id : ''));
    expect(new Set(ids).size).toBeLessThan(ids.length);
    expect(counted.every(({ at }) => at !== null)).toBe(true);
  });

  it('leave out of the input what came from the cache, and take in thoughts', () => {
    const tokens = { input: 100, output: 10, cached: 40, thoughts: 5, tool: 0, total: 115 };
    const line = JSON.stringify({ id: 'm', type: 'gemini', timestamp: '2026-01-01T00:00:00Z', tokens });
    expect(usage.read(line)).toMatchObject({ id: 'm', tokens: 75, cacheRead: 40 });
  });

  it.each([
    '{"tokens":1}',
    '{"type":"gemini","tokens":{}}',
    '{"type":"user","id":"m","tokens":{}}',
    '"tokens"',
  ])('are none in %s', (line) => expect(usage.read(line)).toBe(null));
});
