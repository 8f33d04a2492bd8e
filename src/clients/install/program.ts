// Starts a client's own program, waits for it with a limit and says how it ended. Nothing goes through a shell.

import { execFile } from 'node:child_process';
import { isMissing, withoutProjectOnPath } from '../../store/on-path.ts';
import { shellQuote } from '../../text/shell.ts';
import { lastLineOf } from '../headless/trouble.ts';

/** A client did not do what it was asked: the message says so in its own words. */
export class ClientFailed extends Error {
  override readonly name = 'ClientFailed';
}

/** By name, not by class: each file of the bundle has its own copy of the class. */
export function isClientFailed(error: unknown): error is ClientFailed {
  return error instanceof Error && error.name === 'ClientFailed';
}

/** One command that changes a client. `mayFail`: what it undoes may not be there. */
export type Step = {
  program: string;
  args: readonly string[];
  cwd: string;
  mayFail?: boolean;
};

export type Ended = { ok: boolean; stdout: string; stderr: string };

/** A first start of a client unpacks and looks around; none measured took over 4 s. */
const LIMIT_MS = 60_000;

/** Null: there is no such program on PATH. */
export function runProgram(program: string, args: readonly string[], cwd: string): Promise<Ended | null> {
  const env = withoutProjectOnPath(process.env, process.cwd());
  return new Promise((resolve) => {
    const child = execFile(program, [...args], { cwd, env, timeout: LIMIT_MS }, (error, stdout, stderr) => {
      if (isMissing(error, program, env)) resolve(null);
      else resolve({ ok: error === null, stdout, stderr: stderr || (error?.message ?? '') });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end();
  });
}

/** Carries out the steps in order; the first that fails ends it, in the client's own words. */
export async function carryOutSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const ended = await runProgram(step.program, step.args, step.cwd);
    if (ended?.ok || step.mayFail) continue;
    throw new ClientFailed(`\`${asCommand(step)}\` failed: ${ended === null ? 'not found' : saidBy(ended)}`);
  }
}

export function asCommand({ program, args }: Pick<Step, 'program' | 'args'>): string {
  return [program, ...args.map((arg) => (/^[\w@./:=-]+$/.test(arg) ? arg : shellQuote(arg)))].join(' ');
}

/** What a failed program said, on one line: the last it wrote on stderr, else on stdout. */
export function saidBy({ stdout, stderr }: Ended): string {
  return lastLineOf(`${stdout}\n${stderr}`).replace(/^\u2718\s*/u, '') || 'it said nothing';
}
