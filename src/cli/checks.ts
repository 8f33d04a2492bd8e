// The checks behind `doctor`, one function each; those of the clients are beside their installation.

import fs from 'node:fs';
import path from 'node:path';
import { CONFIG_NAME, loadConfig, userConfigPath } from '../config/config.ts';
import { changedSettings } from '../config/settings.ts';
import { fireHook } from '../engine/fire-hook.ts';
import type { Project } from '../engine/project.ts';
import { notices } from '../engine/stop/notices.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { loadKernelLock } from '../store/kernel-lock.ts';
import { realPath } from '../store/open.ts';
import { below } from '../store/paths.ts';
import { makeStageFolder } from '../store/stage-folder.ts';
import { troubleWith } from '../store/trouble.ts';
import { userStateFolder } from '../store/user-state.ts';
import { messageOf } from '../text/message-of.ts';
import { shellQuote } from '../text/shell.ts';
import { allRuns, unusedBeside } from '../view/runs.ts';
import { hiddenRuns, troublesIn } from '../view/troubles.ts';
import { registry } from '../workflows/registry.ts';
import { bad, type Finding, fair, good } from './finding.ts';
import { checkClients } from './install/client-checks.ts';
import { commandOnPath, ownCommands, PATH_LINE } from './install/command.ts';
import { checkProof } from './proof-checks.ts';
import { checkReviewers } from './reviewer-checks.ts';

export async function checkEverything(call: Call): Promise<Finding[]> {
  const project = await call.existing();
  return [
    checkNode(),
    checkLock(),
    await checkHook(call),
    ...(await checkClients(call)),
    ...checkByteCode(call),
    checkCommand(call),
    checkDisabled(call),
    ...(await checkConfig(call, project)),
    ...(await checkReviewers(call, project?.config ?? (await loadConfig(null, call.env)))),
    ...(await checksHere(call, project)),
    ...(await checkState(call, project)),
    ...(await checkUnused(project)),
  ];
}

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
  const folder = makeStageFolder('doctor', call.env);
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

/** What entry.cjs has set aside, which it keeps for a week. */
function checkByteCode({ env }: Call): Finding[] {
  const folder = realPath(below(userStateFolder(env), 'code'));
  if (folder === null || !fs.statSync(folder).isDirectory()) return [];
  const damaged = fs.readdirSync(folder).filter((name) => name.startsWith('damaged-'));
  if (damaged.length === 0) return [];
  const count = damaged.length === 1 ? 'one file' : `${damaged.length} files`;
  return [
    fair(
      `byte code kept in ${folder} was damaged (${count}); it was set aside and made again`,
      `if this comes back, check the disk; to forget it: rm ${shellQuote(folder)}/damaged-*`,
    ),
  ];
}

/** Agents find it by themselves; this is for the user's own shell. */
function checkCommand({ env }: Call): Finding {
  const found = commandOnPath(env);
  if (found?.ours === true) return good(`the command \`holdfast\` on PATH is ours: ${found.file}`);
  if (found !== null)
    return fair(`the command \`holdfast\` on PATH is another program: ${found.file}`, `rename ${found.file}`);
  const [script] = ownCommands(env);
  return script === undefined
    ? fair('the command `holdfast` is not on PATH', `${cliCommand()} install`)
    : fair(`${script} is there, but its folder is not on PATH`, `add to your shell's profile: ${PATH_LINE}`);
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
  const root = project?.root ?? call.cwd;
  const config = project?.config ?? (await loadConfig(root, call.env));
  const fix = 'correct that key; schema/holdfast.config.schema.json describes all of them';
  const problems = config.problems.map((problem) =>
    // A newer Holdfast may know the key, and everything else in the file holds.
    config.unknownKeys.includes(problem) ? fair(problem, fix) : bad(problem, fix),
  );
  const files = { user: userConfigPath(call.env), project: path.join(root, CONFIG_NAME) };
  const changed = changedSettings(config).map(({ key, value, from }) =>
    good(`setting ${key}: ${JSON.stringify(value)} (${from}: ${files[from]})`),
  );
  return [...(problems.length === 0 ? [good('the config is valid')] : problems), ...changed];
}

/** Also where no run was yet: whoever sets up checks does that before the first one. */
async function checksHere(call: Call, project: Project | null): Promise<Finding[]> {
  try {
    return checkProof(project ?? (await call.forNewRun()));
  } catch (error) {
    return [fair(messageOf(error))];
  }
}

async function checkState(call: Call, project: Project | null): Promise<Finding[]> {
  if (project === null) {
    const hidden = hiddenRuns(call);
    return [hidden === null ? good('no runs here, so no state to read') : bad(hidden.what, hidden.fix)];
  }
  const runs = await allRuns(project);
  const ofRuns = runs.flatMap(({ name, stateTrouble, notesTrouble }) => [
    ...(stateTrouble === null
      ? []
      : [{ ...stateTrouble, what: `the state of ${name} cannot be read: ${stateTrouble.what}` }]),
    ...(notesTrouble === null ? [] : [notesTrouble]),
  ]);
  const named = runs.flatMap(({ stateTrouble }) => stateTrouble?.what ?? []);
  const others = (await troublesIn(project)).filter(({ what }) => !named.includes(what));
  const troubles = [...ofRuns, ...others];
  const findings = troubles
    .filter(({ what }, position) => troubles.findIndex((other) => other.what === what) === position)
    .map(({ what, fix }) => bad(what, fix));
  return [
    ...(findings.length > 0
      ? findings
      : [good(`state and notes of ${runs.length} ${runs.length === 1 ? 'run' : 'runs'} are readable`)]),
    ...checkWritable(project),
  ];
}

function checkWritable({ root }: Project): Finding[] {
  const trouble = troubleWith(root, root, 'folder', 'replace');
  return trouble === null ? [] : [bad(trouble.what, trouble.fix)];
}

async function checkUnused(project: Project | null): Promise<Finding[]> {
  const unused = await unusedBeside(project === null ? [] : await troublesIn(project), project);
  return unused.map(({ name, why, fix }) => fair(`${name} is there, but is not used: ${why}`, fix));
}
