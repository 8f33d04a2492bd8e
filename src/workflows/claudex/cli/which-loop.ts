// The loop a command is about.

import type { Project } from '../../../engine/project.ts';
import { type Call, NotNow } from '../../../engine/workflow-cli.ts';
import { type StateDir, stateDirOf } from '../files.ts';
import { isId } from '../id.ts';
import { type KnownLoop, readState } from '../loops.ts';
import { readLoop } from '../state-format.ts';
import { refuseClosed } from './unreadable.ts';

export type Here = { project: Project; dir: StateDir };

/** Null: nothing of Holdfast has ever run here. */
export async function here(call: Call): Promise<Here | null> {
  const project = await call.existing();
  if (project === null) return null;
  const dir = stateDirOf(project);
  refuseClosed(dir);
  return { project, dir };
}

/** The id that was given; one clear line when it is none. */
export function namedId(call: Call, command: string): string {
  const [id = ''] = call.words;
  if (isId(id)) return id;
  throw new NotNow(
    `claudex ${command}: "${id.slice(0, 80)}" is no loop's id; ids look like 20260131-093000-1a2b3c. \`holdfast claudex status\` shows them.`,
  );
}

/** The loop with this id; one clear line when there is none. */
export async function namedLoop(call: Call, command: string): Promise<Here & KnownLoop> {
  const id = namedId(call, command);
  const found = await here(call);
  const text = found === null ? null : readState(found.dir, id);
  if (found === null || text === null)
    throw new NotNow(
      `claudex ${command}: there is no loop ${id} here. \`holdfast claudex status\` shows those there are.`,
    );
  return { ...found, id, text, loop: readLoop(text) };
}
