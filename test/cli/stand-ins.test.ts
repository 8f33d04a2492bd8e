// The stand-ins for the clients answer in the shapes that were recorded from the real ones.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Machine, machine } from '../fixtures/install/machine.ts';
import { run } from '../support/hook.ts';

let here: Machine;
beforeEach(async () => {
  here = machine();
  await here.cli(['install', '--trust']);
});
afterEach(() => here.project.remove());

describe('the stand-ins for the clients', () => {
  it('list plugins and marketplaces as the real ones do', async () => {
    for (const client of ['claude', 'codex'] as const) {
      const folder = client === 'claude' ? 'claude-code' : 'codex';
      expect(shapeOf(await ask(client, ['plugin', 'list', '--json']))).toEqual(
        shapeOf(recorded(`${folder}/plugins-installed.json`)),
      );
      expect(shapeOf(await ask(client, ['plugin', 'marketplace', 'list', '--json']))).toEqual(
        shapeOf(recorded(`${folder}/marketplaces-added.json`)),
      );
    }
  });

  it('list hooks as the real app-server does', async () => {
    const asked = ['initialize', 'hooks/list'].map((method, id) =>
      JSON.stringify({ id, method, params: { cwds: [here.project.root] } }),
    );
    const answers = (await start('codex', ['app-server'], `${asked.join('\n')}\n`)).split('\n');
    const answer = answers
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      .find(({ id }) => id === 1);
    expect(shapeOf(answer.result)).toEqual(shapeOf(recorded('codex/hooks-trusted.json')));
  });
});

async function ask(client: string, args: readonly string[]): Promise<unknown> {
  return JSON.parse(await start(client, args, ''));
}

async function start(client: string, args: readonly string[], stdin: string): Promise<string> {
  const program = path.join(path.dirname(here.project.root), 'bin', client);
  return (await run(program, args, here.project.root, { stdin })).stdout;
}

function recorded(file: string): unknown {
  const folder = path.resolve(import.meta.dirname, '../fixtures/recorded/plugins');
  return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
}

/** The kinds of all values; of a list the first entry's. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
