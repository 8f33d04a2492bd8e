// A loop as views show it.

import type { Shown } from '../../../engine/workflow-cli.ts';
import { isObject } from '../../../store/json.ts';
import { isStale } from '../decide.ts';
import type { FoundLoop } from '../read-loop.ts';
import { taskOfFrame } from '../task.ts';
import type { Loop } from '../types.ts';
import { endedTask } from './ended-task.ts';

/** `file`: where its state is read from. `now` by the loop's own clock. */
export function shown(found: FoundLoop, file: string, root: string, now: number): Shown {
  const { state, raw, run } = found;
  if (state.kind !== 'loop')
    return { state: null, progress: null, asked: null, startedAt: null, files: [file] };
  const { stack } = state;
  const top = stack.at(-1);
  return {
    state: state.event === 'STATE' && isStale(state, now) ? 'stale' : named(state.event, stack.length),
    progress:
      top === undefined || top.iter === 'corrupt'
        ? null
        : { unit: 'iteration', at: top.iter, of: top.max === 'corrupt' ? null : top.max },
    asked: taskOfFrame(raw?.stack.at(-1), found, root)?.text ?? (run === null ? null : endedTask(root, run)),
    startedAt: null,
    files: [file],
  };
}

/** Of a recorded stop. */
export function stateOf(state: unknown): string | null {
  if (!isObject(state)) return null;
  if (state.kind === 'nothing') return 'no loop';
  const { event, stack } = state as Partial<Loop>;
  return Array.isArray(stack) ? named(event, stack.length) : null;
}

function named(event: Loop['event'] | undefined, depth: number): string | null {
  switch (event) {
    case 'STATE':
      return depth > 0 ? 'active' : null;
    case 'DONE':
      return depth > 0 ? 'done, frames kept' : 'done';
    case 'ABORT':
      return 'aborted';
    case undefined:
      return null;
  }
}
