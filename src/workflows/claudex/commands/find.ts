// The loop a command is about.

import { type Call, NotNow } from '../../../engine/desk.ts';
import type { Project } from '../../../engine/project.ts';
import { isId } from '../id.ts';
import { type Place, placeOf } from '../place.ts';
import { readLoop } from '../state.ts';
import { type KnownLoop, readState } from '../store.ts';

export type Here = { project: Project; place: Place };

/** Null: nothing of Holdfast has ever run here. */
export async function here(call: Call): Promise<Here | null> {
  const project = await call.existing();
  return project === null ? null : { project, place: placeOf(project) };
}

/** The loop with this id; one clear line when there is none. */
export async function namedLoop(call: Call, command: string): Promise<Here & KnownLoop> {
  const [id = ''] = call.words;
  if (!isId(id))
    throw new NotNow(
      `claudex ${command}: "${id.slice(0, 80)}" is no loop's id; ids look like 20260131-093000-1a2b3c. \`holdfast claudex status\` shows them.`,
    );
  const found = await here(call);
  const text = found === null ? null : readState(found.place, id);
  if (found === null || text === null)
    throw new NotNow(
      `claudex ${command}: there is no loop ${id} here. \`holdfast claudex status\` shows those there are.`,
    );
  return { ...found, id, text, loop: readLoop(text) };
}
