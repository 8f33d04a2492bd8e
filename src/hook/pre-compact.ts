// Before a compaction each run may write down what must survive it. Prints nothing: Claude Code feeds whatever is
// printed here to the summariser (2.1.197).

import { carryOut } from '../store/files.ts';
import { ensureHome } from '../store/home.ts';
import { withLock } from '../store/lock.ts';
import { writeSidecar } from '../store/sidecars.ts';
import { type HookCall, type HookResult, SILENT } from './call.ts';
import { forEachRun, readSessionEvent, runOfSession } from './session-runs.ts';

export async function preCompactHook(call: HookCall): Promise<HookResult> {
  const event = await readSessionEvent(call);
  if (event === null) return SILENT;
  const { project, runtime } = event.context;
  if (event.runs.length > 0) ensureHome(project.root);
  await forEachRun(event, (here) =>
    withLock(project.home, runtime.lockPatienceMs, async () => {
      const run = runOfSession(here, event.context);
      const commit = (await run?.workflow.beforeCompaction?.(run.context)) ?? null;
      if (run === null || commit === null) return;
      writeSidecar(project.root, { ...run.sidecar, saved: commit.saved });
      for (const write of commit.writes) carryOut(write, commit.within ?? project.root);
    }),
  );
  return SILENT;
}
