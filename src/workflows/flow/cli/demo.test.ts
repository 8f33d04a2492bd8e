import { describe, expect, it } from 'vitest';
import { playedTurns } from '../../../../test/support/flow-demo.ts';
import { demo } from './demo.ts';

describe('the demo of a flow', () => {
  it('is a failing test, the code for it, a clean-up, and its end', async () => {
    const { about, programs, config } = demo;
    expect({ about, programs, config }).toEqual({
      about:
        "a team's own loop (here the built-in tdd): a failing test, the code for it, a clean-up, and round again",
      programs: {},
      config: { checks: { test: { run: expect.any(String), timeout: 15 } } },
    });
    const green = '0\nok     empty-text.test\n';
    expect(await playedTurns(demo)).toEqual([
      {
        does: 'starts the flow tdd and writes a failing test',
        called: ['flow start tdd <a word count'],
        says: 'The first test is there, and it fails.',
        check: '1\nnot ok empty-text.test\n',
      },
      { does: 'writes the code for it', called: [], says: 'It passes.', check: green },
      {
        ...{ does: 'cleans up', called: [], check: green },
        says: 'Nothing to clean up.\n\n<flow>clean</flow>',
      },
      {
        ...{ does: 'has nothing left to test', called: [], check: green },
        says: 'That was all of it.\n\n<flow>finished</flow>',
      },
    ]);
  });

  it('has no test that fails before one is written', async () => {
    expect(await playedTurns({ ...demo, turns: demo.turns.slice(2, 3) })).toMatchObject([{ check: '0\n' }]);
  });
});
