// Fires the real hook and the real CLI, as built, with an environment of their own: in real processes, or, in the fast
// and crash suites, the launcher in a real one and what it starts inside the test's own (inside.ts).

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { decodeStop } from '../../src/clients/index.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { type InsideCall, runInside } from './inside.ts';
import { runInShell } from './shell.ts';

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
  /** In a real process, whatever the suite does otherwise. */
  real?: boolean;
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
  const ran = await runHook(cwd, { ...options, stdin });
  return { ...ran, answer: ran.stdout === '' ? null : JSON.parse(ran.stdout) };
}

function asSent(payload: object): object {
  return decodeStop({ ...payload }, null).stop.client === 'unknown'
    ? { prompt_id: 'p1', ...payload }
    : payload;
}

async function runHook(cwd: string, options: RunOptions & { stdin: string }): Promise<Ran> {
  const { args = [], plugin: build = plugin, stdin } = options;
  const launcher = path.join(build, 'hooks', 'stop');
  if (!goesInside(options)) return run(launcher, args, cwd, options);
  const env = { ...cleanEnvironment(cwd), ...options.env };
  if (!fs.existsSync(cwd)) return run(launcher, args, cwd, options);
  const launched = await runInShell(launcher, args, cwd, { ...env, HOLDFAST_NODE: LAUNCHED });
  const [mark, folder, certificates, ...words] = launched.stdout.split('\0');
  if (mark !== MARK || folder === undefined) return launched;
  // Node's own flags, our file, the role; then what the hook was called with.
  const given = words.slice(words.findIndex((word) => word.endsWith('/lib/entry.cjs')) + 2, -1);
  const call: InsideCall = {
    file: 'hook.cjs',
    plugin: build,
    args: given,
    cwd: folder,
    // As the launcher leaves it.
    env: { ...env, NODE_EXTRA_CA_CERTS: undefined, HOLDFAST_EXTRA_CA_CERTS: certificates || undefined },
    stdin,
  };
  return (await insideOf(call)) ?? run(launcher, args, cwd, options);
}

export async function runCli(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { plugin: build = plugin, stdin = '' } = options;
  const env = { ...cleanEnvironment(cwd), ...options.env };
  const call = { file: 'cli.cjs', plugin: build, args, cwd, env, stdin } as const;
  const ran = goesInside(options) && !staysOutside(args) ? await insideOf(call) : null;
  return ran ?? run(path.join(build, 'bin', 'holdfast'), args, cwd, options);
}

/** Commands that wait, follow, or start what outlives them; and the status line, which has a file of its own. */
const staysOutside = ([command = '', flag]: readonly string[]): boolean =>
  OUTSIDE.has(command) || flag === '--line';
const OUTSIDE = new Set(['demo', 'export', 'hook', 'log', 'notify', 'run', 'wait', 'watch', 'web']);

/** Stands in for node at the end of the launcher: says where and with what words node would have been started. */
const LAUNCHED = path.resolve(import.meta.dirname, '../fixtures/launched');
const MARK = 'launched';

/**
 * HOLDFAST_TEST_INSIDE=1 is set for the fast suites (vitest.config.ts); 0 has all of them use real
 * processes. What is for node itself needs a node of its own, and a build that was broken on purpose may never end.
 */
function goesInside({ real = isReal, env = {}, plugin: build = plugin }: RunOptions): boolean {
  const isForNode = 'HOLDFAST_NODE' in env || 'NODE_OPTIONS' in env;
  return process.env.HOLDFAST_TEST_INSIDE === '1' && !real && !isForNode && SOUND.has(build);
}

const SOUND = new Set([plugin, toyPlugin]);

let isReal = false;

/** For a file of tests that is about the launcher, or about what node loads. */
export function inRealProcesses(): void {
  beforeAll(() => {
    isReal = true;
  });
  afterAll(() => {
    isReal = false;
  });
}

function insideOf(call: InsideCall): Promise<Ran | null> | null {
  return fs.existsSync(call.cwd) ? runInside(call) : null;
}

/** What every test process starts from: PATH and a HOME without anything in it. */
export function cleanEnvironment(cwd: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: path.join(path.dirname(cwd), 'home'), LANG: 'C.UTF-8' };
}

/** A busy machine takes ten times as long: only what never ends is ended, before the test's own time is over. */
const PATIENCE_MS = 240_000;

export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  options: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { ...cleanEnvironment(cwd), ...options.env };
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? PATIENCE_MS);
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
