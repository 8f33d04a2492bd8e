// A stop that is fired and not waited for: to look at it, or to end it, in the middle.

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const hook = path.resolve(import.meta.dirname, '../../dist/holdfast/hooks/stop');

export type BegunStop = { child: ChildProcess; ended: Promise<string> };

export function beginStop({ root, home }: { root: string; home: string }, payload: object): BegunStop {
  const child = spawn(hook, [], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(JSON.stringify(payload));
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  return { child, ended: new Promise((resolve) => child.on('close', () => resolve(printed))) };
}
