import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Delivery, deliver, ENDLESS, PATIENCE, type Patience } from './deliver.ts';
import type { Answer } from './send.ts';

const YES: Answer = { kind: 'yes', refused: null };
const later = (afterMs: number | null = null): Answer => ({ kind: 'later', why: 'busy', afterMs });
const PATIENT: Patience = { tries: 9, firstMs: 100, mostMs: 1000, mostAskedMs: 5000 };

let waits: [string, number][];
let paused: number[];
beforeEach(() => {
  [waits, paused] = [[], []];
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** `random`: how uneven pauses are, from 0 to 1. `pauses`: how many are not cut short. */
async function delivered(
  answers: readonly Answer[],
  patience: Partial<Patience> = {},
  { random = 1, pauses = 99 } = {},
): Promise<Delivery & { tried: number }> {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  let tried = 0;
  const delivery = await deliver(
    async () => answers[tried++] ?? later(),
    { ...PATIENT, ...patience },
    async (ms) => paused.push(ms) <= pauses,
    (why, ms) => void waits.push([why, ms]),
  );
  return { ...delivery, tried };
}

it.each<Answer>([YES, { kind: 'no', why: 'never' }, { kind: 'too-large' }])(
  'an answer is final unless it is “later”: %j',
  async (answer) => {
    expect(await delivered([answer])).toEqual({ ...answer, tried: 1 });
    expect(paused).toEqual([]);
  },
);

it('after “later” it is tried again, after a pause that is twice as long each time, up to a bound', async () => {
  const answers = [...Array.from({ length: 6 }, () => later()), YES];
  expect(await delivered(answers)).toEqual({ ...YES, tried: 7 });
  expect(paused).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(waits).toEqual(paused.map((ms) => ['busy', ms]));
});

it('pauses are uneven by up to a half', async () => {
  await delivered([later(), later(), YES], {}, { random: 0 });
  expect(paused).toEqual([50, 100]);
  paused = [];
  await delivered([later(), YES], { firstMs: 101 }, { random: 0 });
  expect(paused).toEqual([51]);
});

it.each([
  [null, 100],
  [0, 100],
  [99, 100],
  [3000, 3000],
  [5000, 5000],
  [5001, 5000],
])('a collector that asks for %j ms is left alone for %d', async (afterMs, ms) => {
  await delivered([later(afterMs), YES]);
  expect(paused).toEqual([ms]);
});

it.each([1, 2, 3])('it is given up after %d tries, with no pause after the last', async (tries) => {
  expect(await delivered([], { tries })).toEqual({ kind: 'given-up', why: 'busy', tried: tries });
  expect(paused).toHaveLength(tries - 1);
});

it('it is given up where a pause is cut short', async () => {
  expect(await delivered([later(), later(), YES], {}, { pauses: 1 })).toEqual({
    ...{ kind: 'given-up', why: 'busy', tried: 2 },
  });
});

it('whoever follows tries for ever', () => {
  expect(PATIENCE).toEqual({ firstMs: 500, mostMs: 30_000, mostAskedMs: 30_000 });
  expect(ENDLESS).toEqual({
    ...{ firstMs: 500, mostMs: 30_000, mostAskedMs: 300_000, tries: Number.POSITIVE_INFINITY },
  });
});
