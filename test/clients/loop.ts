// The words of idle's scenarios: how an agent starts a loop, and how the loop stands on disk.

import fs from 'node:fs';
import path from 'node:path';
import { type Reply, run } from './servers/script.ts';

export const TASK = 'Make every test pass.';
export const DONE = 'All of it passes.\n\n<loop-done>COMPLETE</loop-done>';

/** The task goes in by a quoted heredoc, as the skill tells the agent. */
export function startLoop(cli: string, flags = '', task = TASK): Reply {
  return run(`${cli} idle loop ${flags} <<'END_OF_TASK'\n${task}\nEND_OF_TASK`);
}

export type LoopState = {
  event: 'STATE' | 'DONE' | 'ABORT';
  reason?: string;
  run_id: string;
  stack: { mode: string; iter: number; max: number }[];
};

/** Every state the loop went through, oldest first, as its topic tells. */
export function loopStates(root: string): LoopState[] {
  const file = path.join(root, '.jwz', 'messages.jsonl');
  if (!fs.existsSync(file)) return [];
  const lines: { type: string; id: string; name?: string; topic_id?: string; body?: string }[] = fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const topic = lines.find(({ name }) => name === 'loop:current');
  return lines
    .filter(({ topic_id, body }) => topic_id === topic?.id && body !== undefined)
    .map(({ body }) => JSON.parse(body ?? ''));
}

export const loopState = (root: string): LoopState | undefined => loopStates(root).at(-1);

/** `1/10`, `2/10` …: what each hold says about where the loop stands. */
export function iterations(holds: readonly string[]): string[] {
  return holds.map((hold) => /^\[ITERATION (\d+\/\d+)\]/.exec(hold)?.[1] ?? hold);
}

export const upTo = (count: number, max: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index + 1}/${max}`);
