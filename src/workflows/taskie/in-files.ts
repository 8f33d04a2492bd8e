// A plan as its state file has it. The plan itself, its tasks and its reviews are the agent's work, and are not kept.

import type { RunContext } from '../../engine/context.ts';
import type { InFiles } from '../../engine/workflow.ts';
import { below } from '../../store/paths.ts';
import { readStateFile } from './files.ts';
import { planFolder } from './names.ts';
import { readState } from './state-format.ts';

export function inFiles({ project, run }: Pick<RunContext, 'project' | 'run'>): InFiles {
  const content = readStateFile(project.root, run);
  if (content === null) return { kind: 'gone' };
  const state = readState(content);
  if (state.kind === 'known' && state.phase === 'complete' && state.next === null) return { kind: 'over' };
  const file = below(below(project.root, planFolder(run)), 'state.json');
  return { kind: 'live', writes: [{ kind: 'replace', path: file, content }] };
}
