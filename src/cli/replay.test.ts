import { describe, expect, it } from 'vitest';
import type { Call } from '../engine/workflow-cli.ts';
import type { Json } from '../store/json.ts';
import { replay } from './replay.ts';

/** A stop at which an idle loop ended by its signal. */
function endedWith(over: Json): string {
  return JSON.stringify({
    schema: 2,
    time: '2026-01-01T00:00:00.000Z',
    event: 'stop',
    client: 'claude-code',
    session: 's1',
    turn: null,
    workflow: 'idle',
    run: 'loop-1',
    state: {
      kind: 'loop',
      event: 'STATE',
      updatedAt: 1000,
      stack: [{ mode: 'loop', iter: 1, max: 10, carryOn: false }],
    },
    facts: { now: 1000, signal: 'STUCK', nearMiss: 'none', seen: null, verdict: null, failedReviews: 0 },
    guard: null,
    step: {
      kind: 'allow',
      change: { event: 'DONE', reason: 'STUCK', drop: 'top', step: false, seen: null },
      notice: null,
      ...(over === null ? {} : { over }),
    },
    answer: 'allow',
    notice: false,
    error: null,
    milliseconds: 20,
  });
}

async function replayed(line: string): Promise<{ exitCode: number; printed: string }> {
  const lines: string[] = [];
  const call = { words: [line], flags: {}, print: (text: string) => lines.push(text) };
  const exitCode = await replay.run(call as unknown as Call);
  return { exitCode, printed: lines.join('\n') };
}

describe('a recorded end of a run', () => {
  it.each([['stuck'], [true]])('comes out the same when it says over: %s', async (over) => {
    const { exitCode, printed } = await replayed(endedWith(over));
    expect(printed).toMatch(/idle:loop-1: same$/);
    expect(exitCode).toBe(0);
  });

  it.each([['completed'], [null], [false]])('comes out different when it says over: %s', async (over) => {
    const { exitCode, printed } = await replayed(endedWith(over));
    expect(printed).toContain('idle:loop-1: different');
    expect(exitCode).toBe(1);
  });
});
