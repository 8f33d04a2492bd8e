// idle for `holdfast demo`: a loop that goes on through a mention of its signal and through a claim that a check
// refuses, and ends once the check passes.

import type { Demo } from '../../../engine/demo.ts';

/** Stands in for a test runner: three tests, each a file that says whether it passes. */
const TESTS = [
  'red=0',
  'for name in first second third; do',
  '  if grep -qs passes $name.test.js; then echo "ok     $name"; else echo "not ok $name"; red=1; fi',
  'done',
  'exit $red',
].join('\n');

export const demo: Demo = {
  about: 'the agent goes on, iteration by iteration, until it says that it is done and the check agrees',
  programs: {},
  config: { checks: { test: { run: TESTS, timeout: 15 } } },
  turns: [
    {
      does: 'starts a loop of at most five iterations, to be proven by the check "test"',
      act: async (stage) => {
        await stage.cli(
          ['idle', 'loop', '--max', '5', '--check', 'test'],
          'Make the three failing tests pass.',
        );
        stage.write('first.test.js', 'passes\n');
      },
      says: 'One passes now. When all do I will say:\n```\n<loop-done>COMPLETE</loop-done>\n```',
    },
    {
      does: 'fixes the second test and forgets the third',
      act: (stage) => stage.write('second.test.js', 'passes\n'),
      says: 'All three pass.\n\n<loop-done>COMPLETE</loop-done>',
    },
    {
      does: 'fixes the third test',
      act: (stage) => stage.write('third.test.js', 'passes\n'),
      says: 'Now all three pass.\n\n<loop-done>COMPLETE</loop-done>',
    },
  ],
};
