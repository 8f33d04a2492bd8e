// `holdfast web` as a user starts it: the built command, in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, plugin } from '../support/hook.ts';

export type WebCommand = {
  address: string;
  /** All it printed so far. */
  printed(): string;
  /** Megabytes of memory that it uses right now. */
  megabytes(): number;
  end(): Promise<number | null>;
};

export async function startWeb(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<WebCommand> {
  const child = spawn(path.join(plugin, 'bin', 'holdfast'), ['web', ...args], {
    cwd,
    env: { ...cleanEnvironment(cwd), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const end = (): Promise<number | null> => {
    child.kill('SIGINT');
    return ended;
  };
  onTestFinished(async () => void (await end()));
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.on('close', () => reject(new Error(`it ended: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const [found] = /http:\S+/.exec(text) ?? [];
      if (found !== undefined && text.includes('^C')) resolve(found);
    });
  });
  return { address, printed: () => text, megabytes: () => megabytesOf(child), end };
}

function megabytesOf({ pid }: ChildProcess): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
