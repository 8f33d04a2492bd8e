// The proof that the crash suite can fail: each of these defects is built into a plugin of its own, and the
// scenario named beside it must find it.

import fs from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { inRealProcesses } from '../support/hook.ts';
import { Bench } from './bench.ts';
import * as claudex from './claudex.ts';
import * as idle from './idle.ts';
import { type Defect, plant } from './plant.ts';
import { crashEverywhere, failEverywhere, type Scenario } from './scenario.ts';
import * as taskie from './taskie.ts';

// What is left of a reviewer is ended by whoever finds it: a stop that has one is a process of its own.
inRealProcesses();

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

it('finds a state that is written before the sidecar that announces it', async () => {
  const defect = {
    name: 'state-first',
    file: 'engine/stop/commit.ts',
    from: 'carryOutTogether([{ write: sidecarWrite(project.root, next), root: project.root }, ...writes]);',
    to: 'carryOutTogether([...writes, { write: sidecarWrite(project.root, next), root: project.root }]);',
  };
  expect(await problemsOf(defect, claudex.nextRound, 'rename')).not.toEqual([]);
});

it('finds a rename that is no rename but a copy', async () => {
  const defect = {
    name: 'copied-not-renamed',
    file: 'store/disk.ts',
    from: 'fs.renameSync(from, to);',
    to: 'fs.writeFileSync(to, fs.readFileSync(from)); fs.rmSync(from);',
  };
  expect(await problemsOf(defect, taskie.skipped, 'write')).not.toEqual([]);
});

it('finds an append that is glued to a torn line', async () => {
  const defect = {
    name: 'glued-append',
    file: 'store/files.ts',
    from: "endsTorn(descriptor) ? '\\n' : ''",
    to: "''",
  };
  expect(await problemsOf(defect, idle.hold, 'write')).not.toEqual([]);
});

it('finds an attempt that is not recorded before its review', async () => {
  const defect = {
    name: 'attempt-unrecorded',
    file: 'engine/work/attempt.ts',
    from: 'writeSidecar(project.root, withReview(begin.sidecar, attempt));',
    to: '',
  };
  expect(await problemsOf(defect, taskie.findings, 'read-verdict')).not.toEqual([]);
});

it('finds a verdict that is forgotten before the state it leads to is written', async () => {
  const defect = {
    name: 'verdict-forgotten',
    file: 'engine/stop/commit.ts',
    from: 'applied !== null && commit === null ? withReview',
    to: 'applied !== null ? withReview',
  };
  expect(await problemsOf(defect, taskie.findings, 'rename')).not.toEqual([]);
});

it('finds a verdict that counts without its file', async () => {
  const defect = {
    name: 'verdict-without-file',
    file: 'engine/work/review.ts',
    from: "&& !isNonEmpty(reviewFile) ? 'none' : verdict",
    to: "&& reviewFile === '' ? 'none' : verdict",
  };
  expect(await problemsOf(defect, taskie.withoutFile, 'answer')).not.toEqual([]);
});

it('finds a guard whose count is not committed', async () => {
  const defect = {
    name: 'guard-uncounted',
    file: 'engine/stop/commit.ts',
    from: '      memory === null\n        ? guard',
    to: '      settle !== undefined\n        ? guard',
  };
  expect(await problemsOf(defect, claudex.released, 'answer')).not.toEqual([]);
});

it('finds a hold that is answered before it is committed', async () => {
  const defect = {
    name: 'answered-first',
    file: 'engine/stop/serve-run.ts',
    from: 'commitStep(project, turn.writes);',
    to: 'setTimeout(() => commitStep(project, turn.writes), 5);',
  };
  expect(await problemsOf(defect, idle.holdInFile, 'answer')).not.toEqual([]);
});

it('finds a lock that outlives its holder', async () => {
  const defect = {
    name: 'lock-outlives',
    file: 'store/lock.ts',
    from: '  return await work();',
    to: `  fs.mkdirSync(path + '.taken'); try { return await work(); } finally { fs.rmdirSync(path + '.taken'); }`,
  };
  expect(await problemsOf(defect, idle.hold, 'write')).not.toEqual([]);
});

it('finds an attempt whose dead owner counts as living', async () => {
  const defect = {
    name: 'dead-owner-lives',
    file: 'engine/work/attempt.ts',
    from: 'return tryHold(ownerLock(project, attempt.id), project.root);',
    to: 'return fs.existsSync(ownerLock(project, attempt.id)) ? null : tryHold(ownerLock(project, attempt.id), project.root);',
  };
  expect(await problemsOf(defect, taskie.findings, 'read-verdict')).not.toEqual([]);
});

it('finds temp files that stay after an error', async () => {
  const defect = {
    name: 'temp-files-stay',
    file: 'store/together.ts',
    from: 'for (const each of staged.values()) forget(each);',
    to: 'void forget;',
  };
  expect(await problemsOf(defect, idle.holdInFile, 'rename', failEverywhere)).not.toEqual([]);
});

it('finds a stop that is let go without a word', async () => {
  const defect = {
    name: 'silent-failure',
    file: 'engine/stop/explain-error.ts',
    from: 'return notifyOnce(await noticeOf(error, context.project), context);',
    to: 'void [notifyOnce, noticeOf]; return [];',
  };
  expect(await problemsOf(defect, idle.hold, 'create', failEverywhere)).not.toEqual([]);
});

it('finds a verdict that an error makes none', async () => {
  const defect = {
    name: 'verdict-unreadable',
    file: 'engine/work/output.ts',
    from: 'if (isPassing(error)) throw error;',
    to: 'void isPassing;',
  };
  expect(await problemsOf(defect, taskie.findings, 'read-verdict', failEverywhere)).not.toEqual([]);
});

it('finds a ticket that goes before its run is given away', async () => {
  const defect = {
    name: 'ticket-first',
    file: 'store/tickets.ts',
    from: `    for (const run of runs) give(run);
    return [];
  });`,
    to: `    return [];
  });
  for (const run of runs) give(run);`,
  };
  expect(await problemsOf(defect, idle.ticket, 'rename')).not.toEqual([]);
});

it('finds a segment that is copied before the journal goes', async () => {
  const defect = {
    name: 'segment-copied',
    file: 'store/journal.ts',
    from: "carryOut({ kind: 'move', from: file, to: segmentPath(folder, number) }, root);",
    to: `fs.mkdirSync(folder, { recursive: true });
      fs.copyFileSync(file, segmentPath(folder, number));
      carryOut({ kind: 'remove', path: file }, root);`,
  };
  expect(await problemsOf(defect, idle.longJournal, 'remove')).not.toEqual([]);
});

it('finds a signal that is lost at a stop that fails', async () => {
  const defect = {
    name: 'signal-lost',
    file: 'engine/stop/serve-runs.ts',
    from: 'failed.push(here);',
    to: 'void here;',
  };
  expect(await problemsOf(defect, idle.saidOnce, 'rename', failEverywhere)).not.toEqual([]);
});

it('finds a kept signal that goes before it is honoured', async () => {
  const defect = {
    name: 'kept-goes-first',
    file: 'engine/stop/serve-run.ts',
    from: 'commitStep(project, turn.writes);',
    to: 'if (turn.forgetSignals) forgetWords({ ...project, run: name }); commitStep(project, turn.writes);',
  };
  expect(await problemsOf(defect, idle.kept, 'write')).not.toEqual([]);
});

it('finds a signal that ends the loop around its own too', async () => {
  const defect = {
    name: 'signal-heard-twice',
    file: 'engine/stop/keep-signals.ts',
    from: "if (passed === 'unwritable' && state !== (context.decidedOn.get(name) ?? state)) continue;",
    to: 'void state;',
  };
  expect(await problemsOf(defect, idle.innerOnce, 'sync', failEverywhere)).not.toEqual([]);
});

it('finds a verdict that every edit overtakes', async () => {
  const defect = {
    name: 'overtaken-by-anything',
    file: 'engine/work/ended-review.ts',
    from: 'attempt.subject !== undefined && attempt.subject === seen.subject;',
    to: 'false;',
  };
  expect(await problemsOf(defect, taskie.editedMeanwhile, 'answer')).not.toEqual([]);
});

it('finds half a review that is not put aside', async () => {
  const plugin = await planted({
    name: 'half-stays',
    file: 'engine/work/attempt.ts',
    from: "carryOut({ kind: 'move', from: file, to: aside }, project.root);",
    to: 'void aside;',
  });
  const bench = new Bench(plugin);
  try {
    await taskie.ownPlan(bench);
    bench.reviewers('orphan-early', 'clean');
    await bench.stop();
    await bench.stop();
    expect(bench.reviews('begin')).not.toEqual(['plan-review-1.md', 'plan-review-1.md']);
  } finally {
    bench.remove();
  }
});

async function problemsOf(
  defect: Defect,
  scenario: Scenario,
  kind: string,
  disturb = crashEverywhere,
): Promise<string[]> {
  const plugin = await planted(defect);
  const { problems } = await disturb(scenario, { plugin, firstOnly: true, kinds: [kind] });
  return problems;
}

async function planted(defect: Defect): Promise<string> {
  const plugin = await plant(defect);
  plugins.push(plugin);
  return plugin;
}
