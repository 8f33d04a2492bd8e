// The flows that come with Holdfast, each a file like a team's own.

import docs from './built-in/docs.yaml';
import fixCi from './built-in/fix-ci.yaml';
import ralph from './built-in/ralph.yaml';
import review from './built-in/review.yaml';
import tdd from './built-in/tdd.yaml';

export const builtIn: ReadonlyMap<string, string> = new Map([
  ['tdd', tdd],
  ['fix-ci', fixCi],
  ['docs', docs],
  ['ralph', ralph],
  ['review', review],
]);
