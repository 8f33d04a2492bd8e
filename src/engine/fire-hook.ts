// Fires the real launcher in a folder and tells what it said. For the doctors only: clients do this themselves.

import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Environment } from '../store/environment.ts';

/** The bundle lies in `lib/`, the launcher beside it in `hooks/`. Never rejects: trouble is an answer too. */
export function fireHook(cwd: string, payload: string, env: Environment): Promise<string> {
  const launcher = path.resolve(__dirname, '..', 'hooks', 'stop');
  return new Promise((resolve) => {
    // Not spawn's own timeout: its clock would keep us waiting after a launcher that cannot even be started.
    const signal = AbortSignal.timeout(10_000);
    const child = spawn(launcher, [], { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: unknown): void => {
      output += String(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) =>
      resolve(signal.aborted ? `no answer within 10 seconds. ${output}` : error.message),
    );
    child.on('close', (code) => resolve(code === 0 ? output : `exit code ${code}. ${output}`));
    child.stdin.on('error', () => {}); // The launcher may leave without reading.
    child.stdin.end(payload);
  });
}
