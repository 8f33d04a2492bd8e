// The proof that the crash suite finds what may go wrong with a run that waits.

import fs from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { capped } from './client-cap.ts';
import { type Commanded, crashCommand } from './commands.ts';
import { type Defect, plant } from './plant.ts';
import { crashEverywhere, failEverywhere, type Scenario, type Under } from './scenario.ts';
import { claimOnce, question, reviewer, work } from './waiting.ts';
import { asked, failedTurn } from './waiting-commands.ts';

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

it('finds a claim that is not kept while something is waited for', async () => {
  const defect = {
    name: 'waiting-claim-lost',
    file: 'engine/stop/answer-run.ts',
    from: "...(step.kind === 'prove' && { keepsSignal: true }),",
    to: '',
  };
  expect(await problemsOf(defect, claimOnce, { kinds: ['open'] }, failEverywhere)).not.toEqual([]);
});

it('finds a claim that an error costs which passes', async () => {
  const defect = {
    name: 'waiting-claim-read-once',
    file: 'engine/stop/keep-signals.ts',
    from: '.catch(() => signalGiven(here, context))',
    to: '',
  };
  expect(await problemsOf(defect, claimOnce, { kinds: ['open'] }, failEverywhere)).not.toEqual([]);
});

it('finds a client’s cap that nobody waits at', async () => {
  const defect = {
    name: 'cap-not-noted',
    file: 'engine/stop/answer-run.ts',
    from: '{ ...sidecar, waiting }, noted: true }',
    to: '{ ...sidecar, ...(waiting && {}) }, noted: true }',
  };
  expect(await problemsOf(defect, capped, { kinds: ['rename'] })).not.toEqual([]);
});

it('finds a wait that is not written down', async () => {
  const defect = {
    name: 'waiting-not-noted',
    file: 'engine/stop/take-turn.ts',
    from: 'const noted = found !== read || waited !== sidecar;',
    to: 'const noted = found !== read;',
  };
  expect(await problemsOf(defect, question, { kinds: ['rename', 'remove', 'answer'] })).not.toEqual([]);
});

it('finds work that is held against', async () => {
  const defect = {
    name: 'waiting-held',
    file: 'engine/stop/answer-turn.ts',
    from: "if (wait.answer.kind === 'waits') return allowWaiting(decided, step, limit);",
    to: "if (wait.asks !== null || step.kind !== 'hold') return allowWaiting(decided, step, limit);",
  };
  expect(await problemsOf(defect, work, { kinds: ['rename', 'answer'] })).not.toEqual([]);
});

it('finds a question that no answer ends', async () => {
  const defect = {
    name: 'waiting-never-answered',
    file: 'engine/waiting/wait.ts',
    from: "const isOpen = answered !== 'yes' && !isOver(waiting, now);",
    to: 'void answered; const isOpen = !isOver(waiting, now);',
  };
  expect(await problemsOf(defect, question, { kinds: ['rename', 'answer'] })).not.toEqual([]);
});

it('finds an open question that a wake-up ends', async () => {
  const defect = {
    name: 'waiting-answered-by-none',
    file: 'engine/waiting/wait.ts',
    from: "const isOpen = answered !== 'yes' && !isOver(waiting, now);",
    to: 'const isOpen = answered === null && !isOver(waiting, now);',
  };
  expect(await problemsOf(defect, question, { kinds: ['rename', 'answer'] })).not.toEqual([]);
});

it('finds a reviewer’s limit that is counted as its failure', async () => {
  const defect = {
    name: 'waiting-limit-counted',
    file: 'engine/waiting/reviewer.ts',
    from: "if (cause?.kind !== 'usage-limit') return null;",
    to: "if (cause?.kind !== 'usage-limit' || now > 0) return null;",
  };
  expect(await problemsOf(defect, reviewer, { kinds: ['spawn', 'answer'] })).not.toEqual([]);
});

it('finds a reviewer that is asked again before its limit is over', async () => {
  const defect = {
    name: 'waiting-limit-ignored',
    file: 'engine/waiting/wait.ts',
    from: "if (step === 'review') return { kind: 'waits', waiting, news: false, ended: null };",
    to: "if (step === 'prove') return { kind: 'waits', waiting, news: false, ended: null };",
  };
  expect(await problemsOf(defect, reviewer, { kinds: ['rename', 'remove'] })).not.toEqual([]);
});

it('finds an attempt at a limit that is left behind', async () => {
  const defect = {
    name: 'waiting-limit-left',
    file: 'engine/waiting/reviewer.ts',
    from: 'const again = endedReview(withReview(found, null), seen);',
    to: 'void withReview; const again = endedReview(found, seen);',
  };
  expect(await problemsOf(defect, reviewer, { kinds: ['answer'] })).not.toEqual([]);
});

it('finds a session that is never back from its limit', async () => {
  const defect = {
    name: 'waiting-never-back',
    file: 'engine/waiting/wait.ts',
    from: 'if (waiting.reviewer === undefined) return waitForWork(question, null, waiting);',
    to: "if (waiting.reviewer === undefined) return { kind: 'waits', waiting, news: false, ended: null };",
  };
  expect(await commandProblems(defect, failedTurn([]), { held: 'block' })).not.toEqual([]);
});

it('finds a question that the hook for a failed turn says', async () => {
  const said: string[] = [];
  const defect = {
    name: 'waiting-failure-speaks',
    file: 'hook/stop-failure.ts',
    from: 'return SILENT;',
    to: "return { ...SILENT, stderr: 'noted\\n' };",
  };
  await commandProblems(defect, failedTurn(said), {});
  expect(said).not.toEqual([]);
});

it('finds a question that is worded as another when it is asked again', async () => {
  const defect = {
    name: 'waiting-asked-twice',
    file: 'cli/ask.ts',
    from: 'const inARow = isUnshown(sidecar.waiting) ? questions : questions + 1;',
    to: 'const inARow = isUnshown(sidecar.waiting) ? 4 : questions + 1;',
  };
  const isRefused = { ...asked, carryOn: async () => null };
  const plugin = await planted(defect);
  const problems = await crashCommand(
    {
      ...isRefused,
      async run(bench, args, fault) {
        const ran = await bench.holdfast(args, {}, fault);
        return fault === undefined && ran.exitCode === 1 ? { ...ran, exitCode: 9 } : ran;
      },
    },
    plugin,
  );
  expect(problems.join('\n')).toContain('again, it fails');
});

/** What a healthy build's end has, and the planted one's must not. */
async function commandProblems(defect: Defect, command: Commanded, wanted: object): Promise<string[]> {
  const plugin = await planted(defect);
  const ends: string[] = [];
  await crashCommand(
    {
      ...command,
      async carryOn(bench) {
        const end = (await command.carryOn(bench)) as Record<string, unknown>;
        for (const [key, value] of Object.entries(wanted))
          if (end[key] !== value) ends.push(`${key} is ${end[key]}`);
        return end;
      },
    },
    plugin,
  );
  return ends;
}

async function planted(defect: Defect): Promise<string> {
  const plugin = await plant(defect);
  plugins.push(plugin);
  return plugin;
}

async function problemsOf(
  defect: Defect,
  scenario: Scenario,
  under: Under,
  disturb = crashEverywhere,
): Promise<string[]> {
  const plugin = await planted(defect);
  return (await disturb(scenario, { ...under, plugin, firstOnly: true })).problems;
}
