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
  const scene = drivenScene(behaviour, plugin);
  return scene;
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

test('finds a client that is only asked to end', async () => {
  const defect = {
    name: 'driven-only-asked',
    file: 'processes/end.ts',
    from: "for (const name of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {",
    to: "for (const name of ['SIGINT', 'SIGTERM'] as const) {",
  };
  expect(await leftByEnd('deaf', defect)).not.toEqual([]);
});

test('finds children that were not looked for', async () => {
  const defect = {
    name: 'driven-not-looked-for',
    file: 'processes/end.ts',
    from: 'addRelatives(members, all);\n    return',
    to: 'void addRelatives;\n    return',
  };
  expect(await leftByEnd('forks', defect)).not.toEqual([]);
});

test('finds an end that only closes its input', async () => {
  const defect = {
    name: 'driven-closed',
    file: 'clients/headless/start.ts',
    from: 'all ??= family.end(patience).finally(done);',
    to: 'all ??= Promise.resolve(void patience).finally(done);',
  };
  expect(await leftByEnd('hangs', defect)).not.toEqual([]);
});

test('finds a client without a watcher', async () => {
  const defect = {
    name: 'driven-unwatched',
    file: 'processes/watcher.ts',
    from: 'read -r _ && exit 0',
    to: 'read -r _; exit 0',
  };
  expect(await leftByDeath('hangs', defect)).not.toEqual([]);
});

// No defect: the moment between the client's start and its naming, made as long as the driver lives.
test('a driver that is killed before it named the client to the watcher leaves nothing either', async () => {
  const unnamed = {
    name: 'driven-unnamed',
    file: 'clients/headless/start.ts',
    from: 'watcher.watch(leader);',
    to: '',
  };
  expect(await leftByDeath('hangs', unnamed)).toEqual([]);
});

test('finds a watcher that ends the group alone', async () => {
  const defect = {
    name: 'driven-group-alone',
    file: 'processes/watcher.ts',
    from: "'require(process.argv[1]).endProgram(process.argv[2], Number(process.argv[3]) || null)'",
    to: "'process.exit(1)'",
  };
  expect(await leftByDeath('forks', defect)).not.toEqual([]);
});

test('finds a client whose mark is missing', async () => {
  const defect = {
    name: 'driven-unmarked',
    file: 'clients/headless/start.ts',
    from: 'env: { ...clientEnv, [ATTEMPT_VARIABLE]: attempt },',
    to: 'env: { ...clientEnv, ANOTHER: ATTEMPT_VARIABLE + attempt },',
  };
  expect(await leftByDeath('forks', defect)).not.toEqual([]);
});
