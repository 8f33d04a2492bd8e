// A loop as its files have it: its state, and the runner that the agent was told to start. The plan and the findings are
// work, and are not kept.

import type { RunContext } from '../../engine/context.ts';
import type { InFiles } from '../../engine/workflow.ts';
import { filesOf, stateDirOf } from './files.ts';
import { isId } from './id.ts';
import { readState } from './loops.ts';
import { readQuietly } from './review-progress.ts';
import { isFinished, readLoop } from './state-format.ts';

export function inFiles({ project, run }: Pick<RunContext, 'project' | 'run'>): InFiles {
  const dir = stateDirOf(project);
  const state = isId(run) ? readState(dir, run) : null;
  if (state === null) return { kind: 'gone' };
  if (isFinished(readLoop(state).phase)) return { kind: 'over' };
  const files = filesOf(dir, run);
  const asked = [
    { path: files.prompt, mode: 0o644 },
    { path: files.runner, mode: 0o755 },
  ].flatMap(({ path, mode }) => {
    const content = readQuietly(path, dir.within);
    return content === null ? [] : [{ kind: 'replace', path, content, mode } as const];
  });
  return {
    kind: 'live',
    writes: [...asked, { kind: 'replace', path: files.state, content: state }],
    within: dir.within,
  };
}
