// The proof that the suite on driven clients can fail: defects planted into the source, one at a time.

import fs from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { type Defect, plant } from '../crash/plant.ts';
import { eventually } from '../toy/scene.ts';
import { type DrivenScene, drivenScene } from './driven-scene.ts';

const plugins: string[] = [];
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

async function sceneWith(behaviour: string, defect: Defect): Promise<DrivenScene> {
  const plugin = await plant(defect);
  plugins.push(plugin);
  return drivenScene(behaviour, plugin);
}

/** Ended by the driver: who is left. */
async function leftByEnd(behaviour: string, defect: Defect): Promise<number[]> {
  const scene = await sceneWith(behaviour, defect);
  const client = scene.start();
  await scene.isReady();
  await client.end();
  return scene.running();
}

/** The driver is killed: who is left when it is long gone. */
async function leftByDeath(behaviour: string, defect: Defect): Promise<number[]> {
  const scene = await sceneWith(behaviour, defect);
  const driver = scene.drive();
  await scene.isReady();
  driver.kill('SIGKILL');
  await eventually('the driver to be gone', () => driver.signalCode !== null);
  // As long as the end of a family takes at most, twice.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  return scene.running();
}

const END = 'processes/end.ts';
const WATCHER = 'processes/watcher.ts';
const START = 'clients/headless/start.ts';

test.each([
  [
    ...['a client that is only asked to end', leftByEnd, 'deaf', END],
    "for (const name of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {",
    "for (const name of ['SIGINT', 'SIGTERM'] as const) {",
  ],
  [
    ...['children that were not looked for', leftByEnd, 'forks', END],
    'addRelatives(members, all);\n    return',
    'void addRelatives;\n    return',
  ],
  [
    ...['an end that only closes its input', leftByEnd, 'hangs', START],
    'all ??= family.end(patience).finally(done);',
    'all ??= Promise.resolve(void patience).finally(done);',
  ],
  [
    ...['a client without a watcher', leftByDeath, 'hangs', WATCHER],
    'read -r _ && exit 0',
    'read -r _; exit 0',
  ],
  [
    ...['a watcher that ends the group alone', leftByDeath, 'forks', WATCHER],
    "'require(process.argv[1]).endProgram(process.argv[2], Number(process.argv[3]) || null)'",
    "'process.exit(1)'",
  ],
  [
    ...['a client whose mark is missing', leftByDeath, 'forks', START],
    'env: { ...clientEnv, [ATTEMPT_VARIABLE]: attempt },',
    'env: { ...clientEnv, ANOTHER: ATTEMPT_VARIABLE + attempt },',
  ],
] as [string, typeof leftByEnd, string, string, string, string][])(
  'finds %s',
  async (name, left, behaviour, file, from, to) => {
    const defect = { name: `driven-${name.replaceAll(' ', '-')}`, file, from, to };
    expect(await left(behaviour, defect)).not.toEqual([]);
  },
);

// No defect: the moment between the client's start and its naming, made as long as the driver lives.
test('a driver that is killed before it named the client to the watcher leaves nothing either', async () => {
  const unnamed = { name: 'driven-unnamed', file: START, from: 'watcher.watch(leader);', to: '' };
  expect(await leftByDeath('hangs', unnamed)).toEqual([]);
});
