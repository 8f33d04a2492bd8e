// What a driven agent leaves in the project is no program of its driver's, which no sandbox holds: neither by a name on
// PATH nor by the settings of a repository that it wrote.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Ran, run, runCli } from '../support/hook.ts';
import { type Action, type Stage, stageWith } from './stage.ts';

let stage: Stage;
afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };
const shell = (line: string): Action => ({ do: 'run', line });

/** What is started by it leaves its name where the test reads it. */
const plant = (place: string): string =>
  `mkdir -p "$(dirname ${place})" && printf '#!/bin/sh\\necho "$0 $*" >>"$STAGE/planted"\\n' >${place} && chmod +x ${place}`;

const drives = (env: Record<string, string>): Promise<Ran> =>
  runCli(stage.project.root, ['run', 'idle', 'loop', 'Do it'], { env: { ...stage.env, ...env } });

const git = async (folder: string, ...args: string[]): Promise<void> => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
  const { exitCode, stderr } = await run('git', [...who, ...args], folder, { env: stage.env });
  if (exitCode !== 0) throw new Error(stderr);
};

it('starts no program of a folder on PATH that lies in the project: neither git nor the client', async () => {
  stage = await stageWith([]);
  stage.write([
    WORK,
    shell(`${plant('.venv/bin/git')}; ${plant('.venv/bin/claude')}`),
    { do: 'crash' },
    DONE,
  ]);
  const { root } = stage.project;
  stage.project.write('a', 'a\n');
  await git(root, 'add', '-A');
  await git(root, 'commit', '-qm', 'Begin');
  const PATH = `${path.join(root, '.venv/bin')}:${stage.env.PATH}`;
  const ran = await drives({ PATH });
  expect(stage.linesOf('planted')).toEqual([]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  expect(stage.starts()).toHaveLength(2);
});

it('counts what changed without the settings of a repository in the project', async () => {
  stage = await stageWith([]);
  const { root } = stage.project;
  const inner = path.join(path.dirname(root), 'inner');
  fs.mkdirSync(inner);
  await git(inner, 'init', '-q');
  await git(inner, 'commit', '-qm', 'Begin', '--allow-empty');
  await git(root, 'submodule', '--quiet', 'add', inner, 'inner');
  stage.project.write('a', 'a\n');
  await git(root, 'add', '-A');
  await git(root, 'commit', '-qm', 'Begin');
  const settings = `[core]\\n\\trepositoryFormatVersion = 0\\n\\tfsmonitor = "${root}/watch"\\n`;
  stage.write([
    WORK,
    shell(
      `${plant('watch')}; cp -r .git/modules/inner copy; rm inner/.git; mv copy inner/.git; printf '${settings}' >inner/.git/config; echo more >>a; echo new >b; git -c user.name=A -c user.email=a@example.com commit -qm More a`,
    ),
    DONE,
  ]);
  const ran = await drives({});
  expect(stage.linesOf('planted')).toEqual([]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ran.stdout).toMatch(/\n {2}files {7}3 changed\n {2}commits {5}1\n/);
});
