// How a demonstration is played, with a launcher and a command line of the test's own; test/cli/demo.test.ts plays those
// of the workflows through the real ones.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTheEnd } from '../../../test/support/at-the-end.ts';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { standInPlugin } from '../../../test/support/cli-plugin.ts';
import type { Demo, DemoTurn } from '../../engine/demo.ts';
import { type Played, playDemo } from './play.ts';

const STOP = 'cat >/dev/null; env >../env';
/** `status --json`: what lies in `runs`; everything else is noted. */
const CLI = `
const fs = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'fail') { console.error(' it broke '); process.exit(4); }
if (args[0] === 'status') process.stdout.write(fs.readFileSync('../runs', 'utf8'));
else process.stdout.write(JSON.stringify([args, fs.readFileSync(0, 'utf8')]));
`;

const turn = (act: DemoTurn['act'], does = 'Works', says = 'Done.'): DemoTurn => ({ does, act, says });
const beside = (root: string, file: string): string => path.join(path.dirname(root), file);
const stands = (root: string, runs: unknown): void =>
  fs.writeFileSync(beside(root, 'runs'), JSON.stringify({ runs }));

const env = { HOME: emptyFolder() };

async function played(turns: readonly DemoTurn[], more: Partial<Demo> = {}): Promise<Played> {
  standInPlugin({ stop: STOP, cli: CLI });
  const demo: Demo = { about: 'a demo', programs: {}, turns, ...more };
  const done = await playDemo('toy', demo, true, async () => {}, env);
  atTheEnd(() => fs.rmSync(done.folder, { recursive: true, force: true }));
  return done;
}

describe('a demonstration', () => {
  it('gives the agent a machine of its own: a shell, programs, a config, a session', async () => {
    const said: string[] = [];
    const { folder } = await played(
      [
        turn(async ({ root, cli, shell }) => {
          stands(root, []);
          said.push(await cli(['idle', 'loop'], 'a task'), await cli(['why']));
          said.push(await shell('reviewer; pwd; echo "$HOME $CLAUDE_CODE_SESSION_ID"'));
        }),
      ],
      { programs: { reviewer: '#!/bin/sh\necho reviewed\n' }, config: { review: { timeout: 9 } } },
    );
    const root = path.join(folder, 'project');
    expect(said).toEqual([
      '[["idle","loop"],"a task"]',
      '[["why"],""]',
      `reviewed\n${root}\n${path.join(folder, 'home')} demo-session\n`,
    ]);
    expect(fs.readFileSync(path.join(folder, 'home/.config/holdfast/holdfast.config.json'), 'utf8')).toBe(
      JSON.stringify({ review: { timeout: 9 } }, null, 2),
    );
    const env = fs.readFileSync(path.join(folder, 'env'), 'utf8').split('\n');
    expect(env).toEqual(
      expect.arrayContaining([
        `HOLDFAST_NODE=${process.execPath}`,
        'NO_COLOR=1',
        `PATH=${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH}`,
      ]),
    );
    const known = ['PATH', 'HOME', 'HOLDFAST_NODE', 'CLAUDE_CODE_SESSION_ID', 'NO_COLOR'];
    const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    expect(
      env.filter((line) => line !== '' && ![...known, ...ofShell].includes(line.split('=')[0] ?? '')),
    ).toEqual([]);
  });
});

describe('a demonstration that breaks', () => {
  it.each<[DemoTurn['act'], string]>([
    [async ({ cli }) => void (await cli(['fail'])), `the demo's ${path.basename(process.execPath)} `],
    [async ({ shell }) => void (await shell('echo " no " >&2; exit 3')), "the demo's sh -c ended with 3: no"],
  ])('says which program ended with what, and leaves nothing behind: %#', async (act, text) => {
    standInPlugin({ stop: STOP, cli: CLI });
    let root = '';
    const demo: Demo = {
      ...{ about: '', programs: {} },
      turns: [
        turn(async (stage) => {
          root = stage.root;
          await act(stage);
        }),
      ],
    };
    const failed = playDemo('toy', demo, true, async () => {}, env);
    await expect(failed).rejects.toThrow(text);
    await expect(failed).rejects.toThrow(/ ended with [34]: (?:it broke|no)$/);
    expect(fs.existsSync(root)).toBe(true);
    fs.rmSync(path.dirname(root), { recursive: true });
    await expect(playDemo('toy', demo, false, async () => {}, env)).rejects.toThrow(text);
    expect(fs.existsSync(path.dirname(root))).toBe(false);
  });

  it('says where a program cannot be started', async () => {
    const folder = standInPlugin({ stop: STOP, cli: CLI });
    fs.rmSync(path.join(folder, 'hooks/stop'));
    const demo: Demo = { about: '', programs: {}, turns: [turn(() => {})] };
    await expect(playDemo('toy', demo, false, async () => {}, env)).rejects.toThrow(/ENOENT/);
  });
});
