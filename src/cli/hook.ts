// What the clients call: `hook stop`, `hook pre-compact`, `hook session-start`, each with `--client NAME`
// where the client cannot be told from what it sends.

import fs from 'node:fs';
import type { ClientName } from '../clients/stop.ts';
import { machineryHere } from './here.ts';
import { readStdin } from './stdin.ts';
import { type HookResult, stopHook } from './stop.ts';

export async function main(args: readonly string[]): Promise<void> {
  const [event = 'stop'] = args.filter((word) => !word.startsWith('-') && !isClientName(word));
  if (process.env.HOLDFAST_DISABLE === '1') return;
  const ending = new AbortController();
  // Only a review takes long enough to be ended; it is then marked, ended and left for the next stop.
  process.on('SIGTERM', () => ending.abort());
  process.on('SIGINT', () => ending.abort());
  const result = await answer(event, args, ending.signal);
  if (result.stderr !== '') fs.writeSync(2, result.stderr);
  if (result.stdout !== '') writeAll(result.stdout);
  process.exit(result.exitCode);
}

async function answer(event: string, args: readonly string[], stopping: AbortSignal): Promise<HookResult> {
  try {
    const input = readStdin();
    const machinery = machineryHere(stopping);
    if (event === 'stop') return await stopHook(input, namedClient(args), machinery);
    const { sessionHook } = await import('./session-hooks.ts');
    return await sessionHook(event, input, namedClient(args), machinery);
  } catch (error) {
    return { stdout: '', stderr: `Holdfast: ${String(error)}. The stop is allowed.\n`, exitCode: 1 };
  }
}

function namedClient(args: readonly string[]): ClientName | null {
  const position = args.indexOf('--client');
  const name = position < 0 ? undefined : args[position + 1];
  return name !== undefined && isClientName(name) ? name : null;
}

function isClientName(word: string): word is ClientName {
  return word === 'claude-code' || word === 'codex' || word === 'generic';
}

/** The answer, once and whole: a pipe may take it in pieces. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length; ) {
    try {
      written += fs.writeSync(1, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
