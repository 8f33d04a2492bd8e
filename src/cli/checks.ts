// The checks behind `doctor`, one function each; those of the clients are in install/client-checks.ts.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '../config/config.ts';
import type { Call } from '../engine/desk.ts';
import { fireHook } from '../engine/fire-hook.ts';
import { notices } from '../engine/notices.ts';
import type { Project } from '../engine/project.ts';
import { runName } from '../engine/visit.ts';
import type { Json } from '../store/json.ts';
import { loadKernelLock } from '../store/kernel-lock.ts';
import { readSidecar } from '../store/sidecars.ts';
import { registry } from '../workflows/registry.ts';
import { checkClients } from './install/client-checks.ts';
import { unusedRuns } from './runs.ts';

/** `fair`: worth knowing, nothing is broken. */
export type Finding = { result: 'good' | 'fair' | 'bad'; what: string; mend: string | null };

export async function checkEverything(call: Call): Promise<Finding[]> {
  const project = await call.existing();
  return [
    checkNode(),
    checkLock(),
    await checkHook(call),
    ...(await checkClients(call)),
    checkDisabled(call),
    ...(await checkConfig(call, project)),
    ...(await checkState(project)),
    ...(await checkUnused(project)),
  ];
}

const good = (what: string): Finding => ({ result: 'good', what, mend: null });
const fair = (what: string, mend: string | null = null): Finding => ({ result: 'fair', what, mend });
const bad = (what: string, mend: string): Finding => ({ result: 'bad', what, mend });

/** This very process would not have come so far on an older one; the hook may find another. */
function checkNode(): Finding {
  return good(`node ${process.versions.node} at ${process.execPath}`);
}

function checkLock(): Finding {
  return loadKernelLock() === null
    ? fair('the kernel lock cannot be loaded on this system; the slower lease of files is used instead')
    : good('the kernel lock works');
}

/** Fires the real launcher where a run's folder is: first with what must be refused, which shows that node runs. */
async function checkHook(call: Call): Promise<Finding> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-doctor-'));
  try {
    const trace = registry[0]?.traces[0];
    if (trace !== undefined) fs.mkdirSync(path.join(folder, trace), { recursive: true });
    // What the launcher says only once per user must be said here again.
    const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'state'), HOLDFAST_DISABLE: undefined };
    const refusal = await fireHook(folder, 'no stop at all', env);
    if (!refusal.includes('Invalid JSON'))
      return bad(
        `the hook does not run: ${refusal.trim().slice(0, 200) || 'it says nothing'}`,
        'install Holdfast again',
      );
    const answer = await fireHook(folder, '{}', env);
    if (answer === '' || answer === (await configNotice(call)))
      return good('the hook answers: it lets go in a folder without a live run');
    return bad(
      `the hook answered what it should not: ${answer.trim().slice(0, 200)}`,
      'install Holdfast again',
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What the hook says of a bad config of the user's, which is a finding of its own. */
async function configNotice(call: Call): Promise<string> {
  const { problems } = await loadConfig(null, call.env);
  return `${JSON.stringify({ systemMessage: problems.map(notices.config).join('\n') })}\n`;
}

function checkDisabled(call: Call): Finding {
  return call.env.HOLDFAST_DISABLE === '1'
    ? fair(
        'HOLDFAST_DISABLE=1 is set: the hook is silent and commands that write refuse',
        'unset HOLDFAST_DISABLE',
      )
    : good('Holdfast is not switched off');
}

async function checkConfig(call: Call, project: Project | null): Promise<Finding[]> {
  const { problems } = project?.config ?? (await loadConfig(call.cwd, call.env));
  if (problems.length === 0) return [good('the config is valid')];
  return problems.map((problem) =>
    bad(problem, 'correct that key; schema/holdfast.config.schema.json describes all of them'),
  );
}

async function checkState(project: Project | null): Promise<Finding[]> {
  if (project === null) return [good('no runs here, so no state to read')];
  const lists = await Promise.all(
    registry.map(async (entry) =>
      (await entry.desk())
        .runs(project)
        .map((summary) => ({ ...summary, name: runName(entry.name, summary.run) })),
    ),
  );
  const runs = lists.flat();
  const broken = runs.flatMap(({ name, detail }) => [
    ...checkRunState(name, detail.unreadable),
    ...checkNotes(name, project),
  ]);
  return broken.length > 0
    ? broken
    : [good(`state and notes of ${runs.length} runs are readable`), ...checkWritable(project)];
}

async function checkUnused(project: Project | null): Promise<Finding[]> {
  const unused = project === null ? [] : await unusedRuns(project);
  return unused.map(({ name, why, fix }) => fair(`${name} is there, but is not used: ${why}`, fix));
}

function checkRunState(name: string, unreadable: Json | undefined): Finding[] {
  if (typeof unreadable !== 'string') return [];
  return [bad(`the state of ${name} cannot be read: ${unreadable}`, 'mend that file, or remove it')];
}

function checkNotes(name: string, project: Project): Finding[] {
  try {
    readSidecar(project.root, name);
    return [];
  } catch (error) {
    return [bad(error instanceof Error ? error.message : String(error), `holdfast adopt ${name}`)];
  }
}

function checkWritable(project: Project): Finding[] {
  try {
    fs.accessSync(project.root, fs.constants.W_OK);
    return [];
  } catch {
    return [
      bad(
        `${project.root} cannot be written`,
        'start the client where you may write, or change the folder’s permissions',
      ),
    ];
  }
}
