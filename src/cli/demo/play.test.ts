// How a demonstration is played, with a launcher and a command line of the test's own; test/cli/demo.test.ts plays those
// of the workflows through the real ones.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTheEnd } from '../../../test/support/at-the-end.ts';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { standInPlugin } from '../../../test/support/cli-plugin.ts';
import type { Demo, DemoTurn } from '../../engine/demo.ts';
import { type Played, type PlayedEvent, playDemo } from './play.ts';

/** Answers with what lies in `answer`, and keeps what it was given. */
const STOP = `cat >>../stops; echo >>../stops; env >../env; cat ../answer 2>/dev/null; rm -f ../answer`;
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
const answers = (root: string, answer: object | string): void =>
  fs.writeFileSync(beside(root, 'answer'), typeof answer === 'string' ? answer : JSON.stringify(answer));
const stands = (root: string, runs: unknown): void =>
  fs.writeFileSync(beside(root, 'runs'), JSON.stringify({ runs }));

const env = { HOME: emptyFolder() };

async function played(
  turns: readonly DemoTurn[],
  more: Partial<Demo> = {},
): Promise<Played & { notified: PlayedEvent[] }> {
  standInPlugin({ stop: STOP, cli: CLI });
  const notified: PlayedEvent[] = [];
  const demo: Demo = { about: 'a demo', programs: {}, turns, ...more };
  const done = await playDemo('toy', demo, true, (event) => notified.push(event), env);
  atTheEnd(() => fs.rmSync(done.folder, { recursive: true, force: true }));
  return { ...done, notified };
}

const agent = { kind: 'agent', does: 'Works', says: 'Done.' };

describe('a demonstration', () => {
  it('tells turn by turn what the hook answered, where the run stands, and which files are left', async () => {
    const { workflow, folder, events, notified, cameToItsEnd } = await played([
      turn(({ root, write }) => {
        write('src/a.txt', 'a');
        write('.holdfast/journal.jsonl', '');
        write('.gitignore', '');
        answers(root, { decision: 'block', reason: `Go on in ${root}/src.`, systemMessage: 'Note.' });
        stands(root, [{ stage: 'at work', live: true }]);
      }),
      turn(({ root, lastReason, read, write }) => {
        expect(lastReason()).toBe(`Go on in ${root}/src.`);
        expect(read('src/a.txt')).toBe('a');
        write('b.txt', 'b');
        answers(root, { reason: 'Again.' });
      }),
      turn(({ root }) => {
        answers(root, { systemMessage: 'Over.' });
        stands(root, [
          { stage: 'done', live: false },
          { stage: 'cancelled', live: false },
        ]);
      }),
      turn(({ lastReason }) => {
        expect(lastReason()).toBe('');
      }),
    ]);
    expect(events).toEqual([
      agent,
      { kind: 'hold', reason: 'Go on in src.', notice: 'Note.' },
      { kind: 'state', before: 'nothing yet', after: 'at work' },
      agent,
      { kind: 'hold', reason: 'Again.', notice: null },
      agent,
      { kind: 'allow', notice: 'Over.' },
      { kind: 'state', before: 'at work', after: 'done; cancelled' },
      agent,
      { kind: 'allow', notice: null },
      { kind: 'files', names: ['.gitignore', 'b.txt', 'src/a.txt'] },
    ]);
    expect(notified).toEqual(events);
    expect([workflow, cameToItsEnd]).toEqual(['toy', true]);
    expect(path.basename(folder)).toMatch(/^stage-demo-toy-/);
    expect(fs.existsSync(path.join(folder, 'project/.git'))).toBe(true);
    const transcript = path.join(folder, 'transcript.jsonl');
    expect(fs.readFileSync(transcript, 'utf8').trimEnd().split('\n')).toHaveLength(8);
    const stops = fs.readFileSync(path.join(folder, 'stops'), 'utf8').trimEnd().split('\n');
    const stop = (active: boolean): object => ({
      ...{ session_id: 'demo-session', transcript_path: transcript, cwd: path.join(folder, 'project') },
      ...{ prompt_id: 'demo-prompt', permission_mode: 'default', hook_event_name: 'Stop' },
      ...{ stop_hook_active: active, last_assistant_message: 'Done.' },
    });
    expect(stops.map((line) => JSON.parse(line))).toEqual([false, true, true, false].map(stop));
  });

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

  it('has no config unless it brings one', async () => {
    const { folder } = await played([turn(({ root }) => stands(root, []))]);
    expect(fs.readdirSync(path.join(folder, 'home'))).toEqual([]);
  });

  it.each<[string, unknown, object, boolean]>([
    ['a run that is live', [{ live: false }, { live: true }], {}, false],
    ['a run of which nobody knows', [{ live: false }, {}], {}, false],
    ['a run that is none', [null], {}, false],
    ['no list', 'runs', {}, false],
    ['a last stop that was held', [], { reason: 'Go on.' }, false],
    ['no run', [], {}, true],
    ['runs that are over', [{ live: false }], { reason: 7, systemMessage: 7 }, true],
  ])('came to its end or not: %s', async (_, runs, answer, isOver) => {
    const { cameToItsEnd, events } = await played([
      turn(({ root }) => {
        stands(root, runs);
        answers(root, answer);
      }),
    ]);
    expect(cameToItsEnd).toBe(isOver);
    if (isOver) expect(events[1]).toEqual({ kind: 'allow', notice: null });
  });

  it('lets go where the hook says nothing that can be read', async () => {
    const { events } = await played([
      turn(({ root }) => {
        stands(root, [null, 7]);
        answers(root, 'not JSON');
      }),
    ]);
    expect(events.slice(1, 3)).toEqual([
      { kind: 'allow', notice: null },
      { kind: 'state', before: 'nothing yet', after: '; ' },
    ]);
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
    const failed = playDemo('toy', demo, true, () => {}, env);
    await expect(failed).rejects.toThrow(text);
    await expect(failed).rejects.toThrow(/ ended with [34]: (?:it broke|no)$/);
    expect(fs.existsSync(root)).toBe(true);
    fs.rmSync(path.dirname(root), { recursive: true });
    await expect(playDemo('toy', demo, false, () => {}, env)).rejects.toThrow(text);
    expect(fs.existsSync(path.dirname(root))).toBe(false);
  });

  it('says where a program cannot be started', async () => {
    const folder = standInPlugin({ stop: STOP, cli: CLI });
    fs.rmSync(path.join(folder, 'hooks/stop'));
    const demo: Demo = { about: '', programs: {}, turns: [turn(() => {})] };
    await expect(playDemo('toy', demo, false, () => {}, env)).rejects.toThrow(/ENOENT/);
  });
});
