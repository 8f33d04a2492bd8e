import fs from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { standInPlugin } from '../../test/support/cli-plugin.ts';
import type { Demo } from '../engine/demo.ts';
import { type Call, WrongUsage } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';
import { ending } from './demo/describe.ts';
import { demo } from './demo.ts';

afterEach(() => vi.restoreAllMocks());

/** Demonstrations of one turn each, after which a run is live or not; of the other workflows there is none. */
async function shown(
  live: Readonly<Record<string, boolean>>,
  flags: Call['flags'] = {},
): Promise<{ code: number; printed: string[] }> {
  standInPlugin({
    stop: 'cat >/dev/null',
    cli: "console.log(require('node:fs').readFileSync('runs.json', 'utf8'))",
  });
  for (const entry of registry) {
    const isLive = live[entry.name];
    const script: Demo = {
      ...{ about: `shows ${entry.name}`, programs: {} },
      turns: [
        {
          ...{ does: 'Works', says: 'Done.' },
          act: ({ write }) => write('runs.json', JSON.stringify({ runs: [{ stage: 'on', live: isLive }] })),
        },
      ],
    };
    const cli = await entry.cli();
    const { demo: _, ...without } = cli;
    vi.spyOn(entry, 'cli').mockResolvedValue(
      isLive === undefined ? without : { ...cli, demo: async () => script },
    );
  }
  const { call, printed } = callIn(emptyFolder(), { flags });
  return { code: await demo.run(call), printed };
}

const lines = (name: string): string[] => [
  `\n${name}: shows ${name}`,
  '  agent  Works. “Done.”',
  '  allow  the agent may stop.',
  '  state  now: on',
  '  files  runs.json',
];

it('shows the workflows that have one, in their order, and ends with how to go on', async () => {
  expect(await shown({ idle: false, taskie: false })).toEqual({
    code: 0,
    printed: [...lines('taskie'), ...lines('idle'), ending([], false)],
  });
});

it('shows one workflow, and ends with 1 where it did not come to its end', async () => {
  expect(await shown({ idle: true, taskie: false }, { workflow: 'idle' })).toEqual({
    code: 1,
    printed: [...lines('idle'), ending([], false)],
  });
});

it('as data says nothing else, and keeps nothing', async () => {
  const { code, printed } = await shown({ idle: false }, { json: true });
  expect([code, printed.length]).toEqual([0, 1]);
  const [text = ''] = printed;
  const played = JSON.parse(text);
  expect(text).toBe(JSON.stringify(played, null, 2));
  expect(played).toMatchObject([{ workflow: 'idle', cameToItsEnd: true }]);
  expect(played[0].events).toHaveLength(4);
  expect(fs.existsSync(played[0].folder)).toBe(false);
});

it('keeps the project where it is asked to, and says where', async () => {
  const { printed } = await shown({ idle: false }, { keep: true });
  const folder = /^idle: kept in (.*)$/m.exec(printed.at(-1) ?? '')?.[1] ?? '';
  expect(fs.existsSync(`${folder}/project/runs.json`)).toBe(true);
  fs.rmSync(folder, { recursive: true });
});

it('is refused for a workflow that is not there', async () => {
  await expect(shown({}, { workflow: 'nothing' })).rejects.toThrow(
    new WrongUsage('demo: there is no workflow "nothing"; there are claudex, taskie, flow, idle.'),
  );
});
