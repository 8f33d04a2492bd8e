// Sessions of `holdfast run`, killed and failed at every step: the run is theirs alone, and no hold is lost.

import { expect, it } from 'vitest';
import { crashCommand } from './commands.ts';
import { begun, handedOver } from './driver.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('a start that binds the run, killed and failed at every step, binds it when it comes again', async () => {
  expect(await crashCommand(begun)).toEqual([]);
});

it('a stop whose hold is handed over, killed at every step, comes to the same end', async () => {
  const { problems, points } = await crashEverywhere(handedOver);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('a stop whose hold is handed over hands it over or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(handedOver)).problems).toEqual([]);
});
