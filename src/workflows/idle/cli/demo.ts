// idle for `holdfast demo`: a loop that goes on through a mention of its signal and ends at the signal itself.

import type { Demo } from '../../../engine/demo.ts';

export const demo: Demo = {
  about: 'the agent goes on, iteration by iteration, until it says the completion signal',
  programs: {},
  turns: [
    {
      does: 'starts a loop of at most five iterations',
      act: async (stage) => {
        await stage.cli(['idle', 'loop', '--max', '5'], 'Make the three failing tests pass.');
      },
      says: 'One test passes now.',
    },
    {
      does: 'fixes the second test',
      act: (stage) => stage.write('second.test.js', 'passes\n'),
      says: 'Two pass. When all do I will say:\n```\n<loop-done>COMPLETE</loop-done>\n```',
    },
    {
      does: 'fixes the third test',
      act: (stage) => stage.write('third.test.js', 'passes\n'),
      says: 'All three pass.\n\n<loop-done>COMPLETE</loop-done>',
    },
  ],
};
