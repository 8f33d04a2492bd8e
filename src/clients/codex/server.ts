// A short talk with Codex's own app-server over its stdio: one JSON object a line, a request each, then it is
// ended. It is how Codex's own front ends read and record which hooks are trusted.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isObject, parseJson } from '../../store/json.ts';
import { ClientFailed } from '../install/program.ts';

export type Ask = (method: string, params: object) => Promise<unknown>;

/** One answer took 0.3 s at most (Codex 0.166.0). */
const LIMIT_MS = 15_000;
const LEAVES_WITHIN_MS = 2_000;

/** Throws ClientFailed when Codex does not answer, or answers with an error. */
export async function talkToCodex<T>(cwd: string, talk: (ask: Ask) => Promise<T>): Promise<T> {
  const child = spawn('codex', ['app-server'], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.resume();
  child.stdin.on('error', () => {});
  const ask = asker(child);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ClientFailed('`codex app-server` did not answer in time.')),
      LIMIT_MS,
    );
  });
  try {
    return await Promise.race([conversation(child, ask, talk), tooLate]);
  } finally {
    clearTimeout(timer);
    await end(child);
    // What it may have left running must not keep this process waiting.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

async function conversation<T>(
  child: ChildProcessWithoutNullStreams,
  ask: Ask,
  talk: (ask: Ask) => Promise<T>,
): Promise<T> {
  const clientInfo = { name: 'holdfast', title: 'Holdfast', version: '1' };
  await ask('initialize', { clientInfo, capabilities: null });
  child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
  return talk(ask);
}

type Waiting = { method: string; resolve(result: unknown): void; reject(error: Error): void };

function asker(child: ChildProcessWithoutNullStreams): Ask {
  const waiting = new Map<number, Waiting>();
  const failAll = (why: string): void => {
    for (const { method, reject } of waiting.values())
      reject(new ClientFailed(`Codex did not answer ${method}: ${why}.`));
    waiting.clear();
  };
  child.on('error', (error) => failAll(error.message));
  child.on('close', () => failAll('`codex app-server` ended'));
  onLines(child, (line) => {
    const message = parseJson(line);
    // Notifications and the server's own requests have no place in so short a talk.
    if (!isObject(message) || typeof message.id !== 'number' || 'method' in message) return;
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message)
      asked?.reject(new ClientFailed(`Codex refused ${asked.method}: ${reason(message.error)}`));
    else asked?.resolve(message.result);
  });
  let last = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { method, resolve, reject });
      if (child.exitCode !== null || child.pid === undefined) failAll('`codex app-server` is not running');
      else child.stdin.write(`${JSON.stringify({ id: last, method, params })}\n`);
    });
}

function onLines(child: ChildProcessWithoutNullStreams, take: (line: string) => void): void {
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
}

function reason(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
}

/** It leaves when its input ends; what does not is killed. */
function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve();
    const timer = setTimeout(() => child.kill('SIGKILL'), LEAVES_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin.end();
  });
}
