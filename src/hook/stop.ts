// The Stop hook: reads what the client sent, answers once, at the very end. Whatever goes wrong in between,
// the stop is allowed and one clear line says so: Holdfast's own failure never holds an agent.

import fs from 'node:fs';
import { parseObject } from '../clients/fields.ts';
import { decodeStop } from '../clients/index.ts';
import { answerStop } from '../engine/stop/answer.ts';
import { oneLine } from '../engine/stop/explain-error.ts';
import { notices } from '../engine/stop/notices.ts';
import { Interrupted } from '../engine/work/interrupted.ts';
import { type HookCall, type HookResult, SILENT } from './call.ts';
import { forPerson } from './for-person.ts';

export async function stopHook({ input, named, runtime, limitS }: HookCall): Promise<HookResult> {
  // Told by its ends first: parsing 50 MB of opening brackets takes seconds and gigabytes.
  const payload = input === null ? null : parseObject(input.replace(/^\uFEFF/, ''));
  if (payload === null) return badInput(describeInput(input));
  const { client, stop } = decodeStop(payload, named, limitS);
  if (stop.cwd !== null && !isFolder(stop.cwd))
    return badInput(`Cannot change to the stop's folder ${stop.cwd}: it is not there.`);
  try {
    const { answer, complaints, afterwards } = await answerStop(stop, runtime);
    const encoded = client.encode(
      { ...answer, notice: forPerson(answer.notice, client, runtime) },
      stop,
      runtime.env,
    );
    // Beside the answer with exit code 0 neither client minds a line there (Claude Code 2.1.325, Codex 0.166.0).
    const stderr = encoded.stderr + complaints.map((line) => `${line}\n`).join('');
    const held = answer.kind === 'hold';
    return { ...encoded, stderr, held, ...(afterwards === undefined ? {} : { afterwards }) };
  } catch (error) {
    if (error instanceof Interrupted) return SILENT;
    const notice = notices.failed(oneLine(error), runtime.cli);
    const shown = forPerson(notice, client, runtime);
    return client.encode({ kind: 'allow', notice: shown, suppressOutput: false }, stop, runtime.env);
  }
}

function describeInput(input: string | null): string {
  if (input === null) return 'Invalid JSON on standard input: it is larger than any client sends.';
  if (input.trim() === '')
    return 'Invalid JSON on standard input: it is empty. Clients send the stop as one JSON object.';
  return 'Invalid JSON on standard input: a stop is one JSON object, as clients send it.';
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
