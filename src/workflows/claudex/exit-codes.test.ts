import { expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { explainExit } from './exit-codes.ts';
import { reviewerFor } from './reviewer.ts';
import { LIMITED, LINKED, UNWRITABLE } from './runner.ts';

it.each([
  [0, 'Codex ended well, but wrote no findings'],
  [LIMITED, 'Codex is at its usage limit'],
  [LINKED, 'a link was in the place of what is written'],
  [UNWRITABLE, 'Codex may not write its findings where they go'],
  [124, 'it took longer than review.timeout allows'],
  [125, 'its loop was ended'],
  [127, 'codex was not found on PATH'],
  [129, 'it was ended from outside'],
  [130, 'it was ended from outside'],
  [137, 'it was ended from outside'],
  [143, 'it was ended from outside'],
  [1, 'Codex failed, and the last lines of its output say why'],
  [128, 'Codex failed, and the last lines of its output say why'],
])('the exit code %i of a runner is explained', (code, means) => {
  expect(explainExit(code, reviewerFor(DEFAULT_CONFIG))).toBe(`exit code ${code}: ${means}`);
});
