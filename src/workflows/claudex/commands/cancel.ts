// `claudex cancel`: ends the loop that goes on. A finished one stays what it is.

import { COMMAND_PATIENCE_MS } from '../../../engine/claim.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../../../engine/desk.ts';
import type { Project } from '../../../engine/project.ts';
import { carryOut } from '../../../store/files.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import { leftovers } from '../commit.ts';
import { filesOf, placeOf } from '../place.ts';
import { isFinished } from '../state.ts';
import { appendLog, readLoops, setField } from '../store.ts';
import { here, namedLoop } from './find.ts';

export const cancel: Command = {
  name: 'cancel',
  summary: 'end the loop that goes on; its state and findings are kept',
  usage: '[id]',
  options: {},
  writes: true,
  words: { least: 0, most: 1 },
  run: cancelLoops,
};

async function cancelLoops(call: Call): Promise<ExitCode> {
  const named = call.words.length > 0 ? await namedLoop(call, 'cancel') : null;
  const found = named ?? (await here(call));
  if (found === null) {
    call.print('There is no loop here, so nothing to cancel.');
    return 0;
  }
  const { project, place } = found;
  ensureHome(project.root);
  const line = await withLock(project.home, COMMAND_PATIENCE_MS, () => {
    const loops = readLoops(place);
    const chosen = named ?? loops.find(({ loop }) => !isFinished(loop.phase)) ?? loops[0];
    return chosen === undefined
      ? 'There is no loop here, so nothing to cancel.'
      : cancelLoop(project, chosen.id);
  });
  call.print(line);
  return 0;
}

/** Under the lock. A deliberate override: the one write of a phase that compares with nothing. */
export function cancelLoop(project: Project, id: string): string {
  const place = placeOf(project);
  const known = readLoops(place).find((each) => each.id === id);
  if (known === undefined) throw new NotNow(`claudex cancel: there is no loop ${id} here.`);
  if (isFinished(known.loop.phase)) return `The loop ${id} is ${known.loop.phase} already and stays so.`;
  setField(place, id, 'phase', 'cancelled', project.now);
  for (const write of leftovers(filesOf(place, id))) carryOut(write, place.within);
  appendLog(place, project.now, `cancel ${id}`);
  return `The loop ${id} is cancelled; the agent is let go at its next stop. Its state and findings are kept.`;
}
