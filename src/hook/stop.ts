// The Stop hook: reads what the client sent, answers once, at the very end. Whatever goes wrong in between,
// the stop is allowed and one clear line says so: Holdfast's own failure never holds an agent.

import fs from 'node:fs';
import { parseObject } from '../clients/fields.ts';
import { decodeStop } from '../clients/index.ts';
import type { ClientName, Encoded } from '../clients/stop.ts';
import { answerStop, oneLine } from '../engine/stop/answer.ts';
import type { Machinery } from '../engine/context.ts';
import { notices } from '../engine/stop/notices.ts';
import { Interrupted } from '../engine/stop/serve-run.ts';

/** What to print and the exit code. Bad input exits 1: 2 would hold the agent (Claude Code 2.1.197). */
export type HookResult = Omit<Encoded, 'exitCode'> & { exitCode: 0 | 1 | 2 };

export async function stopHook(
  input: string | null,
  named: ClientName | null,
  machinery: Machinery,
  limitS: number | null = null,
): Promise<HookResult> {
  // Told by its ends first: parsing 50 MB of opening brackets takes seconds and gigabytes.
  const payload = input === null ? null : parseObject(input.replace(/^\uFEFF/, ''));
  if (payload === null) return badInput(describeInput(input));
  const { client, stop } = decodeStop(payload, named, limitS);
  if (stop.cwd !== null && !isFolder(stop.cwd))
    return badInput(`Cannot change to the stop's folder ${stop.cwd}: it is not there.`);
  try {
    const { answer, complaints } = await answerStop(stop, machinery);
    const encoded = client.encode(answer);
    // Beside the answer with exit code 0 neither client minds a line there (Claude Code 2.1.325, Codex 0.166.0).
    return { ...encoded, stderr: encoded.stderr + complaints.map((line) => `${line}\n`).join('') };
  } catch (error) {
    if (error instanceof Interrupted) return { stdout: '', stderr: '', exitCode: 0 };
    const notice = notices.failed(oneLine(error), machinery.cli);
    return client.encode({ kind: 'allow', notice, suppressOutput: false });
  }
}

function describeInput(input: string | null): string {
  if (input === null) return 'Invalid JSON on standard input: it is larger than any client sends.';
  if (input.trim() === '')
    return 'Invalid JSON on standard input: it is empty. Clients send the stop as one JSON object.';
  return 'Invalid JSON on standard input: a stop is one JSON object, as Claude Code and Codex send it.';
}

function badInput(what: string): HookResult {
  return { stdout: '', stderr: `Holdfast: ${what} The stop is allowed.\n`, exitCode: 1 };
}

function isFolder(folder: string): boolean {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
