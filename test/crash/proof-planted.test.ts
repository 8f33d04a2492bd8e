// The proof that the crash suite finds what may go wrong with a claim.

import fs from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { type Defect, plant } from './plant.ts';
import { failing, passing, passingOnce, pinning } from './proof.ts';
import { crashEverywhere, failEverywhere, type Scenario, type Under } from './scenario.ts';

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

it('finds a receipt that is written before its check has ended', async () => {
  const defect = {
    name: 'receipt-first',
    file: 'engine/proof/checking.ts',
    from: 'const said = await this.#keepingRuns(check, attempt.id, {',
    to: `const early = { end: 'passed', code: 0, milliseconds: 1, flaky: false, tail: '' } as const;
      if (content !== null) this.#keep(check, early, content);
      const said = await this.#keepingRuns(check, attempt.id, {`,
  };
  expect(await problemsOf(defect, failing, { kinds: ['spawn'] })).not.toEqual([]);
});

it('finds a receipt that is written after the record of its check went', async () => {
  const defect = {
    name: 'receipt-last',
    file: 'engine/proof/checking.ts',
    from: `if (isSame && content !== null) this.#keep(check, said, content);
      const { end, code, milliseconds } = said;
      journalWork(this.#stopped, run, { ...about, what: 'ended', end, code, milliseconds });
      await locked(() => endCheck(project, run, attempt));`,
    to: `await locked(() => endCheck(project, run, attempt));
      const { end, code, milliseconds } = said;
      journalWork(this.#stopped, run, { ...about, what: 'ended', end, code, milliseconds });
      if (isSame && content !== null) this.#keep(check, said, content);`,
  };
  expect(await problemsOf(defect, passing, { kinds: ['create'], after: '/bin/sh' })).not.toEqual([]);
});

it('finds a check of a dead hook that stays on record', async () => {
  const defect = {
    name: 'check-stays',
    file: 'engine/work/recover.ts',
    from: 'await withLock(project.home, runtime.lockPatienceMs, () => endCheck(project, name, attempt));',
    to: 'void endCheck;',
  };
  expect(await problemsOf(defect, passing, { kinds: ['spawn'] })).not.toEqual([]);
});

it('finds a claim that is not on record before its check runs', async () => {
  const defect = {
    name: 'own-signal-lost',
    file: 'engine/stop/serve-runs.ts',
    from: 'checks: () => keep([here, ...later])',
    to: 'checks: () => keep(later)',
  };
  expect(await problemsOf(defect, passingOnce, { kinds: ['spawn'], after: '/bin/sh' })).not.toEqual([]);
});

it('finds a claim that goes before the state it leads to is written', async () => {
  const defect = {
    name: 'kept-goes-with-sidecar',
    file: 'workflows/idle/commit.ts',
    from: "return source === 'file' ? null : keptSignal;",
    to: 'void source; void keptSignal; return null;',
  };
  expect(await problemsOf(defect, passingOnce, { kinds: ['create'], after: '/bin/sh' })).not.toEqual([]);
});

it('finds an error that passes and is taken for a change of the files', async () => {
  const defect = {
    name: 'error-is-change',
    file: 'engine/proof/checking.ts',
    from: 'if (this.#content === null && content !== null) await this.look();',
    to: '',
  };
  const under = { kinds: ['spawn'], after: '/bin/sh' };
  expect(await problemsOf(defect, passingOnce, under, failEverywhere)).not.toEqual([]);
});

it('finds an error that passes and ends the run', async () => {
  const defect = {
    name: 'error-unpins',
    file: 'engine/proof/pin.ts',
    from: 'if (isPassing(error)) throw error;',
    to: 'void isPassing;',
  };
  expect(await problemsOf(defect, failing, { kinds: ['open'] }, failEverywhere)).not.toEqual([]);
});

it('finds a record of the user’s that is written in its place', async () => {
  const defect = {
    name: 'user-record-in-place',
    file: 'store/user-state.ts',
    from: 'replaceFile(file, ',
    to: '((to: string, text: string, ..._: unknown[]) => fs.writeFileSync(to, text))(file, ',
  };
  expect(await problemsOf(defect, pinning, { kinds: ['write'] })).not.toEqual([]);
});

async function problemsOf(
  defect: Defect,
  scenario: Scenario,
  under: Under,
  disturb = crashEverywhere,
): Promise<string[]> {
  const plugin = await plant(defect);
  plugins.push(plugin);
  return (await disturb(scenario, { ...under, plugin, firstOnly: true })).problems;
}
