// `claudex cancel`: ends the loop that goes on. A finished one stays what it is.

import { COMMAND_PATIENCE_MS } from '../../../engine/claim-run.ts';
import { mayEnd } from '../../../engine/driver/its-agent.ts';
import type { Project } from '../../../engine/project.ts';
import { noteEnded } from '../../../engine/proof/check-record.ts';
import { endTaken } from '../../../engine/proof/end-taken.ts';
import { journalCommand } from '../../../engine/stop/journal.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import type { Trouble } from '../../../store/trouble.ts';
import { leftovers } from '../commit.ts';
import { filesOf, type StateDir, stateDirOf, sweptFolder } from '../files.ts';
import { appendLog, readLoops, setField } from '../loops.ts';
import { isFinished } from '../state-format.ts';
import { moveLoop } from './sweep.ts';
import { troubleWithState } from './unreadable.ts';
import { here, namedId } from './which-loop.ts';

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
  // By its id alone: one whose state cannot be read is ended too.
  const named = call.words.length > 0 ? namedId(call, 'cancel') : null;
  const found = await here(call);
  const taken = found === null ? endTaken(call, 'claudex') : null;
  if (taken !== null) {
    call.print(taken);
    return 0;
  }
  if (found === null && named !== null) throw new NotNow(noSuchLoop(named));
  if (found === null) {
    call.print('There is no loop here, so nothing to cancel.');
    return 0;
  }
  const { project, dir } = found;
  ensureHome(project.root);
  const line = await withLock(project.home, COMMAND_PATIENCE_MS, () => {
    const loops = readLoops(dir);
    const chosen = named ?? (loops.find(({ loop }) => !isFinished(loop.phase)) ?? loops[0])?.id;
    if (chosen === undefined) return 'There is no loop here, so nothing to cancel.';
    mayEnd(project, `claudex:${chosen}`);
    const goesOn = loops.some(({ id, loop }) => id === chosen && !isFinished(loop.phase));
    const done = cancelLoop(project, chosen);
    if (goesOn) journalCommand(project, 'cancel', `claudex:${chosen}`);
    return done;
  });
  call.print(line);
  return 0;
}

/** Under the lock. A deliberate override: the one write of a phase that compares with nothing. */
export function cancelLoop(project: Project, id: string): string {
  const dir = stateDirOf(project);
  const known = readLoops(dir).find((each) => each.id === id);
  if (known === undefined) throw new NotNow(noSuchLoop(id));
  noteEnded(project, `claudex:${id}`);
  const trouble = troubleWithState(dir, id);
  if (trouble !== null) return putAside(project, dir, id, trouble);
  if (isFinished(known.loop.phase)) return `The loop ${id} is ${known.loop.phase} already and stays so.`;
  setField(dir, id, 'phase', 'cancelled', project.now);
  for (const write of leftovers(filesOf(dir, id))) carryOut(write, dir.within);
  appendLog(dir, project.now, `cancel ${id}`);
  return `The loop ${id} is cancelled; the agent is let go at its next stop. Its state and findings are kept.`;
}

/** Nothing can be written into a state that cannot be read: it goes out of the way, with all that is its loop's. */
function putAside(project: Project, dir: StateDir, id: string, { what }: Trouble): string {
  moveLoop(dir, id);
  appendLog(dir, project.now, `cancel ${id}: its state could not be read and was moved to swept/`);
  return `The loop ${id} is cancelled. Its state could not be read (${what}), so all of it was moved to ${sweptFolder(dir)}/.`;
}

function noSuchLoop(id: string): string {
  return `claudex cancel: there is no loop ${id} here. \`holdfast claudex status\` shows those there are.`;
}
