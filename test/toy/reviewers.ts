// Stands in for src/reviewers/index.ts: the reviewer is the fixture program `toy-reviewer` on PATH.

import type { FindReviewer } from '../../src/reviewers/reviewer.ts';
import { isObject, parseJson } from '../../src/store/json.ts';

export { endReviewer } from '../../src/reviewers/end.ts';
export { runReviewer } from '../../src/reviewers/run.ts';

export const findReviewer: FindReviewer = async () => ({
  name: 'toy-reviewer',
  call: ({ model, prompt, file }) => ({ program: 'toy-reviewer', args: [model, file, prompt], env: {} }),
  readVerdict(stdout, exitCode) {
    const said = parseJson(stdout);
    if (exitCode !== null && exitCode !== 0) return 'failed';
    if (!isObject(said)) return 'none';
    return said.verdict === 'PASS' ? 'clean' : said.verdict === 'FAIL' ? 'findings' : 'none';
  },
});
