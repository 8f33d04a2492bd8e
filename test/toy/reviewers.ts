// Stands in for src/reviewers/index.ts: the reviewer is the fixture program `toy-reviewer` on PATH.

import type { FindReviewer, Reviewer } from '../../src/reviewers/reviewer.ts';
import { isObject, parseJson } from '../../src/store/json.ts';

/** The signal in TOY_SIGNAL comes when the attempt is on record and nothing is started yet. */
const signalBefore = (): void => {
  const { TOY_SIGNAL } = process.env;
  if (TOY_SIGNAL !== undefined) process.kill(process.pid, TOY_SIGNAL);
};

const toy: Reviewer = {
  name: 'toy-reviewer',
  call: ({ model, prompt, file }) => ({ program: 'toy-reviewer', args: [model, file, prompt], env: {} }),
  readVerdict(stdout, exitCode) {
    const said = parseJson(stdout);
    if (exitCode !== null && exitCode !== 0) return 'failed';
    if (!isObject(said)) return 'none';
    return said.verdict === 'PASS' ? 'clean' : said.verdict === 'FAIL' ? 'findings' : 'none';
  },
};

export const findReviewer: FindReviewer = async () => {
  signalBefore();
  return toy;
};
