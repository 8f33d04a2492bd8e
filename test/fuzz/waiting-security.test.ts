// Waits that come with a repository, and agents that would use them to get away.

import { describe, expect, test } from 'vitest';
import { stages } from './stage.ts';
import { FORGED } from './waiting.ts';
import * as scenes from './waiting-scenes.ts';

const cloned = stages.flatMap((stage) =>
  FORGED.map(([name, known]) => [stage.workflow, name, stage, known] as const),
);

describe.concurrent('a run that came with the repository and waits', () => {
  test.each(cloned)('is no more than any other: %s, %s', async (_, __, stage, known) => {
    expect(await scenes.clonedIsShownOnce(stage, known)()).toEqual([]);
  });

  test.each(cloned)('is not served by an index of the repository: %s, %s', async (_, __, stage, known) => {
    expect(await scenes.clonedIsNotServed(stage, known)()).toEqual([]);
  });

  test.each(cloned.filter(([workflow]) => workflow !== 'taskie'))(
    'keeps no other from being started for good: %s, %s',
    async (_, __, stage, known) => {
      expect(await scenes.startNamesTheWayOut(stage, known)()).toEqual([]);
    },
  );

  test.each(cloned)('keeps no run of the session from being held: %s, %s', async (_, __, stage, known) => {
    expect(await scenes.ownRunIsHeld(stage, known)()).toEqual([]);
  });

  test.each(cloned)('goes on once somebody adopts it: %s, %s', async (_, __, stage, known) => {
    expect(await scenes.adoptedGoesOn(stage, known)()).toEqual([]);
  });

  test('is listed', async () => {
    expect(await scenes.listed()).toEqual([]);
  });
});

describe.concurrent('an agent', () => {
  test('is held beside what does not wake it', async () => {
    expect(await scenes.nothingToWaitFor()).toEqual([]);
  });

  test('steers nothing by what it asks', async () => {
    expect(await scenes.hostileQuestion()).toEqual([]);
  });

  test('does not get away by asking', async () => {
    expect(await scenes.asksForEver()).toEqual([]);
  });

  test('may word a question again until it is shown', async () => {
    expect(await scenes.rewords()).toEqual([]);
  });

  test('is not held for ever by waiting', async () => {
    expect(await scenes.waitsForEver()).toEqual([]);
  });

  test('whose notes hold endless words is let go with a short one', async () => {
    expect(await scenes.endlessWords()).toEqual([]);
  });
});
