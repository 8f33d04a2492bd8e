// The proof that the suite of hostile paths can fail: guards that are taken away where files are opened.

import fs from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { type Defect, plant } from '../../crash/plant.ts';
import { stops } from './hostile-scenes.ts';
import { type Attack, attackScenes } from './hostile-steps.ts';

type Guarded = Defect & { only(attack: Attack): boolean; wrong: RegExp };

const FILE = 'store/open.ts';
const COPY = 'a link to a copy of it that holds a secret';

const guards: readonly Guarded[] = [
  {
    name: 'what was opened may lie anywhere',
    file: FILE,
    from: 'const real = nameOf(found);\n    assertInside(real, String(file), root);',
    to: 'nameOf(found);',
    only: ({ attack, up, when }) => attack === COPY && up === 0 && isCall(when, 'open'),
    wrong: /secret is told|which is outside/,
  },
  {
    name: 'a folder that is held is gone into by its path',
    file: FILE,
    from: 'return { descriptor, way: wayOf(descriptor), real: nameOf(descriptor) }',
    to: 'return { descriptor, way: nameOf(descriptor), real: nameOf(descriptor) }',
    only: ({ attack, up, when }) => attack === COPY && up === 1 && isCall(when, 'rename'),
    wrong: /which is outside/,
  },
];

const isCall = (when: Attack['when'], kind: string): boolean =>
  typeof when !== 'string' && when.key.startsWith(`${kind} `);

const made: string[] = [];
afterAll(() => {
  for (const plugin of made) fs.rmSync(plugin, { recursive: true, force: true });
});

test.each(guards)('it is noticed when $name', async ({ only, wrong, ...defect }) => {
  const plugin = await plant(defect);
  made.push(plugin);
  const scenes = stops.filter(({ name }) => name === 'a loop goes on');
  const { problems } = await attackScenes(scenes, 30, { plugin, only });
  expect(problems.filter((problem) => wrong.test(problem))).not.toEqual([]);
  const { problems: healthy, struck } = await attackScenes(scenes, 30, { only });
  expect(healthy).toEqual([]);
  expect(struck).toBeGreaterThan(0);
});
