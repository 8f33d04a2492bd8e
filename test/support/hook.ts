// Fires the real hook and the real CLI, as built, in real processes with an environment of their own.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { decodeStop } from '../../src/clients/index.ts';

/** The plugin as built, which the tests use. */
export const plugin =
  process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');

export type Ran = { exitCode: number | null; stdout: string; stderr: string };

/** `answer` is what stdout holds, when it holds anything. */
export type Fired = Ran & { answer: HookAnswer | null };

export type HookAnswer = {
  decision?: string;
  reason?: string;
  systemMessage?: string;
  suppressOutput?: boolean;
};

export type RunOptions = {
  env?: Record<string, string | undefined>;
  args?: readonly string[];
  stdin?: string;
  timeoutMs?: number;
  /** The launcher or CLI of another build. */
  plugin?: string;
};

/**
 * The payload is sent as JSON unless it is text already. Without a session id the stop is fired by hand; one with an id
 * and no client's mark is sent as Claude Code sends it, since no client leaves its mark out. Text is sent as it is.
 */
export async function fireHook(
  cwd: string,
  payload: object | string,
  options: RunOptions = {},
): Promise<Fired> {
  const stdin = typeof payload === 'string' ? payload : JSON.stringify(asSent(payload));
  const launcher = path.join(options.plugin ?? plugin, 'hooks', 'stop');
  const ran = await run(launcher, options.args ?? [], cwd, { ...options, stdin });
  return { ...ran, answer: ran.stdout === '' ? null : JSON.parse(ran.stdout) };
}

function asSent(payload: object): object {
  return decodeStop({ ...payload }, null).stop.client === 'unknown'
    ? { prompt_id: 'p1', ...payload }
    : payload;
}

export function runCli(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(path.join(options.plugin ?? plugin, 'bin', 'holdfast'), args, cwd, options);
}

/** What every test process starts from: PATH and a HOME without anything in it. */
export function cleanEnvironment(cwd: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: path.join(path.dirname(cwd), 'home'), LANG: 'C.UTF-8' };
}

export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  options: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { ...cleanEnvironment(cwd), ...options.env };
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 15_000);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => {}); // The launcher may leave without reading.
    child.stdin.end(options.stdin ?? '');
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
  });
}
