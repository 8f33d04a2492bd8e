// Flows while many processes are at one project: every hold is one that the state counts, and of many starts one wins.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Bench } from '../crash/bench.ts';
import { at, isHold, times, unanswered } from './races.ts';

const FLOW = `flow: sample
holds: 900
start: a
states:
  a: { say: A, leave: [ { when: { signal: on }, to: a }, { when: { signal: off }, to: z } ] }
  z: { end: completed }
`;

const BY_HAND = { session_id: undefined };

const stateOf = (bench: Bench): { held: number; visits: { a: number } } => {
  const [run = ''] = fs.readdirSync(bench.at('.holdfast/flow'));
  return JSON.parse(bench.project.read(path.join('.holdfast/flow', run, 'state.json')));
};

const start = (bench: Bench): ReturnType<Bench['holdfast']> => bench.holdfast(['flow', 'start', 'sample']);

it('twelve stops at once on one flow, the first among them, are one hold each', async () => {
  const problems = await at(undefined, async (bench) => {
    bench.project.write('holdfast.flows/sample.yaml', FLOW);
    await start(bench);
    const said = (signal: string): object => ({
      ...BY_HAND,
      last_assistant_message: `<flow>${signal}</flow>`,
    });
    const fired = await Promise.all(times(12, () => bench.stop(said('on'))));
    const holds = fired.filter(isHold).length;
    const { held, visits } = stateOf(bench);
    const isCounted = held === holds && visits.a === holds + 1;
    return [
      ...unanswered(fired),
      ...(isCounted ? [] : [`${holds} holds, but ${held} counted and ${visits.a} visits`]),
      ...(holds > 0 ? [] : ['nobody was held']),
    ];
  });
  expect(problems).toEqual([]);
});

it('of five starts at once in a session one wins', async () => {
  const problems = await at(undefined, async (bench) => {
    bench.project.write('holdfast.flows/sample.yaml', FLOW);
    const ran = await Promise.all(times(5, () => start(bench)));
    const won = ran.filter(({ exitCode }) => exitCode === 0).length;
    const runs = fs.readdirSync(bench.at('.holdfast/flow')).length;
    return won === 1 && runs === 1 ? [] : [`${won} starts, ${runs} runs`];
  });
  expect(problems).toEqual([]);
});
