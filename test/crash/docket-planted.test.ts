// The proof that the crash suite finds what may go wrong with a docket.

import fs from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { leftRound, listed } from './docket.ts';
import { type Defect, plant } from './plant.ts';
import { crashEverywhere, type Scenario } from './scenario.ts';

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

it('finds a docket that is written after the state', async () => {
  const defect = {
    name: 'docket-after-state',
    file: 'workflows/taskie/commit.ts',
    from: "      ...(taken?.writes ?? []),\n      ...outdatedLogs(change, world).map((name) => ({ kind: 'remove' as const, path: inFolder(name) })),\n      { kind: 'replace', path: inFolder('state.json'), content },\n",
    to: "      ...outdatedLogs(change, world).map((name) => ({ kind: 'remove' as const, path: inFolder(name) })),\n      { kind: 'replace', path: inFolder('state.json'), content },\n      ...(taken?.writes ?? []),\n",
  };
  expect(await problemsOf(defect, listed)).not.toEqual([]);
});

it('finds a review that is added once more after a crash', async () => {
  const defect = {
    name: 'docket-added-twice',
    file: 'engine/docket/add.ts',
    from: 'if (known.has(contentOf(entry))) continue;',
    to: '',
  };
  expect(await problemsOf(defect, listed)).not.toEqual([]);
});

it('finds a round that is added once more after a crash', async () => {
  const defect = {
    name: 'docket-round-twice',
    file: 'engine/docket/add.ts',
    from: 'known.has(contentOf(entry))',
    to: 'known.has(entry.id)',
  };
  expect(await problemsOf(defect, leftRound)).not.toEqual([]);
});

async function problemsOf(defect: Defect, scenario: Scenario): Promise<string[]> {
  const plugin = await plant(defect);
  plugins.push(plugin);
  return (await crashEverywhere(scenario, { plugin, firstOnly: true, kinds: ['rename'] })).problems;
}
