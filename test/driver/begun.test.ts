// A run that its agent begins, as with taskie: the driver knows it, and what it may spend, while the first turn goes on.

import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { readBudget } from '../../src/engine/budget/record.ts';
import { driveOn, NO_BUDGET, recordOf, type Stage, stageWith } from './stage.ts';

let stage: Stage;

afterEach(() => stage.remove());

it.each([
  ['as it was asked for', '', 1000],
  ['lowered to what was asked for', '--tokens 5000', 1000],
  ['as its agent lowered it', '--tokens 500', 500],
])('has its budget %s before its first turn is over', async (_, flags, tokens) => {
  const line = `"$PLUGIN/bin/holdfast" idle loop ${flags} --max 4 'Do it all'`;
  stage = await stageWith([{ do: 'run', line }, { do: 'hang' }]);
  const prompt = `Run ${line}`;
  const asked = { ...NO_BUDGET, tokens: 1000, reviews: 3 };
  const record = recordOf(stage, { run: null, session: randomUUID(), prompt }, { budget: asked });
  const { said, ...drove } = await driveOn(stage, record, {
    at: (each, bell) => (each.event === 'run' || each.event === 'client-ended') && bell.ring(),
  });
  const run = drove.record.run ?? '';
  expect(said.find(({ event }) => event === 'run' || event === 'client-ended')).toEqual({
    event: 'run',
    run,
  });
  const budget = readBudget({ root: stage.project.root, env: stage.env }, run);
  expect(budget?.limits).toEqual({ ...asked, tokens });
  if (flags === '') expect(budget?.startedAt).toBe(record.startedAt);
});
