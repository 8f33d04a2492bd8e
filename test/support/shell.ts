// One small shell for all launchers of a test worker. A worker grows to hundreds of megabytes, and each program that it
// starts itself costs it a copy of its page tables: more than the launcher takes.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Ran } from './hook.ts';
import { makeSuiteFolder } from './suite-folder.ts';

type Shell = { process: ChildProcessByStdio<Writable, Readable, null>; folder: string };
let shell: Shell | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Starts the program without input, in this folder, with these words and this environment alone. */
export function runInShell(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ran> {
  const ran = last.then(() => runNow(program, args, cwd, env));
  last = ran.catch(() => {});
  return ran;
}

async function runNow(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ran> {
  const { process: child, folder } = openShell();
  const [stdout, stderr] = ['stdout', 'stderr'].map((name) => path.join(folder, name)) as [string, string];
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const words = ['env', '-i', ...given, program, ...args].map(quoted).join(' ');
  const line = `(cd ${quoted(cwd)} && exec ${words}) </dev/null >${quoted(stdout)} 2>${quoted(stderr)}; echo $?\n`;
  const code = new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
  child.stdin.write(line);
  const exitCode = Number(await code);
  return { exitCode, stdout: fs.readFileSync(stdout, 'utf8'), stderr: fs.readFileSync(stderr, 'utf8') };
}

/** It ends with the worker, which alone writes to it. */
function openShell(): Shell {
  if (shell !== undefined) return shell;
  const folder = makeSuiteFolder('shell-');
  const child = spawn('/bin/sh', [], { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  for (const each of [child, child.stdin, child.stdout]) (each as unknown as { unref(): void }).unref();
  shell = { process: child, folder };
  return shell;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
