// Starts a program in an environment of its own, with a time limit, and sees to it that it ends.

import { type ChildProcess, spawn } from 'node:child_process';

export type Ended = { exitCode: number | null; signal: string | null; stdout: string; stderr: string };

export type Program = {
  child: ChildProcess;
  pid: number;
  /** Lines of standard output so far. */
  lines: string[];
  /** The first line, seen or to come, that the test accepts. */
  line(test: (line: string) => boolean, from?: number): Promise<string>;
  write(text: string): void;
  endInput(): void;
  ended: Promise<Ended>;
};

export type Start = {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  limitMs?: number;
};

export const LIMIT_MS = 60_000;

export function start({ program, args, cwd, env, limitMs = LIMIT_MS }: Start): Program {
  // A group of its own, so that the limit also ends what the client started.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let stdout = '';
  let stderr = '';
  let late = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const all = waiting;
    waiting = [];
    for (const one of all) one();
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    lines.splice(0, lines.length, ...stdout.split('\n').slice(0, -1));
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {}); // It may have ended without reading.
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, limitMs);
  let over = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      over = true;
      wake();
      if (late)
        reject(new Error(`${program} did not end within ${limitMs} ms\n${tail(stdout)}\n${tail(stderr)}`));
      else resolve({ exitCode, signal, stdout, stderr });
    });
  });
  ended.catch(() => {}); // Whoever awaits it sees the error.
  return {
    child,
    pid: child.pid ?? -1,
    lines,
    async line(test, from = 0) {
      for (;;) {
        const found = lines.slice(from).find(test);
        if (found !== undefined) return found;
        if (over)
          throw new Error(`${program} ended before the awaited line\n${tail(stdout)}\n${tail(stderr)}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    ended,
  };
}

export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/** Waits for something that has no event of its own. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false,
  limitMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const tail = (text: string): string => text.slice(-3000);
