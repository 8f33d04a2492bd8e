// `holdfast check` and `holdfast trust`, killed and failed at every step, by a person who then runs them again.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { stillRunning } from '../fixtures/taskie/plan.ts';
import { Bench } from './bench.ts';
import { type Commanded, crashCommand } from './commands.ts';
import { startLoop } from './idle.ts';
import { CONFIG, checks, lastEnd, receipts, SIGNAL, trustCheck, trusted } from './proof.ts';

/** A new loop that claims at once to be done. */
async function claimed(bench: Bench): Promise<unknown> {
  await startLoop(bench, 5);
  await bench.stop(SIGNAL);
  return { end: lastEnd(bench), running: stillRunning(bench.reviewerProcesses()) };
}

it('check, killed or failed at every step, has its receipt when it is run again', async () => {
  const command: Commanded = {
    prepare: (bench) => trustCheck(bench, 'good'),
    args: () => ['check', '--json'],
    run: (bench, args, fault) => bench.person(args, fault),
    view: (bench) => receipts(bench).map(({ check, end, code }) => ({ check, end, code })),
    async carryOn(bench) {
      const before = checks(bench, 'begin');
      return { ...((await claimed(bench)) as object), ranAgain: checks(bench, 'begin') - before };
    },
  };
  expect(await crashCommand(command)).toEqual([]);
});

it('trust, killed or failed at every step, is given when it is given again', async () => {
  const problems = await crashCommand({
    async prepare(bench) {
      bench.project.write('code.txt', 'good\n');
      bench.project.write('holdfast.config.json', JSON.stringify(CONFIG));
    },
    args: () => ['trust'],
    run: (bench, args, fault) => bench.atTerminal(args, 'yes', fault),
    view: trusted,
    carryOn: claimed,
  });
  expect(problems).toEqual([]);
});

it('trust --revoke, killed or failed at every step, takes all of it back when it is run again', async () => {
  const problems = await crashCommand({
    prepare: (bench) => trustCheck(bench, 'good'),
    args: () => ['trust', '--revoke'],
    run: (bench, args, fault) => bench.person(args, fault),
    view: trusted,
    carryOn: claimed,
  });
  expect(problems).toEqual([]);
});

it('a temp file of a killed claim in the user’s folders is gone after a later start', async () => {
  const bench = new Bench();
  try {
    await trustCheck(bench, 'good');
    await startLoop(bench, 5);
    bench.remember();
    bench.goBack();
    const { steps } = await bench.trace(() => bench.stop(SIGNAL, 'trace'));
    const writes = steps.filter(
      ({ kind, file }) => kind === 'write' && /state\/holdfast\/\w+\/.+\.tmp$/.test(file),
    );
    const folders = writes.map(({ file }) => path.basename(path.dirname(file)));
    expect(new Set(folders)).toEqual(new Set(['checking', 'pins', 'projects', 'receipts', 'trust']));
    for (const { number, file } of writes) {
      bench.goBack();
      expect((await bench.stop(SIGNAL, `torn:${number}`)).exitCode).toBeNull();
      const left = bench.temporaryFiles();
      expect({ file, left }).toEqual({ file, left: expect.toSatisfy((all) => all.length > 0) });
      for (const each of left) fs.utimesSync(each, 1e9, 1e9);
      await startLoop(bench, 5);
      expect(bench.temporaryFiles()).toEqual([]);
    }
  } finally {
    bench.remove();
  }
});
