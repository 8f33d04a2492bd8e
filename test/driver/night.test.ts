// A night: a long loop with limits, crashes, errors, hangs and a driver that is asked to end now and then, all of it
// drawn from a seed. The client is scripted and a real process, the hook and the files are the real ones.
// HOLDFAST_NIGHT=200 makes it a long one, HOLDFAST_NIGHT_SEED another one.

import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/store/json.ts';
import { type Action, type Drove, driveOn, type Stage, stageWith, startedLoop } from './stage.ts';

const LENGTH = Number(process.env.HOLDFAST_NIGHT ?? 40);
const SEED = Number(process.env.HOLDFAST_NIGHT_SEED ?? 7);

let stage: Stage;

afterEach(() => stage.remove());

/** Numbers from 0 up to 1, the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Work, with trouble in between: never so much in a row that the driver would give up. */
function nightOf(length: number, random: () => number): Action[] {
  const actions: Action[] = [];
  for (let iteration = 0; iteration < length; iteration++) {
    const draw = random();
    const resetsAt = Math.floor(Date.now() / 1000) + 3600 + Math.floor(random() * 10_000);
    if (draw < 0.1) actions.push({ do: 'limit', resetsAt });
    else if (draw < 0.18) actions.push({ do: 'crash' });
    else if (draw < 0.22) actions.push({ do: 'exit' });
    else if (draw < 0.3) actions.push({ do: 'error' }, { do: 'error' });
    else if (draw < 0.33) actions.push({ do: 'hang' });
    else if (draw < 0.36) actions.push({ do: 'unheld' });
    actions.push({ do: 'work' });
  }
  return [...actions, { do: 'done' }];
}

/** How often each thing happens in it. */
function countsOf(actions: readonly Action[]): Record<'work' | 'limit' | 'crash' | 'error' | 'hang', number> {
  const count = (...kinds: readonly Action['do'][]): number =>
    actions.filter((action) => kinds.includes(action.do)).length;
  return {
    ...{ work: count('work'), limit: count('limit'), crash: count('crash', 'exit') },
    ...{ error: count('error'), hang: count('hang') },
  };
}

/** Of each hold, in the order of the journal. */
function iterationsHeld(): number[] {
  return stage.stops().flatMap(({ answer, step }) => {
    if (answer !== 'hold' || !isObject(step) || !isObject(step.message)) return [];
    const { slots } = step.message;
    return isObject(slots) && typeof slots.iteration === 'number' ? slots.iteration : [];
  });
}

describe('a night', () => {
  it(`of ${LENGTH} iterations with seed ${SEED} loses and repeats nothing`, {
    timeout: 300_000 + LENGTH * 5_000,
  }, async () => {
    const random = dice(SEED);
    const actions = nightOf(LENGTH, random);
    stage = await stageWith(actions);
    let record = await startedLoop(stage, {}, LENGTH + 1);
    let drove: Drove;
    let left = 0;
    let waits = 0;
    let checked = 0;
    const check = (holds: () => void): void => {
      holds();
      checked++;
    };
    const inspect = (): void => {
      const held = iterationsHeld();
      check(() => expect(stage.linesOf('violations')).toEqual([]));
      check(() => expect(held).toEqual(held.map((_, position) => position + 1)));
    };
    do {
      // Now and then somebody presses ^C in the middle of it, and goes on later.
      const leaveAfter = random() < 0.8 ? 5 + Math.floor(random() * LENGTH) : Number.POSITIVE_INFINITY;
      let stops = 0;
      drove = await driveOn(stage, record, {
        at(said, asked) {
          if (said.event === 'stop' || said.event === 'client-began') inspect();
          if (said.event === 'stop' && ++stops === leaveAfter) asked.ring();
        },
      });
      if (drove.driven.kind === 'left') left++;
      record = drove.record;
      waits += drove.waits.length;
      const { client } = record;
      inspect();
      check(() => expect(client).toBeNull());
      check(() => expect(isRunning(stage.starts().at(-1)?.pid ?? 0)).toBe(false));
    } while (drove.driven.kind === 'left');
    const { driven } = drove;
    check(() => expect(driven).toMatchObject({ code: 0, why: 'completed' }));
    check(() => expect(stage.linesOf('work')).toHaveLength(LENGTH));
    // Whoever ends a client in the middle of a stop may end that stop too: it did not count, and comes again.
    check(() => expect(iterationsHeld().length).toBeGreaterThanOrEqual(LENGTH - left));
    // The session is one, however often its client died.
    check(() => expect(new Set(stage.starts().map(({ session }) => session)).size).toBe(1));
    const drawn = countsOf(actions);
    // Each limit and each error was waited for, but for one that ^C came before.
    check(() => expect(waits).toBeGreaterThanOrEqual(drawn.limit + drawn.error - 2 * left));
    const counted = { left, starts: stage.starts().length, stops: stage.stops().length, waits, checked };
    console.info(`The night: ${JSON.stringify({ ...drawn, ...counted })}`);
  });
});

/** One that has ended and that nobody has reaped yet still has its number. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
