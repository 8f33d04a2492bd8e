// What the clients call: `hook stop` and the other events, each with `--client NAME` where the client cannot be
// known from what it sends, and `--limit N`: the time limit that the same hooks file gives the hook, as it stands there.

import fs from 'node:fs';
import { clients, isClientName } from '../clients/index.ts';
import { messageOf } from '../text/message-of.ts';
import { plainText } from '../text/printable.ts';
import type { HookResult } from './call.ts';
import { events } from './events.ts';
import { runtimeHere } from './runtime.ts';
import { readStdin } from './stdin.ts';

/** Ends the process, with what is to be done at its end. */
type Leave = (exitCode: number, held: boolean) => void;

export async function main(args: readonly string[], leave: Leave): Promise<void> {
  if (process.env.HOLDFAST_DISABLE === '1') return;
  const result = await answer(args);
  if (result.stderr !== '') fs.writeSync(2, plainText(result.stderr));
  if (result.stdout !== '') writeAll(result.stdout);
  if (result.afterwards !== undefined) await quietly(result.afterwards);
  leave(result.exitCode, result.held === true);
}

async function answer(args: readonly string[]): Promise<HookResult> {
  try {
    const named = namedClient(args);
    const limitS = namedLimit(args);
    const event = namedEvent(args);
    return await event({ input: readStdin(), named, runtime: runtimeHere(), limitS });
  } catch (error) {
    // The other events answer nothing that could be allowed.
    const isOther = Object.keys(events).some((name) => name !== 'stop' && args.includes(name));
    const then = isOther ? '' : ' The stop is allowed.';
    return { stdout: '', stderr: `Holdfast: ${messageOf(error)}.${then}\n`, exitCode: 1 };
  }
}

/** The answer is out: nothing that fails now is the client's concern. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // As said above.
  }
}

function namedEvent(args: readonly string[]) {
  const takesWord = new Set(['--client', '--limit']);
  const name =
    args.find((word, position) => !word.startsWith('-') && !takesWord.has(args[position - 1] ?? '')) ??
    'stop';
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  if (event !== undefined) return event;
  throw new Error(`there is no hook "${name}"; there are ${Object.keys(events).join(', ')}`);
}

function namedClient(args: readonly string[]): string | null {
  const position = args.indexOf('--client');
  if (position < 0) return null;
  const name = args[position + 1] ?? '';
  if (isClientName(name)) return name;
  const names = clients.map((client) => client.name).join(', ');
  throw new Error(`there is no client "${name}"; --client takes one of ${names}`);
}

function namedLimit(args: readonly string[]): number | null {
  const position = args.indexOf('--limit');
  if (position < 0) return null;
  const limit = args[position + 1] ?? '';
  if (/^[1-9]\d{0,9}$/.test(limit)) return Number(limit);
  throw new Error(`"${limit}" is no time limit; --limit takes the hook's timeout as its hooks file names it`);
}

/** The answer, once and whole: a pipe may take it in pieces. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length; ) {
    try {
      written += fs.writeSync(1, bytes, written);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EPIPE') return; // The client is gone; what was decided is written down.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
