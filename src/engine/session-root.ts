// Whether the stops of the session that runs a command will ever find a run in a folder. They are looked for from
// where the session was started; its agent may have gone into another repository, or into a folder without one.

import fs from 'node:fs';
import path from 'node:path';
import { isInsideClient, sessionsOf, startFoldersOf } from '../clients/index.ts';
import type { Environment } from '../store/environment.ts';
import { isInside, realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import { homeFolder } from '../store/user-folders.ts';
import { shellQuote } from '../text/shell.ts';
import type { Runtime } from './context.ts';
import { folderForNewRun, wayUp } from './project.ts';
import { findRootOfCommand, hasRunsOf } from './stop/find-project.ts';
import type { RegistryEntry } from './workflow.ts';
import { NotNow } from './workflow-cli.ts';

/** Bytes that are no UTF-8 become U+FFFD on their way to us, and that is the name of another folder, or of none. */
export function refuseUnnamable(folder: string): void {
  if (folder.includes('\uFFFD') && realPath(folder) === null)
    throw new NotNow(
      `the path of this folder, ${JSON.stringify(folder)}, has bytes in it that are no UTF-8, and no run can be kept there. Rename the folder, and start again in it.`,
    );
}

/**
 * Started in a plain terminal a run waits for the next session in its folder. In the user's home, or at the top of the
 * disk, that is any session, of whatever it is about. A client that was started there says that it is meant.
 */
export function refuseHome(root: string, env: Environment): void {
  if (isInsideClient(env) || fs.existsSync(below(root, '.git'))) return;
  const isTop = path.dirname(root) === root;
  if (!isTop && root !== realPath(homeFolder(env))) return;
  const what = isTop ? 'the top folder of the disk' : 'your home folder, and no git repository';
  throw new NotNow(
    `${root} is ${what}: a run here would wait for any session at all. Go into the project first (cd FOLDER), and start it there.`,
  );
}

/** Where a new run goes so that this session's stops find it; refused where the agent has left the session's project. */
export function rootForNewRun(
  cwd: string,
  traces: readonly string[],
  env: Environment,
  command: string,
): string {
  const root = folderForNewRun(cwd, traces, env);
  const [start] = startsOf(env);
  if (start === undefined || isReached(root, env)) return root;
  const reached = folderForNewRun(start, traces, env);
  // As from a subfolder of a repository: the agent only went deeper.
  if (isWithout(cwd, start)) return reached;
  throw new NotNow(
    `a run in ${root} would never hold this session: it was started in ${start}, and its stops are looked for there. Start the run there: cd ${shellQuote(reached)} && ${command} (or start the client in ${root}).`,
  );
}

/** The project a command is about: where it is run, unless this session's own runs lie where the session was started. */
export function rootOfCommand(cwd: string, workflow: RegistryEntry | null, runtime: Runtime): string | null {
  const { env } = runtime;
  const sessions = sessionsOf(env);
  const isOurs = (root: string): boolean => sessions.some((session) => hasRunsOf(root, session));
  const here = findRootOfCommand(cwd, workflow, runtime);
  if (sessions.length === 0 || (here !== null && isOurs(here))) return here;
  const there = startsOf(env).flatMap((start) => findRootOfCommand(start, workflow, runtime) ?? []);
  return there.find(isOurs) ?? here ?? there[0] ?? null;
}

/** Before a run that lies somewhere already is made this session's. */
export function refuseUnreached(root: string, name: string, env: Environment): void {
  const [start] = startsOf(env);
  if (start === undefined || isReached(root, env)) return;
  throw new NotNow(
    `${name} lies in ${root} and would never hold this session: it was started in ${start}, and its stops are looked for there. To go on with it, start the client where it lies: cd ${shellQuote(root)}`,
  );
}

/** Nothing tells where the session was started, and it may well have been outside of `root`. */
export function isDoubtful(root: string, env: Environment): boolean {
  if (startsOf(env).length > 0) return false;
  if (!fs.existsSync(below(root, '.git'))) return true;
  const above = path.dirname(root);
  return above !== root && wayUp(above, env).some((folder) => fs.existsSync(below(folder, '.git')));
}

/** A folder that is gone tells nothing. */
function startsOf(env: Environment): string[] {
  return startFoldersOf(env, sessionsOf(env)).filter((folder) => realPath(folder) !== null);
}

function isReached(root: string, env: Environment): boolean {
  return startsOf(env).some((start) => wayUp(start, env).includes(realPath(root) ?? root));
}

/** Is `cwd` below `start` with no repository of its own in between? */
function isWithout(cwd: string, start: string): boolean {
  const [here, from] = [realPath(cwd), realPath(start)];
  if (here === null || from === null || !isInside(here, from)) return false;
  for (let folder = here; folder !== from; folder = path.dirname(folder))
    if (fs.existsSync(below(folder, '.git'))) return false;
  return true;
}
