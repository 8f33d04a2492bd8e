// `claudex rollback`: removes all that claudex wrote about its loops. PLAN.md, reviews/ and the log stay.

import path from 'node:path';
import { COMMAND_PATIENCE_MS } from '../../../engine/claim-run.ts';
import { drivenIn, mayEnd } from '../../../engine/driver/its-agent.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import { logFile, type StateDir } from '../files.ts';
import { isId } from '../id.ts';
import { appendLog, listFolder, readLoops } from '../loops.ts';
import { here } from './which-loop.ts';

export const rollback: Command = {
  name: 'rollback',
  summary: 'remove every loop of this project; PLAN.md, reviews/ and the log stay',
  usage: '',
  options: {},
  writes: true,
  words: { least: 0, most: 0 },
  run: rollBack,
};

async function rollBack(call: Call): Promise<ExitCode> {
  const found = await here(call);
  const names = found === null ? [] : belongings(found.dir);
  if (found === null || names.length === 0) {
    call.print('Removed 0 loops: there are none here.');
    return 0;
  }
  const { project, dir } = found;
  ensureHome(project.root);
  const count = await withLock(project.home, COMMAND_PATIENCE_MS, () => {
    for (const name of drivenIn(project, 'claudex')) mayEnd(project, name);
    const all = belongings(dir);
    for (const name of all) carryOut({ kind: 'remove', path: path.join(dir.path, name) }, dir.within);
    const loops = all.filter((name) => name.endsWith('.state')).length;
    appendLog(dir, call.now, `rollback: ${loops} loops removed`);
    return loops;
  });
  call.print(
    `Removed ${count} ${count === 1 ? 'loop' : 'loops'}. PLAN.md and reviews/ are untouched; ${logFile(dir)} is kept.`,
  );
  return 0;
}

/** Everything of a loop by its name. In a folder shared with other projects, only what is surely ours. */
function belongings(dir: StateDir): string[] {
  const ours = dir.shared ? new Set(readLoops(dir).map(({ id }) => id)) : null;
  return listFolder(dir.path).filter((name) => {
    const id = name.replace(/(?:\.state|\.lock|-runner\.sh|-prompt\.txt)$/, '');
    if (ours !== null) return ours.has(id);
    return isId(id) || (name.endsWith('.state') && !name.startsWith('.'));
  });
}
