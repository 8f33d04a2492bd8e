// Runs a check: its command as the user wrote it, in the sandbox of the session, again after a failure where the user
// says so. Nothing but its log is kept here; what it said is whoever asked's to keep.

import fs from 'node:fs';
import path from 'node:path';
import type { SessionSandbox } from '../../clients/sandbox.ts';
import type { Environment } from '../../store/environment.ts';
import { putFile } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { messageOf } from '../../text/message-of.ts';
import { folderOfCheck } from '../proof/definition.ts';
import type { CannotRun, Check } from '../proof/types.ts';
import { openBounded } from './bounded-output.ts';
import { type CheckRun, type CheckWanted, logOf } from './check.ts';
import { checkEnvironment } from './environment.ts';
import { failingLines } from './failing-lines.ts';
import { Interrupted } from './interrupted.ts';
import { readFrom, withNewOutput } from './output.ts';
import { FLOODED, MOST_PRINTED, type ProgramEnd, runProgram } from './run.ts';
import { asShown, tailOf } from './tail.ts';

/** For the watcher, which loads the built file that this one becomes (run.ts). */
export { endProgram } from '../../processes/end.ts';

export async function run(check: Check, wanted: CheckWanted): Promise<CheckRun> {
  const begun = Date.now();
  const cwd = folderOfCheck(check, wanted.project.root);
  const env = checkEnvironment(wanted.project.env);
  const why = whyNotAtAll(check, cwd, env, wanted.sandbox);
  if (why !== null || cwd === null) return cannotRun(why ?? 'no-folder', begun);
  try {
    for (let left = check.retries; ; left--) {
      const once = await runOnce(check, { ...wanted, cwd, programEnv: env });
      if (once.end === 'passed')
        return { ...once, flaky: left < check.retries, milliseconds: Date.now() - begun };
      const isFinal = once.end === 'cannot-run' || left <= 0 || Date.now() >= wanted.deadline;
      if (isFinal) return { ...once, milliseconds: Date.now() - begun };
    }
  } finally {
    endSandbox(wanted.sandbox);
  }
}

/** What cannot be taken away now, the next check or command takes away. */
function endSandbox(sandbox: SessionSandbox): void {
  try {
    if (sandbox.kind === 'wrap') sandbox.end?.();
  } catch {
    // As said above.
  }
}

function whyNotAtAll(
  { run: command }: Check,
  cwd: string | null,
  env: Environment,
  sandbox: SessionSandbox,
): CannotRun | null {
  if (sandbox.kind === 'unknown') return 'no-sandbox';
  if (cwd === null) return 'no-folder';
  const missing = typeof command === 'string' ? null : whyNotStarted(command[0] ?? '', cwd, env);
  return missing;
}

type Here = CheckWanted & { cwd: string; programEnv: Environment };

async function runOnce(check: Check, here: Here): Promise<CheckRun> {
  const begun = Date.now();
  const limitMs = Math.min(check.timeout * 1000, here.deadline - begun);
  if (limitMs <= 0) return cannotRun('no-time', begun);
  const { end, printed, unkept } = await withNewOutput(here.project, here.attempt, async (output) => {
    const { end, lost } = await startBounded(commandOf(check, here.cwd), limitMs, output, here);
    return { end, printed: readEnd(output), unkept: keepLog(check, output, here) ?? lost };
  });
  const tail = tailOf(printed);
  const said = {
    ...{ milliseconds: Date.now() - begun, flaky: false },
    tail: end.kind === 'exited' && end.code === 0 ? tail : failingLines(asShown(printed), MOST_SAID),
    ...(unkept === null ? {} : { unkept }),
  };
  switch (end.kind) {
    case 'interrupted':
      throw new Interrupted();
    case 'missing':
      return cannotRun(here.sandbox.kind === 'wrap' ? 'no-sandbox' : 'not-found', begun, said);
    case 'flooded':
      return cannotRun('too-much-output', begun, said);
    case 'timed-out':
      // Cut off by the stop, not by its own limit: nobody knows what it would have said.
      if (limitMs < check.timeout * 1000) return cannotRun('no-time', begun, said);
      return { end: 'timed-out', code: null, ...said };
    case 'exited': {
      if (end.code === 0) return { end: 'passed', code: 0, ...said };
      const why = whyShellGaveUp(check, end.code, tail, here) ?? (await whyNoSandbox(tail, here));
      return why === null ? { end: 'failed', code: end.code, ...said } : cannotRun(why, begun, said);
    }
  }
}

function cannotRun(
  why: CannotRun,
  begun: number,
  said: Pick<CheckRun, 'tail' | 'unkept'> = { tail: '' },
): CheckRun {
  return { ...said, end: 'cannot-run', why, code: null, milliseconds: Date.now() - begun, flaky: false };
}

/** A program with a slash in its name is looked for where the check runs, not where we do. */
function commandOf({ run: command }: Check, cwd: string): readonly string[] {
  if (typeof command === 'string') return ['/bin/sh', '-c', command];
  const [program = '', ...args] = command;
  return [program.includes('/') ? path.resolve(cwd, program) : program, ...args];
}

type Ended = {
  end: ProgramEnd;
  /** Why not all that it printed could be written. */
  lost: string | null;
};

async function startBounded(
  command: readonly string[],
  deadlineMs: number,
  output: number,
  here: Here,
): Promise<Ended> {
  const bounded = openBounded(here.project, here.attempt, output, MOST_PRINTED);
  if (bounded === null) return { end: await start(command, deadlineMs, output, here), lost: null };
  let lost: string | null = null;
  const end = await start(command, deadlineMs, bounded.input, here, bounded.hasFlooded).finally(() => {
    lost = bounded.finish();
  });
  return { end: end.kind === 'exited' && bounded.hasFlooded() ? FLOODED : end, lost };
}

async function start(
  command: readonly string[],
  deadlineMs: number,
  output: number,
  here: Here,
  hasFlooded?: () => boolean,
): Promise<ProgramEnd> {
  const { project, attempt, cwd, programEnv, whenAskedToEnd, interrupted } = here;
  const [program = '', ...args] = inSandbox(command, here.sandbox) ?? [];
  return runProgram({
    ...{ attempt, command: { program, args }, cwd, programEnv, env: project.env, deadlineMs },
    // One file for both, so that the log reads as a terminal would have shown it.
    ...{ stdout: output, stderr: output, hasFlooded },
    ...{ whenAskedToEnd, interrupted },
  });
}

/** Null where the sandbox cannot be made now: then nothing is started. */
function inSandbox(command: readonly string[], sandbox: SessionSandbox): readonly string[] | null {
  if (sandbox.kind !== 'wrap') return command;
  try {
    return sandbox.argv(command);
  } catch {
    return null;
  }
}

/**
 * A shell's 127 and 126 mean that it could not start a program, but also whatever a program means by them. So the shell
 * must have said it of the first word, and it must be so.
 */
function whyShellGaveUp(
  { run: command }: Check,
  code: number,
  tail: string,
  { cwd, programEnv }: Here,
): CannotRun | null {
  if (typeof command !== 'string' || (code !== 127 && code !== 126)) return null;
  const word = /^\s*(?:\w+=[^\s'"`$]*\s+)*([^\s;|&()<>$`'"\\*?#~=]+)/.exec(command)?.[1];
  if (word === undefined) return null;
  const isSaid = tail.split('\n').some((line) => /^(?:\S*\/)?sh: /.test(line) && line.includes(word));
  return isSaid ? whyNotStarted(word, cwd, programEnv) : null;
}

/** Null: it can be started. */
function whyNotStarted(program: string, cwd: string, env: Environment): CannotRun | null {
  const places = program.includes('/')
    ? [path.resolve(cwd, program)]
    : (env.PATH ?? '')
        .split(':')
        .filter((folder) => folder.startsWith('/'))
        .map((folder) => below(folder, program));
  const files = places.filter((place) => isFile(place));
  if (program === '' || files.length === 0) return 'not-found';
  return files.some(isExecutable) ? null : 'not-executable';
}

function isFile(place: string): boolean {
  try {
    return fs.statSync(place).isFile();
  } catch {
    return false;
  }
}

function isExecutable(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const PROBE_CODE = 42;
const PROBE_MS = 20_000;

/** Was it the check that failed, or the sandbox around it? Its exit code and its words may be either's: it is tried. */
async function whyNoSandbox(tail: string, here: Here): Promise<CannotRun | null> {
  if (here.sandbox.kind !== 'wrap') return null;
  // All that was said: what it was to hide was gone by the time it started, and is not looked for when it is tried again.
  if (/^bwrap: Can't [^\n]*$/.test(tail)) return 'no-sandbox';
  const end = await withNewOutput(here.project, here.attempt, (output) =>
    start(['/bin/sh', '-c', `exit ${PROBE_CODE}`], PROBE_MS, output, here),
  );
  if (end.kind === 'interrupted') throw new Interrupted();
  return end.kind === 'exited' && end.code === PROBE_CODE ? null : 'no-sandbox';
}

/** More than this of a log is for no reader, and would be written at each claim. */
const KEPT_AT_MOST = 4 * 1024 * 1024;

/** For people. A log that cannot be kept must not cost what the check said. Null: it is kept, else why it is not. */
function keepLog(check: Check, output: number, { project }: Here): string | null {
  const { root } = project;
  const { size } = fs.fstatSync(output);
  const kept = readFrom(output, Math.max(0, size - KEPT_AT_MOST), KEPT_AT_MOST);
  const missing = size - kept.length;
  const text =
    missing > 0 ? Buffer.concat([Buffer.from(`(${missing} bytes before this are left out)\n`), kept]) : kept;
  try {
    putFile(below(root, logOf(check.name)), text, root, 0o600);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** The first failure of a long suite may stand far from its end. */
const READ_AT_MOST = 1024 * 1024;
const MOST_SAID = 2000;

function readEnd(output: number): string {
  const { size } = fs.fstatSync(output);
  return readFrom(output, Math.max(0, size - READ_AT_MOST), READ_AT_MOST).toString('utf8');
}
