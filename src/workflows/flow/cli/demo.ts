// A flow for `holdfast demo`: red, green, refactor, with a real check that fails and passes.

import type { Demo } from '../../../engine/demo.ts';

/** Stands in for a test runner: every test that was written must be answered by code. */
const TESTS = [
  'red=0',
  'for test in *.test; do',
  '  [ -e "$test" ] || continue',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell's
  '  if [ -e "${test%.test}.code" ]; then echo "ok     $test"; else echo "not ok $test"; red=1; fi',
  'done',
  'exit $red',
].join('\n');

export const demo: Demo = {
  about:
    "your team's own loop, here the built-in tdd: a failing test, the code for it, a clean-up, and round again",
  programs: {},
  config: { checks: { test: { run: TESTS, timeout: 15 } } },
  turns: [
    {
      does: 'is asked for a word count by the flow tdd, and writes a failing test',
      act: async (stage) => {
        await stage.cli(['flow', 'start', 'tdd'], 'Count the words of a text');
        stage.write('empty-text.test', 'counts no words in an empty text\n');
      },
      says: 'The first test is there, and it fails.',
    },
    {
      does: 'writes the code for it',
      act: (stage) => stage.write('empty-text.code', 'return 0\n'),
      says: 'It passes.',
    },
    {
      does: 'cleans up',
      act: () => {},
      says: 'Nothing to clean up.\n\n<flow>clean</flow>',
    },
    {
      does: 'has nothing left to test',
      act: () => {},
      says: 'That was all of it.\n\n<flow>finished</flow>',
    },
  ],
};
