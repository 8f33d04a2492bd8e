// `claudex done`: the agent says that nothing material is left. The next stop gives the summary.

import { COMMAND_PATIENCE_MS } from '../../../engine/claim-run.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../../../engine/workflow-cli.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import { appendLog, setField } from '../loops.ts';
import { stageOf } from './describe.ts';
import { namedLoop } from './which-loop.ts';

export const done: Command = {
  name: 'done',
  summary: 'say that a plan loop has no material findings left',
  usage: '<id>',
  options: {},
  writes: true,
  words: { least: 1, most: 1 },
  run: markDone,
};

async function markDone(call: Call): Promise<ExitCode> {
  const { project, dir } = await namedLoop(call, 'done');
  ensureHome(project.root);
  await withLock(project.home, COMMAND_PATIENCE_MS, async () => {
    const known = await namedLoop(call, 'done');
    const { mode, phase } = known.loop;
    if (mode !== 'plan' || phase !== 'reviewing')
      throw new NotNow(
        `claudex done: the loop ${known.id} is not being reviewed (${stageOf(known, project)}), so there is nothing to declare done.`,
      );
    setField(dir, known.id, 'decision_signal', 'no-material-findings', call.now);
    appendLog(dir, call.now, `done ${known.id}: no material findings`);
  });
  call.print('Noted: no material findings. End your turn now; the summary closes the loop.');
  return 0;
}
