// Calls Holdfast's hook as a client does, and reads its answer. Whatever goes wrong, nobody is held.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';

export type HookAnswer = { hold: string | null; notice: string | null };

const NOTHING: HookAnswer = { hold: null, notice: null };
const GONE: HookAnswer = {
  hold: null,
  notice:
    'Holdfast: its own files are gone, so this stop was allowed unchecked. It was upgraded or removed: start a new session.',
};

/** As the hook is told: a review may take its time. */
const LIMIT_MS = 7_200_000;
const MOST_BYTES = 16 * 1024 * 1024;

export class HookCaller {
  readonly #launcher: string;
  readonly #cwd: string;

  constructor(launcher: string, cwd: string) {
    this.#launcher = launcher;
    this.#cwd = cwd;
  }

  /** Nothing else happens in this process until it has answered. */
  atOnce(args: readonly string[], payload: object): HookAnswer {
    if (!fs.existsSync(this.#launcher)) return GONE;
    const { stdout, stderr, error } = spawnSync(this.#launcher, argumentsOf(args), {
      cwd: this.#cwd,
      input: JSON.stringify(payload),
      encoding: 'utf8',
      timeout: LIMIT_MS,
      maxBuffer: MOST_BYTES,
    });
    return error === undefined ? readAnswer(stdout, stderr) : failed(error);
  }

  inBackground(args: readonly string[], payload: object): Promise<HookAnswer> {
    if (!fs.existsSync(this.#launcher)) return Promise.resolve(GONE);
    return new Promise((resolve) => {
      const child = spawn(this.#launcher, argumentsOf(args), {
        cwd: this.#cwd,
        timeout: LIMIT_MS,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const out: Buffer[] = [];
      const complaints: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
      child.on('error', (error) => resolve(failed(error)));
      child.on('close', () => resolve(readAnswer(textOf(out), textOf(complaints))));
      child.stdin.on('error', () => {}); // It leaves without reading where no run is near.
      child.stdin.end(JSON.stringify(payload));
    });
  }
}

const argumentsOf = (args: readonly string[]): string[] => [...args, '--client', 'opencode'];

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');

/** One JSON object or nothing; without an answer, what the hook complained of is for the user. */
export function readAnswer(stdout: string, stderr: string): HookAnswer {
  if (stdout.trim() === '') return { ...NOTHING, notice: stderr.trim() === '' ? null : stderr.trim() };
  try {
    const { decision, reason, systemMessage } = JSON.parse(stdout) as Record<string, unknown>;
    return {
      hold: decision === 'block' && typeof reason === 'string' ? reason : null,
      notice: typeof systemMessage === 'string' ? systemMessage : null,
    };
  } catch {
    return {
      ...NOTHING,
      notice: 'Holdfast: the answer of its hook cannot be read, so this stop was allowed.',
    };
  }
}

function failed(error: Error): HookAnswer {
  return { hold: null, notice: `Holdfast: its hook did not run, so this stop was allowed: ${error.message}` };
}
