// A claim whose check cleans the tree, killed at every step from the check on: the run is there again, or the next stop
// says that it is not.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { Bench } from './bench.ts';
import { complete, startLoop } from './idle.ts';
import { SIGNAL, trustCheck } from './proof.ts';

/** What is half-written in between counts for nothing yet. */
const KINDS: ReadonlySet<string> = new Set(['rename', 'spawn', 'remove', 'line', 'answer']);

it('never lets a run go without a word, whichever step kills the hook', async () => {
  const bench = new Bench();
  try {
    await trustCheck(bench, 'bad', { checks: { test: { run: 'git clean -xfdq; exit 1' } } });
    execFileSync('git', ['-C', bench.root, 'add', '-A']);
    await startLoop(bench, 10);
    await bench.stop();
    bench.remember();
    bench.goBack();
    const run = complete.run(bench);
    const { steps } = await bench.trace(() => bench.stop(SIGNAL, 'trace'));
    const from = steps.findIndex(({ file }) => file.includes('/checking/'));
    const points = steps.slice(from).filter(({ kind }) => KINDS.has(kind));
    const problems: string[] = [];
    for (const { number, kind, file } of points) {
      const where = `killed before ${kind} ${file} (step ${number} of ${steps.length})`;
      bench.goBack();
      await bench.stop(SIGNAL, `kill:${number}`);
      problems.push(...bench.brokenRecords().map((problem) => `${where}: ${problem}`));
      const { answer } = await bench.stop({ last_assistant_message: 'Hm.' });
      if (answer?.decision !== 'block' && !answer?.systemMessage?.includes(run))
        problems.push(`${where}: let go without a word: ${JSON.stringify(answer)}`);
      const left = fs.existsSync(bench.state('checking')) ? fs.readdirSync(bench.state('checking')) : [];
      if (left.some((name) => name.endsWith('.json'))) problems.push(`${where}: left ${left.join(', ')}`);
    }
    expect(problems).toEqual([]);
    expect(points.length).toBeGreaterThan(15);
  } finally {
    bench.remove();
  }
});
