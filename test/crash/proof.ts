// Claims for the crash suite: stops of an idle loop whose project has a check that a person trusts.

import fs from 'node:fs';
import path from 'node:path';
import { giveTrust } from '../../src/engine/proof/trust.ts';
import type { Receipt } from '../../src/engine/proof/types.ts';
import { stillRunning } from '../fixtures/taskie/plan.ts';
import { openProject } from '../support/proof.ts';
import type { Bench } from './bench.ts';
import { complete, startLoop, topicState } from './idle.ts';
import type { Scenario } from './scenario.ts';

export const SIGNAL = { last_assistant_message: 'All is well.\n\n<loop-done>COMPLETE</loop-done>' };

/** Passes when the code is good. `here` is a folder that a bench remembers, so going back takes its notes along. */
export const CHECK = [
  'here=$FAKE_REVIEWS; echo begin >>"$here/checks"; echo $$ >>"$here/pids"',
  'while [ -e "$here/wait" ]; do sleep 0.02; done',
  'code=0; grep -q good code.txt || code=1; echo "the code says $(cat code.txt)"; echo end >>"$here/checks"; exit $code',
].join('; ');

export const CONFIG = { checks: { test: { run: CHECK } } };

/** The check is the project's, and a person trusted it before anything began. */
export async function trustCheck(bench: Bench, code: 'good' | 'bad', config: object = CONFIG): Promise<void> {
  bench.project.write('code.txt', `${code}\n`);
  const opened = await openProject(bench.project, { own: config }, Date.now() - 1000);
  giveTrust(opened, opened.config.checks);
}

/** How often the check began, or came to its end. */
export function checks(bench: Bench, which: 'begin' | 'end'): number {
  const file = `${bench.root}/../reviews/checks`;
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line === which).length;
}

export function receipts(bench: Bench): Receipt[] {
  const folder = bench.state('receipts');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.flatMap((name) => JSON.parse(fs.readFileSync(`${folder}/${name}`, 'utf8')).receipts);
}

/** What a person trusts here. */
export function trusted(bench: Bench): string[] {
  const folder = bench.state('trust');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const records = names.map((name) => JSON.parse(fs.readFileSync(`${folder}/${name}`, 'utf8')));
  return records.flatMap((record) => record.checks.map((each: { name: string }) => each.name));
}

/** What the last line of an end says. */
export function lastEnd(bench: Bench): { outcome: unknown; proof: unknown } | null {
  const lines = bench.project.read('.holdfast/journal.jsonl').trim().split('\n');
  const ends = lines.filter((line) => line.includes('"event":"end"')).map((line) => JSON.parse(line));
  const last = ends.at(-1);
  return last === undefined ? null : { outcome: last.outcome, proof: last.proof };
}

async function prepare(bench: Bench, code: 'good' | 'bad'): Promise<void> {
  await trustCheck(bench, code);
  await startLoop(bench, 10);
}

/** What ended does not run again, what did not end counts for nothing, and nothing is left of either. */
function watch(bench: Bench, killed: boolean, where: string): () => string[] {
  const [begun, ended] = [checks(bench, 'begin'), checks(bench, 'end')];
  const known = receipts(bench).length;
  const run = complete.run(bench);
  const isOnRecord = (bench.sidecar(run)?.attempts.length ?? 0) > 0;
  const problems: string[] = known > ended ? ['there is a receipt of a check that did not end'] : [];
  // A receipt that could not be written costs a second run; one that was not written before a death, none. What is red
  // runs again: there is no transcript here that says that no tool was called since.
  const isRed = receipts(bench).at(-1)?.end === 'failed';
  const isOver = !isRed && (killed ? ended > 0 && !isOnRecord : known > 0);
  return () => {
    const again = checks(bench, 'begin') - begun;
    if (isOver && again > 0) problems.push(`a check that had ended ran again`);
    if (again > 1) problems.push(`the check ran ${again} times more`);
    const left = stillRunning(bench.reviewerProcesses());
    if (left.length > 0) problems.push(`still running: ${left.join(', ')}`);
    const attempts = bench.sidecar(run)?.attempts ?? [];
    if (attempts.length > 0) problems.push(`an attempt was left: ${JSON.stringify(attempts)}`);
    // What a killed hook made and never noted, or a failing disk did not let go, is swept when it is old.
    const isTold = !killed && !where.includes('/state/holdfast/attempts/');
    const most = isOnRecord || isTold ? 0 : 1;
    const printed = path.join(bench.project.home, '.local/state/holdfast/attempts');
    for (const folder of [bench.at('.holdfast', 'attempts'), printed])
      if (fs.existsSync(folder) && fs.readdirSync(folder).length > most)
        problems.push(`folders of attempts were left: ${fs.readdirSync(folder).join(', ')}`);
    return problems;
  };
}

/** Mends the code and says so, until the loop is over. */
async function mend(bench: Bench): Promise<unknown> {
  bench.project.write('code.txt', 'good\n');
  for (let stops = 0; stops < 4; stops++) {
    const state = topicState(bench) as { event: string };
    if (state.event !== 'STATE') return { event: state.event };
    await bench.stop(SIGNAL);
  }
  throw new Error('the loop never ends');
}

const claim: Omit<Scenario, 'prepare'> = {
  ...{ run: complete.run, view: topicState, payload: () => SIGNAL, watch },
  carryOn: mend,
};

/** The check passes: the claim stands. */
export const passing: Scenario = {
  ...claim,
  async prepare(bench) {
    await prepare(bench, 'good');
    await bench.stop();
  },
};

/** Said once: whoever dies or fails from the check on has the claim on record. */
export const passingOnce: Scenario = { ...passing, later: () => ({}), carryOn: async (b) => topicState(b) };

/** The agent broke the code, and the check fails: the claim is refused, and costs an iteration. */
export const failing: Scenario = {
  ...claim,
  async prepare(bench) {
    await prepare(bench, 'good');
    await bench.stop();
    bench.project.write('code.txt', 'bad\n');
  },
};

/** A person ran the check before: the claim takes its receipt, and nothing runs. */
export const fromReceipt: Scenario = {
  ...passing,
  async prepare(bench) {
    await prepare(bench, 'good');
    await bench.stop();
    const ran = await bench.person(['check']);
    if (ran.exitCode !== 0) throw new Error(ran.stdout + ran.stderr);
  },
};

/** The first stop of the run: its checks are pinned, and the trust is reported. */
export const pinning: Scenario = { ...claim, prepare: (bench) => prepare(bench, 'bad'), payload: () => ({}) };

/** Everything in one stop: the pin, the check, the end. */
export const atOnce: Scenario = { ...claim, prepare: (bench) => prepare(bench, 'good') };
