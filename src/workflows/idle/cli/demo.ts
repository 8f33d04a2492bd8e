// idle for `holdfast demo`: "shall I continue?" is held, so is a claim that the tests refuse, and the loop ends once they
// pass.

import type { Demo } from '../../../engine/demo.ts';

/** Three tests of one function, without a test runner's start-up and its lines. */
const TEST = `const tests = {
  'writes in lower case': () => slug('Hello') === 'hello',
  'joins words by hyphens': () => slug('a b') === 'a-b',
  'drops accents': () => slug('Café') === 'cafe',
};
for (const [name, passes] of Object.entries(tests)) {
  console.log(passes() ? 'ok    ' : 'not ok', name);
  if (!passes()) process.exitCode = 1;
}
`;

const RUN = 'node --require ./slug.js slug.test.js';

const slug = (calls: string): string => `globalThis.slug = (title) => title${calls};\n`;

export const demo: Demo = {
  about: 'the agent goes on, iteration by iteration, until it says that it is done and the tests agree',
  programs: {},
  config: { checks: { test: { run: RUN, timeout: 15 } } },
  turns: [
    {
      does: 'is asked to make the failing tests of slug.js pass, in at most five iterations, and begins',
      act: async (stage) => {
        // Whatever a package.json further up says of modules.
        stage.write('package.json', `{ "scripts": { "test": "${RUN}" } }\n`);
        stage.write('slug.test.js', TEST);
        stage.write('slug.js', slug(''));
        await stage.cli(['idle', 'loop', '--max', '5', '--check', 'test'], 'Make the failing tests pass.');
        stage.write('slug.js', slug('.toLowerCase()'));
      },
      says: 'I have made good progress: the first test passes. Shall I continue with the others?',
    },
    {
      does: 'fixes the second test and forgets the third',
      act: (stage) => stage.write('slug.js', slug(".toLowerCase().replaceAll(' ', '-')")),
      says: 'All three pass.\n<loop-done>COMPLETE</loop-done>',
    },
    {
      does: 'fixes the third test',
      act: (stage) =>
        stage.write(
          'slug.js',
          slug(".toLowerCase().replaceAll(' ', '-').normalize('NFD').replace(/\\p{M}/gu, '')"),
        ),
      says: 'Now all three pass.\n<loop-done>COMPLETE</loop-done>',
    },
  ],
};
