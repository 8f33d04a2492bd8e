// Variables that should name the user's own folders and programs, and name something relative instead: it would lie
// in the folder the agent works in, and a repository may have put something there. Nothing of it may be run or read.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../../src/store/fingerprint.ts';
import { stages } from '../stage.ts';
import { type Hostile, hostileProject, isAllowed } from './hostile.ts';

/** Leaves a mark where it runs, and answers like a hook that has nothing to say. */
const TRAP = '#!/bin/sh\n: >pwned\nexit 0\n';
const BAD_CONFIG = '{"no such key": true}';

/** Everything that a relative value below could lead to. */
async function trappedProject(): Promise<Hostile> {
  const project = hostileProject();
  for (const file of ['node', 'mkdir', 'trap/node', 'trap/mkdir', 'trap/node22', 'node22'])
    fs.chmodSync(project.write(file, TRAP), 0o755);
  for (const folder of ['', 'trap/', '.config/', 'trap/.config/']) {
    project.write(`${folder}holdfast/node`, `${project.root}/trap/node\n`);
    project.write(`${folder}holdfast/holdfast.config.json`, BAD_CONFIG);
  }
  const started = await project.cli(['idle', 'loop', 'a task']);
  expect(started).toMatchObject({ exitCode: 0 });
  return project;
}

const systemPath = process.env.PATH ?? '';

describe.concurrent('a relative value', () => {
  test.each<[string, Record<string, string>]>([
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: 'trap' }],
    ['XDG_CONFIG_HOME with a dot', { XDG_CONFIG_HOME: './trap' }],
    ['XDG_CONFIG_HOME as the folder itself', { XDG_CONFIG_HOME: '.' }],
    ['XDG_STATE_HOME', { XDG_STATE_HOME: 'trap' }],
    ['HOME', { HOME: 'trap' }],
    ['HOME as the folder itself', { HOME: '.' }],
    ['HOME, empty', { HOME: '' }],
    ['HOLDFAST_NODE', { HOLDFAST_NODE: './node' }],
    ['HOLDFAST_NODE in a sub-folder', { HOLDFAST_NODE: 'trap/node' }],
    ['HOLDFAST_NODE, a name that only the working folder has', { HOLDFAST_NODE: 'node22' }],
    ['an empty folder of PATH', { PATH: `:${systemPath}` }],
    ['a relative folder of PATH', { PATH: `trap:.:${systemPath}` }],
    ['an empty folder in the middle of PATH', { PATH: `/nowhere::${systemPath}` }],
  ])('(%s) runs nothing of the repository, reads no config there, and the run is held', async (_, env) => {
    const project = await trappedProject();
    const fired = await project.stop({ last_assistant_message: 'Not yet.' }, { env });
    expect(fired).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
    expect(fired.answer?.systemMessage ?? '').not.toContain('config');
    expect(project.started()).toEqual([]);
  });

  test('in PATH alone, with no node elsewhere: node is missing, and not even mkdir is taken from there', async () => {
    const project = await trappedProject();
    const fired = await project.stop({}, { env: { PATH: ':trap:.' } });
    expect(fired.answer?.systemMessage).toContain('node was not found');
    expect(project.started()).toEqual([]);
  });

  test('in PATH alone, and a folder of the project behind a link: node is missing', async () => {
    const project = await trappedProject();
    const link = path.join(project.outside, 'link');
    fs.symlinkSync(path.join(project.root, 'trap'), link);
    const fired = await project.stop({}, { env: { PATH: `:trap:${project.root}/trap:${link}` } });
    expect(fired.answer?.systemMessage).toContain('node was not found');
    expect(project.started()).toEqual([]);
  });

  test.each(['claude', 'git', 'flock', 'codex'])(
    'in PATH, or a folder of the project, does not give the hook or a command the repository’s own %s',
    async (program) => {
      const project = hostileProject();
      fs.chmodSync(project.write(`trap/${program}`, TRAP), 0o755);
      project.write('.jwz/lock', '');
      project.write('.taskie/plans/p/plan.md', '# Plan\n\n## Overview\n');
      const env = { PATH: `${project.root}/trap:trap:.::${systemPath}` };
      for (const args of [
        ['taskie', 'record', 'new-plan', '--plan=p'],
        ['idle', 'loop', 'a task'],
        ['claudex', 'doctor'],
        ['doctor'],
      ])
        await project.cli(args, { env });
      await project.stop({ last_assistant_message: 'Not yet.' }, { env });
      await project.stop({}, { env, args: ['pre-compact'] });
      expect(project.started()).toEqual([]);
    },
  );

  test('recorded as the path of node is not run', async () => {
    const project = await trappedProject();
    const folder = path.join(project.home, '.config/holdfast');
    fs.mkdirSync(folder, { recursive: true });
    for (const recorded of ['trap/node', './node', '../project/node']) {
      fs.writeFileSync(path.join(folder, 'node'), `${recorded}\n`);
      const fired = await project.stop({ last_assistant_message: 'Not yet.' });
      expect(fired.answer?.decision).toBe('block');
      expect(project.started()).toEqual([]);
    }
  });

  test('of HOME or XDG_STATE_HOME does not let the repository hand out its runs', async () => {
    const project = hostileProject();
    const stage = stages.find((each) => each.workflow === 'idle');
    if (stage === undefined) throw new Error('there is no stage for idle');
    project.put(stage, 'nobody');
    fs.rmSync(path.join(project.root, '.holdfast/sessions'), { recursive: true });
    const ticket = JSON.stringify({ root: project.root, runs: [stage.run], expires: 9e15 });
    const name = `holdfast/next-session/${fingerprint(project.root)}.json`;
    for (const folder of ['state', '.local/state', 'trap/.local/state'])
      project.write(`${folder}/${name}`, ticket);
    for (const env of [{ XDG_STATE_HOME: 'state' }, { HOME: '.' }, { HOME: 'trap' }, { HOME: './trap' }])
      expect(isAllowed(await project.stop({}, { env }))).toBe(true);
    for (const folder of ['state', '.local/state', 'trap/.local/state'])
      expect(project.exists(`${folder}/${name}`)).toBe(true);
  });

  test('of HOLDFAST_NODE that is a plain name is looked up in the absolute folders of PATH', async () => {
    const project = await trappedProject();
    const bin = path.join(project.outside, 'bin');
    fs.mkdirSync(bin);
    fs.symlinkSync(process.execPath, path.join(bin, 'node22'));
    const env = { HOLDFAST_NODE: 'node22', PATH: `.:${bin}` };
    expect((await project.stop({ last_assistant_message: 'Not yet.' }, { env })).answer?.decision).toBe(
      'block',
    );
    expect(project.started()).toEqual([]);
  });
});
