// Whole stops with one thing broken: the state, our own notes, the config, the transcript, what the client sends.
// Whatever it is, a hold rests on a state that asks for it and a ticket that names the session, or there is none.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { RUNS, SEED } from './broken.ts';
import { SESSION } from './corpus.ts';
import { stopHere } from './hook-here.ts';
import { assertSound, brokenScene, setUp, soundScene, stages } from './stage.ts';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-stops-')));
const root = path.join(folder, 'project');
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A stop takes a hundred times as long as a reader. */
const each = Math.ceil(RUNS / 100);
const STRANGER = 'somebody-else';

describe.each(stages.map((stage) => [stage.workflow, stage] as const))('%s', (_, stage) => {
  test('holds its session when nothing is broken, and nobody else', async () => {
    for (const owner of [SESSION, STRANGER]) {
      const scene = soundScene(stage, root, owner, false);
      setUp(scene, root);
      const result = await stopHere(scene, root);
      assertSound(result, stage, scene, root);
      expect(result.stdout.includes('"decision":"block"')).toBe(owner === SESSION);
    }
  });

  test.each([SESSION, STRANGER])(
    'holds only whom it may, and never without a reason, whatever is broken (owner: %s)',
    { timeout: 300_000 + each * 2000 },
    async (owner) => {
      const broken = brokenScene(stage, root, owner);
      let stops = 0;
      await fc.assert(
        fc.asyncProperty(broken, async (scene) => {
          stops++;
          setUp(scene, root);
          const result = await stopHere(scene, root);
          assertSound(result, stage, scene, root);
        }),
        { seed: SEED, numRuns: each },
      );
      expect(stops).toBe(each);
    },
  );
});
