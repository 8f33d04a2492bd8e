// Whether a tool's output says that what it started still runs. Codex wakes nobody when it ends (0.166.0).

import type { Payload, TranscriptLine } from '../client.ts';
import { objectsField, textField } from '../fields.ts';

const outputs = new Set(['function_call_output', 'custom_tool_call_output']);

/** What the client says stands before the output proper, in which a program may say what it likes. */
const head =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process|Script) (running with|exited with|completed|failed|terminated)\b/;

/**
 * A script hands over what it likes of a command's result. Where it is the whole of it, a command that still runs has
 * a session and no exit code. Where it is the output alone, nothing tells.
 */
const unfinished = /"wall_time_seconds":\s*[\d.e+-]+,\s*"session_id":\s*\d+/;

export function leavesRunning(item: Payload): Pick<TranscriptLine, 'leavesRunning'> {
  if (!outputs.has(textField(item, 'type') ?? '')) return {};
  const parts = objectsField(item, 'output').map((part) => textField(part, 'text') ?? '');
  const [first = '', ...handed] = parts.length > 0 ? parts : [textField(item, 'output') ?? ''];
  const state = head.exec(first)?.[1];
  if (state === undefined) return {};
  return { leavesRunning: state === 'running with' || handed.some((text) => unfinished.test(text)) };
}
