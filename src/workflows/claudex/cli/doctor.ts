// `claudex doctor`: is everything there that a loop needs?

import fs from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../../config/config.ts';
import { fireHook } from '../../../engine/fire-hook.ts';
import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { versionOf } from '../../../reviewers/version.ts';
import { makeStageFolder } from '../../../store/stage-folder.ts';
import { sayTrouble, troubleWith } from '../../../store/trouble.ts';
import { stateDirOf } from '../files.ts';
import { newestLoop, readLoops } from '../loops.ts';
import { reviewerFor } from '../reviewer.ts';
import { explainBad, readVariables } from '../variables.ts';
import { stageOf } from './describe.ts';
import { nearestExisting, topOf, troubleWithState } from './unreadable.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'check the reviewer, the state folder, the hook and the plugin',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: examine,
};

/** `note`: worth knowing, nothing required is missing. */
type Finding = { result: 'ok' | 'note' | 'FAIL'; what: string };

async function examine(call: Call): Promise<ExitCode> {
  const findings = [
    await checkReviewer(call),
    ...(await checkFolder(call)),
    await checkHook(call),
    checkPlugin(),
    ...(await checkLoop(call)),
  ];
  if (call.flags.json) call.print(JSON.stringify(findings, null, 2));
  else for (const { result, what } of findings) call.print(`${result.padEnd(4)}  ${what}`);
  return findings.some(({ result }) => result === 'FAIL') ? 1 : 0;
}

async function checkReviewer(call: Call): Promise<Finding> {
  const { program, install } = reviewerFor(await loadConfig(null, call.env));
  const found = await versionOf(program, call);
  switch (found.kind) {
    case 'missing':
      return { result: 'FAIL', what: `${program} is not on PATH; to get reviews, install it: ${install}` };
    case 'failed':
      return {
        result: 'FAIL',
        what: `${program} is there, but \`${program} --version\` failed: ${found.why}`,
      };
    case 'answers':
      return { result: 'ok', what: `${program} is on PATH: ${found.version}` };
  }
}

async function checkFolder(call: Call): Promise<Finding[]> {
  const project = (await existingIn(call)) ?? (await placeToStart(call));
  if (typeof project === 'string') return [{ result: 'note', what: project }];
  const dir = stateDirOf(project);
  const { path: folder } = dir;
  const notes = readVariables(project.root, project.env).bad.map(
    (name): Finding => ({ result: 'note', what: explainBad(name) }),
  );
  const trouble = troubleWith(folder, topOf(dir, folder), 'folder', 'read');
  if (trouble !== null) return [{ result: 'FAIL', what: sayTrouble(trouble) }, ...notes];
  try {
    fs.accessSync(nearestExisting(folder), fs.constants.W_OK | fs.constants.X_OK);
    return [{ result: 'ok', what: `the state folder can be written: ${folder}` }, ...notes];
  } catch {
    const what = `the state folder cannot be written: ${folder}; start the client where you may write, or set CLAUDEX_STATE_DIR`;
    return [{ result: 'FAIL', what }, ...notes];
  }
}

/** Null as well where something hides it: that is found on the way to its folder. */
async function existingIn(call: Call): Promise<Project | null> {
  try {
    return await call.existing();
  } catch (error) {
    if (error instanceof Error && error.name === 'NotNow') return null;
    throw error;
  }
}

/** Where a loop would be started; or why none can be started from here. */
async function placeToStart(call: Call): Promise<Project | string> {
  try {
    return await call.forNewRun();
  } catch (error) {
    if (error instanceof Error && error.name === 'NotNow') return error.message;
    throw error;
  }
}

/** Fires the real hook in an empty project that has only the folder of the loops. */
async function checkHook(call: Call): Promise<Finding> {
  const folder = makeStageFolder('doctor', call.env);
  try {
    fs.mkdirSync(path.join(folder, '.claude', 'claudex'), { recursive: true });
    const {
      CLAUDEX_STATE_DIR: _moved,
      CLAUDE_PROJECT_DIR: _project,
      HOLDFAST_DISABLE: _off,
      ...env
    } = call.env;
    const answer = (await fireHook(folder, '{}', env)).trim();
    const allows = answer === '' || answer === '{}';
    return allows
      ? { result: 'ok', what: 'the hook answers, and allows in an empty project' }
      : { result: 'FAIL', what: `the hook did not allow in an empty project: ${answer.slice(0, 200)}` };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const PARTS = [
  'hooks/stop',
  'hooks/hooks.json',
  'bin/holdfast',
  'lib/entry.cjs',
  'lib/hook.cjs',
  'lib/workflows-claudex.cjs',
  '.claude-plugin/plugin.json',
];

/** The bundle lies in the plugin's `lib/`. */
function checkPlugin(): Finding {
  const plugin = path.resolve(__dirname, '..');
  const missing = PARTS.filter((part) => !fs.existsSync(path.join(plugin, part)));
  return missing.length === 0
    ? { result: 'ok', what: `the plugin is complete: ${plugin}` }
    : { result: 'FAIL', what: `the plugin at ${plugin} lacks ${missing.join(', ')}; install Holdfast again` };
}

async function checkLoop(call: Call): Promise<Finding[]> {
  const project = await existingIn(call);
  if (project === null) return [{ result: 'ok', what: 'no loop on disk' }];
  const dir = stateDirOf(project);
  // What is wrong with the folder itself was said of it.
  if (troubleWith(dir.path, topOf(dir, dir.path), 'folder', 'read') !== null) return [];
  const newest = newestLoop(dir);
  const known = readLoops(dir).find(({ id }) => id === newest);
  if (newest === null) return [{ result: 'ok', what: 'no loop on disk' }];
  if (known === undefined) return [{ result: 'note', what: `${newest}.state is no loop: its name is no id` }];
  const trouble = troubleWithState(dir, known.id);
  if (trouble !== null)
    return [
      { result: 'FAIL', what: `the state of the loop ${known.id} cannot be read: ${sayTrouble(trouble)}` },
    ];
  return [{ result: 'ok', what: `the newest loop on disk: ${known.id} (${stageOf(known, project)})` }];
}
