// Runs one check to its end, outside the lock.

import fs from 'node:fs';
import path from 'node:path';
import type { SessionSandbox } from '../../clients/sandbox.ts';
import { replaceFile } from '../../store/files.ts';
import { isOnPath } from '../../store/on-path.ts';
import { below } from '../../store/paths.ts';
import type { Project } from '../project.ts';
import type { CannotRun, Check, CheckEnd } from '../proof/types.ts';
import { outputFiles } from './attempt.ts';
import { Interrupted } from './interrupted.ts';
import { runProgram } from './run.ts';

export type CheckRun = {
  end: CheckEnd;
  why?: CannotRun;
  code: number | null;
  milliseconds: number;
  flaky: boolean;
  tail: string;
};

export type CheckWanted = {
  project: Project;
  /** Whose folder takes its output. */
  attempt: string;
  sandbox: SessionSandbox;
  /** When all work of this stop must have ended. */
  deadline: number;
  whenAskedToEnd(listener: () => void): void;
  /** Called before an interrupted check is ended. */
  interrupted(): Promise<void>;
};

export const logOf = (check: string): string => `.holdfast/checks/${check}.log`;

export async function runCheck(check: Check, wanted: CheckWanted): Promise<CheckRun> {
  const began = Date.now();
  const { project, attempt, sandbox, deadline } = wanted;
  const cannot = (why: CannotRun): CheckRun => ({
    ...{ end: 'cannot-run', why, code: null, milliseconds: Date.now() - began, flaky: false, tail: '' },
  });
  if (sandbox.kind === 'unknown') return cannot('no-sandbox');
  const plain = typeof check.run === 'string' ? ['/bin/sh', '-c', check.run] : check.run;
  const [program = '', ...args] = sandbox.kind === 'wrap' ? sandbox.argv(plain) : plain;
  if (!isOnPath(program, project.env)) return cannot('not-found');
  const files = outputFiles(project, attempt);
  const leftMs = deadline - began;
  for (let tries = 0; ; tries++) {
    const end = await runProgram({
      attempt,
      command: { program, args, env: { CI: '1', HOLDFAST_DISABLE: undefined } },
      cwd: path.join(project.root, check.cwd ?? '.'),
      env: project.env,
      ...files,
      deadlineMs: Math.max(1, Math.min(check.timeout * 1000, leftMs)),
      whenAskedToEnd: wanted.whenAskedToEnd,
      interrupted: wanted.interrupted,
    });
    if (end.kind === 'interrupted') throw new Interrupted();
    if (end.kind === 'missing') return cannot('not-found');
    if (end.kind === 'flooded') return cannot('too-much-output');
    const printed = fs.readFileSync(files.stdout, 'utf8') + fs.readFileSync(files.stderr, 'utf8');
    replaceFile(below(project.root, logOf(check.name)), printed, project.root, 0o600);
    const said = { milliseconds: Date.now() - began, tail: printed.slice(-2000) };
    if (end.kind === 'timed-out')
      return leftMs < check.timeout * 1000
        ? cannot('no-time')
        : { end: 'timed-out', code: null, flaky: false, ...said };
    if (end.code === 127) return cannot('not-found');
    if (end.code === 126) return cannot('not-executable');
    if (end.code === 0) return { end: 'passed', code: 0, flaky: tries > 0, ...said };
    if (tries >= check.retries) return { end: 'failed', code: end.code, flaky: false, ...said };
  }
}
