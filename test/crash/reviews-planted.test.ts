// The proof that the crash suite sees what is lost of a review, or counted twice: each of these defects is built into a
// plugin of its own, and must be found.

import fs from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { type Defect, plant } from './plant.ts';
import { crashEverywhere } from './scenario.ts';
import { listed } from './taskie.ts';

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

const defects: readonly (Defect & { kind: string })[] = [
  {
    name: 'review-line-after-its-folder',
    file: 'engine/stop/serve-run.ts',
    from: '  journalReview(stopped, name, reviewPutAway(turn), report);\n',
    to: '  setImmediate(() => journalReview(stopped, name, reviewPutAway(turn), report));\n',
    kind: 'remove',
  },
  {
    name: 'review-line-twice',
    file: 'engine/work/report.ts',
    from: 'const journaled = hasReviewLine(project.root, attempt.id);',
    to: "const journaled = hasReviewLine(project.root, attempt.id.concat('-'));",
    kind: 'remove',
  },
  {
    name: 'review-read-by-its-own-hook-only',
    file: 'engine/work/report.ts',
    from: '...readReport(attempt, reviewer, stdout),',
    to: '...nothingReported(attempt),',
    kind: 'read-verdict',
  },
];

it.each(defects)('finds $name', async ({ kind, ...defect }) => {
  const plugin = await plant(defect);
  plugins.push(plugin);
  const { problems } = await crashEverywhere(listed, { plugin, firstOnly: true, kinds: [kind, 'rename'] });
  expect(problems).not.toEqual([]);
});
