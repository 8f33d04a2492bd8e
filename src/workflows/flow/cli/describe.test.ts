// Where a run stands, in a few words.

import { expect, it } from 'vitest';
import { bareProject } from '../../../../test/support/bare-project.ts';
import { runOf } from '../../../../test/support/flow-run.ts';
import type { RunState } from '../state-format.ts';
import { describeStage } from './describe.ts';

const FLOW = `flow: sample
start: a
holds: 9
states:
  a: { say: A, leave: [ { when: { signal: s }, to: p } ] }
  p: { pause: true, leave: [ { when: { signal: s }, to: z } ] }
  z: { end: completed }
`;

const cases: [Partial<RunState>, string][] = [
  [{}, 'sample: in a, hold 0 of 9'],
  [{ visits: { a: 2 }, held: 4 }, 'sample: in a, visit 2, hold 4 of 9'],
  [{ at: 'p', visits: { a: 1, p: 1 }, held: 1 }, 'sample: paused in p, hold 1 of 9'],
  [{ at: 'p', visits: { a: 1, p: 3 }, held: 1 }, 'sample: paused in p, visit 3, hold 1 of 9'],
  [{ at: 'z', ended: 'completed' }, 'sample: ended in z, completed'],
  [{ ended: 'cancelled', flow: 'other' }, 'other: ended in a, cancelled'],
  [{ at: 'nowhere' }, 'its state cannot be read'],
];
it.each(cases)('a run with %j is described', (state, words) => {
  expect(describeStage(runOf(bareProject(), FLOW, state))).toBe(words);
});

it('a run whose files are none is described by what cannot be read', () => {
  const found = runOf(bareProject(), FLOW);
  const unreadable = { ...found, state: { kind: 'unreadable', what: 'definition' } } as const;
  expect(describeStage(unreadable)).toBe('its definition cannot be read');
  expect(describeStage({ ...found, run: null, state: { kind: 'ended', outcome: 'limit' } })).toBe(
    ': ended in , limit',
  );
});
