import { describe, expect, it, test } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { type GuardMemory, NO_GUARD_MEMORY } from '../../store/records.ts';
import {
  dependsOnTools,
  type GuardLimits,
  type Movement,
  movedByOthers,
  rowAtLimit,
  settle,
  weigh,
} from './guard.ts';
import { readRecordedGuard } from './recorded.ts';

const most: GuardLimits = { unmoved: 3, tools: 12, unknown: 12 };
const idle: GuardLimits = { unmoved: 6, tools: null, unknown: 12 };

/** What happened before a stop: the tools say yes, no or nothing (?), the state (s) or an artifact (a) moved, it waited. */
const EVENTS: Readonly<Record<string, Movement>> = {
  y: { state: false, artifacts: false, tools: 'yes' },
  n: { state: false, artifacts: false, tools: 'no' },
  '?': { state: false, artifacts: false, tools: 'unknown' },
  s: { state: true, artifacts: false, tools: 'no' },
  a: { state: false, artifacts: true, tools: 'no' },
  w: { state: false, artifacts: false, tools: 'no', waited: true },
};
const NOTHING: Movement = { state: false, artifacts: false, tools: 'no' };

/** One stop after the other, as the engine puts them: held (H), let go with a notice (R) or in silence (-). */
function play(events: string, limits: GuardLimits): { answers: string; memory: GuardMemory } {
  let memory = NO_GUARD_MEMORY;
  let answers = '';
  for (const event of events) {
    const weighed = weigh(memory, (memory.held && EVENTS[event]) || NOTHING, limits);
    memory = weighed.memory;
    answers += weighed.kind === 'hold' ? 'H' : weighed.first ? 'R' : '-';
  }
  return { answers, memory };
}

test.each<[string, string, GuardLimits, number]>([
  ['an agent that does nothing', 'n', most, 3],
  ['an agent that does nothing, in idle', 'n', idle, 6],
  ['an agent that only runs ls', 'y', most, 12],
  ['an agent that only runs ls, in idle: the loop’s own maximum bounds it', 'y', idle, -1],
  ['a transcript that never tells', '?', most, 12],
  ['a transcript that never tells, in idle', '?', idle, 12],
  ['a tool call at every fourth stop, just in time', 'nnny', most, 12],
  ['a tool call at every fifth stop: too late', 'nnnny', most, 3],
  ['a transcript that tells at every second stop, in idle', '?n', idle, 24],
  ['a transcript that tells of a tool call now and then, in idle', '??????????y', idle, -1],
  ['an agent that waits at every second stop', 'nw', most, 6],
  ['limits of zero', 'y', { unmoved: 0, tools: 0, unknown: 0 }, 0],
  ['a limit of one', 'n', { unmoved: 1, tools: 12, unknown: 12 }, 1],
  ['a limit for tool calls below that for nothing at all', 'n', { unmoved: 6, tools: 2, unknown: 12 }, 2],
])('holds in a row until %s is let go', (_, events, limits, holds) => {
  expect(play(events.repeat(200), limits).answers.indexOf('R')).toBe(holds);
});

test.each([
  ['the state moved', 'nnnsnnnn', 'HHHHHHHR'],
  ['an artifact moved', 'nnnannnn', 'HHHHHHHR'],
  ['an artifact moved after tool calls', `${'y'.repeat(12)}a${'y'.repeat(13)}`, `${'H'.repeat(25)}R`],
  [
    'the state moved after a transcript that tells nothing',
    `${'?'.repeat(12)}s${'?'.repeat(13)}`,
    `${'H'.repeat(25)}R`,
  ],
  ['it was let go: silent, whatever the tools say', 'nnnnnynw?n', 'HHHR------'],
  ['it was let go and its state moved: live again, from none', 'nnnnnsnnnnn', 'HHHR-HHHHR-'],
  ['it was let go and an artifact moved', 'nnnnannnn', 'HHHRHHHHR'],
])('a run is counted where %s', (_, events, answers) => {
  expect(play(events, most).answers).toBe(answers);
});

const memory: GuardMemory = { ...NO_GUARD_MEMORY, held: true, noProgress: 3, noTools: 2, toolsUnknown: 1 };
const counted = (noProgress: number, noTools: number, toolsUnknown = 0, more: Partial<GuardMemory> = {}) => ({
  ...{ ...memory, noProgress, noTools, toolsUnknown },
  ...more,
});

it.each([
  ['y', counted(4, 0)],
  ['?', counted(4, 0, 2)],
  ['n', counted(4, 3, 1)],
  ['w', memory],
  ['s', counted(0, 0)],
])('each row of holds goes on or begins again: %s', (event, after) => {
  const limits: GuardLimits = { unmoved: 9, tools: 9, unknown: 9 };
  expect(weigh(memory, EVENTS[event] ?? NOTHING, limits)).toEqual({ kind: 'hold', memory: after });
  expect(weigh(counted(3, 2, 1, { released: true }), NOTHING, limits)).toMatchObject({ first: false });
});

it.each<[string, string, GuardLimits, string, number]>([
  ['nnn', 'n', most, 'noTools', 3],
  [`${'y'.repeat(20)}nnnnnn`, 'n', idle, 'noTools', 6],
  [`n${'?'.repeat(11)}`, '?', most, 'toolsUnknown', 12],
  ['y'.repeat(12), 'y', most, 'noProgress', 12],
  [`${'y'.repeat(9)}nnn`, 'y', most, 'noProgress', 12],
  ['', 'n', { ...most, unmoved: 0 }, 'noTools', 0],
])('the row that reached its limit, after %s and then %s', (events, last, limits, row, holds) => {
  const { memory: now } = play(events, limits);
  const movement = EVENTS[last] ?? NOTHING;
  expect(weigh(now, movement, limits).kind).toBe('release');
  expect(rowAtLimit(now, movement, limits)).toEqual({ row, holds });
});

it.each([
  ['at the last hold without one', counted(3, 3), 'n', most, true],
  ['before that', counted(2, 2), 'n', most, false],
  ['when the row of tool calls is over as well', counted(12, 3), 'n', most, false],
  ['when the state moved', counted(3, 3), 's', most, false],
  ['when it waited', counted(3, 3), 'w', most, false],
  ['when it was let go already', counted(3, 3, 0, { released: true }), 'n', most, false],
  ['when the transcript has told nothing for too long', counted(12, 0, 13), 'n', idle, true],
])('the answer depends on a tool call %s', (_, known, event, limits, depends) => {
  expect(dependsOnTools(known, EVENTS[event] ?? NOTHING, limits)).toBe(depends);
});

it.each([
  [null, 'a', false],
  [{ before: 'a', after: 'b' }, 'a', false],
  [{ before: 'a', after: 'b' }, 'b', false],
  [{ before: 'a', after: 'b' }, 'c', true],
])('others moved the state, after our commit %j and with %s there: %s', (ours, there, moved) => {
  expect(movedByOthers(ours, there)).toBe(moved);
});

it('what others moved counts at once at a stop that is allowed', () => {
  const released = counted(3, 2, 1, { released: true });
  expect(settle(released, true)).toEqual(counted(0, 0));
  expect(settle(released, false)).toBe(released);
});

it('the holds without movement are bounded whatever the limits, and after them comes silence', () => {
  const limitsOf = fc.record({
    unmoved: fc.nat({ max: 8 }),
    tools: fc.option(fc.nat({ max: 15 }), { nil: null }),
    unknown: fc.nat({ max: 12 }),
  });
  const drawn = fc.array(fc.constantFrom('y', 'n', '?'), { minLength: 150, maxLength: 250 });
  fc.assert(
    fc.property(limitsOf, drawn, (limits, events) => {
      // What decision 3 (docs/decisions.md) promises; without a limit for tool calls, only while none is seen.
      const bound = limits.tools ?? (limits.unmoved + 1) * Math.max(1, limits.unknown);
      const seen = events.join('');
      const { answers } = play(limits.tools === null ? seen.replaceAll('y', 'n') : seen, limits);
      expect(answers).toMatch(/^H*R-*$/);
      expect(answers.indexOf('R')).toBeLessThanOrEqual(bound);
    }),
    { numRuns: 300 },
  );
});

describe('what the journal has of it', () => {
  const line = {
    memory: { held: true, noProgress: 1, noTools: 1, toolsUnknown: 0, released: false },
    movement: { state: false, artifacts: true, tools: 'unknown', waited: true },
    ...{ limits: { unmoved: 3, tools: null, unknown: 12 }, result: 'hold' },
  };

  it('is read as it was written; an older line says nothing of waiting', () => {
    expect(readRecordedGuard(line)).toEqual(line);
    const { waited: _, ...movement } = line.movement;
    expect(readRecordedGuard({ ...line, movement })?.movement.waited).toBe(false);
  });

  it.each([
    null,
    { result: 1 },
    { limits: {} },
    { memory: {} },
    { movement: { ...line.movement, tools: 'x' } },
  ])('is nothing with %j', (more) => {
    expect(readRecordedGuard(more && ({ ...line, ...more } as never))).toBeNull();
  });
});
