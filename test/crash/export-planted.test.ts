// The proof that the crash suite finds an exporter that loses something or has it counted twice.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killEverywhere, killWhileSending, type Wrong } from './export.ts';
import { type Defect, plant } from './plant.ts';

const plugins: string[] = [];

/** The views lie beside a plugin. */
beforeAll(() => {
  const built = path.resolve(import.meta.dirname, '../..');
  fs.cpSync(path.join(built, 'dist/views'), path.join(built, '.test-build/planted/views'), {
    recursive: true,
  });
});
afterAll(() => {
  for (const plugin of plugins) fs.rmSync(plugin, { recursive: true, force: true });
});

const SAVES = '    saveState(this.#settings.base, batch.next, env);\n';

const defects: readonly (Defect & { foundBy(plugin: string): Promise<Wrong> })[] = [
  {
    name: 'export-saved-before-sent',
    file: 'export/session.ts',
    from: '    const delivery = await this.#deliverAll(batch);\n',
    to: `${SAVES}    const delivery = await this.#deliverAll(batch);\n`,
    foundBy: killWhileSending,
  },
  {
    name: 'export-other-ids-each-time',
    file: 'export/collect.ts',
    from: ".digest('hex').slice(0, 32);",
    to: ".update(String(process.pid)).digest('hex').slice(0, 32);",
    foundBy: killWhileSending,
  },
  {
    name: 'export-counts-from-now',
    file: 'export/session.ts',
    from: 'return this.#encoding.metrics(series, since, this.#outside.clock());',
    to: 'return this.#encoding.metrics(series, since + this.#outside.clock(), this.#outside.clock());',
    foundBy: killWhileSending,
  },
  {
    name: 'export-counts-not-kept',
    file: 'export/session.ts',
    from: SAVES,
    to: '    saveState(this.#settings.base, { ...batch.next, series: {} }, env);\n',
    foundBy: killEverywhere,
  },
];

it.each(defects)('finds $name', async (defect) => {
  const plugin = await plant(defect);
  plugins.push(plugin);
  expect((await defect.foundBy(plugin)).problems).not.toEqual([]);
});
