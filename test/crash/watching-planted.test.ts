// The proof that the suite on watching can fail: defects planted into the source, one at a time.

import fs from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { type Defect, plant } from './plant.ts';
import { crashEverywhere } from './scenario.ts';
import { firstStop } from './watching.ts';

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

async function planted(defect: Defect): Promise<string> {
  const plugin = await plant(defect);
  plugins.push(plugin);
  return plugin;
}

it('finds a project that is noted only after the stop was written down', async () => {
  const plugin = await planted({
    name: 'project-noted-late',
    file: 'engine/stop/serve-run.ts',
    from: `    if (turn.served.first) noteProjectQuietly(stopped);
    turn.settle?.();
    commitStep(project, turn.writes);`,
    to: `    turn.settle?.();
    commitStep(project, turn.writes);
    if (turn.served.first) noteProjectQuietly(stopped);`,
  });
  expect((await crashEverywhere(firstStop, { plugin })).problems).not.toEqual([]);
});
