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

type Event = Movement['tools'] | 'state' | 'artifacts';

function movementOf(event: Event): Movement {
  if (event === 'state' || event === 'artifacts')
    return { state: event === 'state', artifacts: event === 'artifacts', tools: 'no' };
  return { state: false, artifacts: false, tools: event };
}

/** One stop after the other, as the engine puts them: at the first there is nothing to compare with. */
function play(events: readonly Event[], limits: GuardLimits): { answers: string; memory: GuardMemory } {
  let memory = NO_GUARD_MEMORY;
  let answers = '';
  for (const event of events) {
    const weighed = weigh(memory, movementOf(memory.held ? event : 'no'), limits);
    memory = weighed.memory;
    answers += weighed.kind === 'hold' ? 'H' : weighed.first ? 'R' : '-';
  }
  return { answers, memory };
}

const times = (count: number, ...events: Event[]): Event[] =>
  Array.from({ length: count }, () => events).flat();

/** How many holds in a row end in a letting go, when it goes on like this for ever. */
function holdsUntilRelease(events: readonly Event[], limits: GuardLimits): number {
  const { answers } = play(times(200, ...events), limits);
  return answers.indexOf('R');
}

describe('holds in a row until the run lets go', () => {
  const rows: readonly [string, readonly Event[], GuardLimits, number][] = [
    ['an agent that does nothing', ['no'], most, 3],
    ['an agent that does nothing, in idle', ['no'], idle, 6],
    ['an agent that only runs ls', ['yes'], most, 12],
    ['an agent that only runs ls, in idle: the loop’s own maximum bounds it', ['yes'], idle, -1],
    ['a transcript that never tells', ['unknown'], most, 12],
    ['a transcript that never tells, in idle', ['unknown'], idle, 12],
    ['a tool call at every second stop', ['yes', 'no'], most, 12],
    ['a tool call at every third stop', ['no', 'no', 'yes'], most, 12],
    ['a tool call at every fourth stop, just in time', ['no', 'no', 'no', 'yes'], most, 12],
    ['a tool call at every fifth stop: too late', ['no', 'no', 'no', 'no', 'yes'], most, 3],
    ['a transcript that tells at every second stop, in idle', ['unknown', 'no'], idle, 24],
    [
      'a transcript that tells of a tool call now and then, in idle',
      [...times(10, 'unknown'), 'yes'],
      idle,
      -1,
    ],
    ['limits of zero', ['yes'], { unmoved: 0, tools: 0, unknown: 0 }, 0],
    ['a limit of one', ['no'], { unmoved: 1, tools: 12, unknown: 12 }, 1],
    ['a lower limit for tool calls', ['yes'], { unmoved: 3, tools: 5, unknown: 12 }, 5],
    [
      'a limit for tool calls below that for nothing at all',
      ['no'],
      { unmoved: 6, tools: 2, unknown: 12 },
      2,
    ],
  ];

  test.each(rows)('%s', (_, events, limits, holds) => {
    expect(holdsUntilRelease(events, limits)).toBe(holds);
  });
});

describe('progress', () => {
  test.each(['state', 'artifacts'] as const)('of the %s starts the count again', (event) => {
    expect(play(['no', 'no', 'no', event, 'no', 'no', 'no', 'no'], most).answers).toBe('HHHHHHHR');
    expect(play([...times(12, 'yes'), event, ...times(13, 'yes')], most).answers).toBe(`${'H'.repeat(25)}R`);
    expect(play([...times(12, 'unknown'), event, ...times(13, 'unknown')], idle).answers).toBe(
      `${'H'.repeat(25)}R`,
    );
  });

  it('of the state at every stop is held for as long as the workflow wants', () => {
    expect(play(times(500, 'state'), most).answers).toBe('H'.repeat(500));
  });

  it('by tool calls ends the row without any, but not the row in which nothing moved', () => {
    const { memory } = play(['no', 'no', 'yes'], most);

    expect(memory).toMatchObject({ noProgress: 3, noTools: 0 });
  });
});

describe('a run that was let go', () => {
  it('says so once and is silent from then on, whatever the agent does with tools', () => {
    expect(play([...times(4, 'no'), 'no', 'yes', 'unknown', 'no'], most).answers).toBe('HHHR----');
  });

  test.each(['state', 'artifacts'] as const)(
    'is live again when its %s moved, with the count at zero',
    (event) => {
      const { answers, memory } = play([...times(5, 'no'), event, ...times(5, 'no')], most);

      expect(answers).toBe('HHHR-HHHHR-');
      expect(memory.released).toBe(true);
    },
  );

  it('keeps everything else of its memory', () => {
    const memory = { ...NO_GUARD_MEMORY, held: true, noProgress: 3, noTools: 3, marker: 'm', notified: 't' };

    expect(weigh(memory, movementOf('no'), most)).toEqual({
      kind: 'release',
      first: true,
      memory: { ...memory, released: true },
    });
  });
});

describe('the row of holds that reached its limit', () => {
  const rows: readonly [string, readonly Event[], Movement['tools'], GuardLimits, string, number][] = [
    ['an agent that does nothing', times(3, 'no'), 'no', most, 'noTools', 3],
    ['one that stopped working', [...times(20, 'yes'), ...times(6, 'no')], 'no', idle, 'noTools', 6],
    [
      'a transcript that cannot be read',
      ['no', ...times(11, 'unknown')],
      'unknown',
      most,
      'toolsUnknown',
      12,
    ],
    ['tool calls alone', times(12, 'yes'), 'yes', most, 'noProgress', 12],
    [
      'a tool call after three holds without',
      [...times(9, 'yes'), ...times(3, 'no')],
      'yes',
      most,
      'noProgress',
      12,
    ],
    ['no hold allowed at all', [], 'no', { ...most, unmoved: 0 }, 'noTools', 0],
  ];

  test.each(rows)('%s', (_, events, last, limits, row, holds) => {
    const { memory, answers } = play(events, limits);
    expect(answers).toBe('H'.repeat(events.length));
    expect(weigh(memory, movementOf(last), limits).kind).toBe('release');
    expect(rowAtLimit(memory, movementOf(last), limits)).toEqual({ row, holds });
  });
});

describe('whatever the agent does without moving state or artifacts', () => {
  const limitsOf = fc.record({
    unmoved: fc.nat({ max: 8 }),
    tools: fc.option(fc.nat({ max: 15 }), { nil: null }),
    unknown: fc.nat({ max: 12 }),
  });
  const longEnough = { minLength: 150, maxLength: 250 };

  /** What decision 3 (docs/decisions.md) promises; without a limit for tool calls, only while none is seen. */
  function bound({ unmoved, tools, unknown }: GuardLimits): number {
    return tools ?? (unmoved + 1) * Math.max(1, unknown);
  }

  it('the holds in a row are bounded, and after them comes silence', () => {
    const tools = fc.constantFrom<Event>('yes', 'no', 'unknown');
    fc.assert(
      fc.property(limitsOf, fc.array(tools, longEnough), (limits, drawn) => {
        const events = limits.tools === null ? drawn.map((event) => (event === 'yes' ? 'no' : event)) : drawn;

        const { answers } = play(events, limits);

        expect(answers).toMatch(/^H*R-*$/);
        expect(answers.indexOf('R')).toBeLessThanOrEqual(bound(limits));
      }),
      { numRuns: 500 },
    );
  });

  it('the holds between two movements are bounded too', () => {
    const any = fc.constantFrom<Event>('yes', 'no', 'unknown', 'state', 'artifacts');
    fc.assert(
      fc.property(fc.array(any, { maxLength: 300 }), (events) => {
        const { answers } = play(events, most);

        let row = 0;
        let longest = 0;
        for (const [i, answer] of [...answers].entries()) {
          const moved = i > 0 && (events[i] === 'state' || events[i] === 'artifacts');
          row = answer !== 'H' || moved ? 0 : row + 1;
          longest = Math.max(longest, row);
        }
        expect(longest).toBeLessThanOrEqual(12);
      }),
      { numRuns: 500 },
    );
  });
});

describe('whether the answer depends on a tool call', () => {
  const still = { state: false, artifacts: false };
  const counted = (memory: Partial<GuardMemory>) => ({ ...NO_GUARD_MEMORY, held: true, ...memory });

  test.each([
    ['at the last hold without one', counted({ noProgress: 3, noTools: 3 }), still, most, true],
    ['before that', counted({ noProgress: 2, noTools: 2 }), still, most, false],
    [
      'when the row of tool calls is over as well',
      counted({ noProgress: 12, noTools: 3 }),
      still,
      most,
      false,
    ],
    ['when the state moved', counted({ noProgress: 3, noTools: 3 }), { ...still, state: true }, most, false],
    ['when a file moved', counted({ noProgress: 3, noTools: 3 }), { ...still, artifacts: true }, most, false],
    [
      'when it was let go already',
      counted({ noProgress: 3, noTools: 3, released: true }),
      still,
      most,
      false,
    ],
    ['in idle', counted({ noProgress: 6, noTools: 6 }), still, idle, true],
    [
      'when the toolsUnknown ones are used up',
      counted({ noProgress: 12, toolsUnknown: 13 }),
      still,
      idle,
      true,
    ],
  ])('%s', (_, memory, moved, limits, hangs) => {
    expect(dependsOnTools(memory, moved, limits)).toBe(hangs);
  });
});

describe('a turn of waiting', () => {
  const waited: Movement = { state: false, artifacts: false, tools: 'yes', waited: true };

  it('is held at the very end of every row, and changes none', () => {
    const memory = { ...NO_GUARD_MEMORY, held: true, noProgress: 12, noTools: 3, toolsUnknown: 12 };
    expect(weigh(memory, waited, most)).toEqual({ kind: 'hold', memory });
    expect(weigh(memory, { ...waited, waited: false, tools: 'no' }, most).kind).toBe('release');
  });

  it('is progress where something moved besides', () => {
    const memory = { ...NO_GUARD_MEMORY, held: true, noProgress: 5, noTools: 1, toolsUnknown: 2 };
    const { memory: after } = weigh(memory, { ...waited, state: true }, most);
    expect(after).toMatchObject({ noProgress: 0, noTools: 0, toolsUnknown: 0 });
  });

  it('does not bring back a run that was let go, and is not waited for in a late transcript', () => {
    const memory = { ...NO_GUARD_MEMORY, held: true, noTools: 3, released: true };
    expect(weigh(memory, waited, most)).toMatchObject({ kind: 'release', first: false });
    expect(dependsOnTools({ ...memory, released: false }, waited, most)).toBe(false);
  });
});

describe('whether others moved the state', () => {
  const ours = { before: 'a', after: 'b' };
  it.each([
    [null, 'a', false],
    [ours, 'a', false],
    [ours, 'b', false],
    [ours, 'c', true],
  ])('of %j, with %s there: %s', (known, there, moved) => {
    expect(movedByOthers(known, there)).toBe(moved);
  });

  it('counts at once at a stop that is allowed', () => {
    const memory: GuardMemory = {
      ...NO_GUARD_MEMORY,
      held: true,
      noProgress: 3,
      noTools: 2,
      toolsUnknown: 1,
    };
    expect(settle({ ...memory, released: true }, true)).toEqual({
      ...memory,
      ...{ noProgress: 0, noTools: 0, toolsUnknown: 0, released: false },
    });
    const released = { ...memory, released: true };
    expect(settle(released, false)).toBe(released);
  });
});

describe('each row of holds', () => {
  const memory: GuardMemory = { ...NO_GUARD_MEMORY, held: true, noProgress: 3, noTools: 2, toolsUnknown: 1 };
  const limits: GuardLimits = { unmoved: 9, tools: 9, unknown: 9 };
  it.each<[Movement['tools'], object]>([
    ['yes', { noProgress: 4, noTools: 0, toolsUnknown: 0 }],
    ['unknown', { noProgress: 4, noTools: 0, toolsUnknown: 2 }],
    ['no', { noProgress: 4, noTools: 3, toolsUnknown: 1 }],
  ])('goes on or begins again as the tools say: %s', (tools, counts) => {
    const answer = weigh(memory, { state: false, artifacts: false, tools }, limits);
    expect(answer).toEqual({ kind: 'hold', memory: { ...memory, ...counts } });
  });

  it('stands still while the agent waits, and is opened by the first hold', () => {
    const still = { state: false, artifacts: false, tools: 'no', waited: true } as const;
    expect(weigh(memory, still, limits)).toEqual({ kind: 'hold', memory });
    expect(weigh(NO_GUARD_MEMORY, { ...still, waited: false }, limits).memory).toMatchObject({
      ...{ held: true, noProgress: 1, noTools: 1, toolsUnknown: 1 },
    });
  });
});

describe('what the journal has of it', () => {
  const line = {
    memory: { held: true, noProgress: 1, noTools: 1, toolsUnknown: 0, released: false },
    movement: { state: false, artifacts: true, tools: 'unknown', waited: true },
    limits: { unmoved: 3, tools: null, unknown: 12 },
    result: 'hold',
  };

  it('is read as it was written; an older line says nothing of waiting', () => {
    expect(readRecordedGuard(line)).toEqual(line);
    const { waited: _, ...movement } = line.movement;
    expect(readRecordedGuard({ ...line, movement })?.movement.waited).toBe(false);
  });

  it.each([[null], [{}], [{ ...line, result: 1 }], [{ ...line, limits: {} }]])('%j is nothing', (json) => {
    expect(readRecordedGuard(json)).toBeNull();
  });
});
