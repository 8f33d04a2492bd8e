import { describe, expect, it } from 'vitest';
import { playedTurns } from '../../../../test/support/flow-demo.ts';
import { demo } from './demo.ts';

describe('the demo of idle', () => {
  it('is a loop that mentions its signal, claims too early, and is done', async () => {
    const { about, programs, config } = demo;
    expect({ about, programs, config }).toEqual({
      about: 'the agent goes on, iteration by iteration, until it says that it is done and the check agrees',
      programs: {},
      config: { checks: { test: { run: expect.any(String), timeout: 15 } } },
    });
    expect(await playedTurns(demo)).toEqual([
      {
        does: 'starts a loop of at most five iterations, to be proven by the check "test"',
        called: ['idle loop --max 5 --check test <Make the three failing tests pass.'],
        says: 'One passes now. When all do I will say:\n```\n<loop-done>COMPLETE</loop-done>\n```',
        check: '1\nok     first\nnot ok second\nnot ok third\n',
      },
      {
        ...{ does: 'fixes the second test and forgets the third', called: [] },
        says: 'All three pass.\n\n<loop-done>COMPLETE</loop-done>',
        check: '1\nok     first\nok     second\nnot ok third\n',
      },
      {
        ...{ does: 'fixes the third test', called: [] },
        says: 'Now all three pass.\n\n<loop-done>COMPLETE</loop-done>',
        check: '0\nok     first\nok     second\nok     third\n',
      },
    ]);
  });
});
