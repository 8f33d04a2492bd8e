// The time at a limit that a loop's clock does not know of, from what Claude Code wrote.

import { describe, expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { workflow } from './index.ts';
import type { World } from './observe.ts';
import { NOTHING_SAVED } from './saved.ts';
import { unknownToClock } from './time-at-limits.ts';
import type { State } from './types.ts';

const LINES = recordedLines('claude-code/transcript-usage-limit-2.1.325.jsonl');
/** The error is of 03:36:01.516, the turn after it of 03:37:01.675. */
const AWAY_MS = 60_159;
const time = (clock: string): number => Date.parse(`2026-11-16T${clock}Z`);

type Over = { updatedAt?: number | null; seen?: string | null; stoodStill?: number; state?: State };

function away({ updatedAt = time('03:00:00'), seen = null, stoodStill = 0, state }: Over = {}) {
  const project = bareProject(time('09:00:00'));
  const transcriptPath = writeIn(project, 't.jsonl', `${LINES.join('\n')}\n`);
  const context = contextIn(project, 'r1', { stop: { transcriptPath }, now: project.now - stoodStill });
  const loop: State = { kind: 'loop', event: 'STATE', updatedAt, stack: [] };
  const world = { found: { state: state ?? loop }, saved: { ...NOTHING_SAVED, seen } } as unknown as World;
  return { context, world, ms: unknownToClock(context, world) };
}

describe('the time at a limit that a loop’s clock does not know of', () => {
  it('is all of it where the clock never stood still', () => {
    expect(away().ms).toBe(AWAY_MS);
  });

  it('is what is left of it where the clock stood still, and never less than none', () => {
    expect(away({ stoodStill: 60_000 }).ms).toBe(159);
    expect(away({ stoodStill: 61_000 }).ms).toBe(0);
  });

  it('counts since the loop’s state, and since the line seen last', () => {
    expect(away({ updatedAt: time('04:00:00') }).ms).toBe(0);
    const newest = LINES.flatMap((line) => JSON.parse(line).uuid ?? []).at(-1);
    expect(away({ seen: newest }).ms).toBe(0);
    expect(away({ seen: '' }).ms).toBe(AWAY_MS);
  });

  it('is none where there is no loop, or nobody knows when it was worked on', () => {
    expect(away({ updatedAt: null }).ms).toBe(0);
    expect(away({ state: { kind: 'lost' } }).ms).toBe(0);
  });

  it('is what the engine is told of a limit', async () => {
    const { context, world } = away();
    expect(await workflow.look?.('limit', context, world)).toEqual({ limited: AWAY_MS });
  });
});

describe('idle to the engine', () => {
  const context = contextIn(bareProject(), 'r1');

  it('claims, has a guard, and is disabled by its variable alone', () => {
    const { name, guard, claims, pauses } = workflow;
    expect({ name, guard, claims, pauses }).toEqual({
      ...{ name: 'idle', guard: { unmoved: 6, tools: null }, claims: true, pauses: undefined },
    });
    expect(['1', '0', '', undefined].map((value) => workflow.disabled({ IDLE_LOOP_DISABLE: value }))).toEqual(
      [...[true, false, false, false]],
    );
    expect(workflow.artifacts(null, context)).toEqual([]);
  });

  it('says how far it is when the guard lets go', () => {
    const stack = [
      { iter: 1, max: 2 },
      { iter: 3, max: 9 },
    ];
    const said = (state: Parameters<typeof workflow.released>[0]) =>
      workflow.released(state, context, '6 holds');
    expect(said({ kind: 'loop', stack })).toEqual({
      ...{ name: 'released', slots: { iteration: 3, max: 9, holds: '6 holds' } },
    });
    const unknown = { name: 'released', slots: { iteration: 0, max: 0, holds: '6 holds' } };
    expect(said({ kind: 'loop', stack: [] })).toEqual(unknown);
    expect(said({ kind: 'lost' })).toEqual(unknown);
  });
});
