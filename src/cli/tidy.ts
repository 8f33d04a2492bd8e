// What a command that moves a run tidies up on its way: the temp files of processes that were killed, and records that
// are long out of use. Not done by the hook, since every stop would pay for it.

import fs from 'node:fs';
import path from 'node:path';
import { userConfigPath } from '../config/config.ts';
import type { Project } from '../engine/project.ts';
import { isInside, realPath } from '../store/files.ts';
import {
  sweepBudgets,
  sweepChecking,
  sweepNotified,
  sweepOutputs,
  sweepPins,
  sweepStages,
  sweepTemporaries,
} from '../store/sweep.ts';
import { userStateFolder } from '../store/user-state.ts';
import { placesOf } from '../view/runs.ts';
import { registry } from '../workflows/registry.ts';

export async function tidyUp(project: Project): Promise<void> {
  const { root, home, env, now } = project;
  sweepTemporaries([home], root, now);
  for (const entry of registry)
    for (const { path: place, kind } of placesOf(await entry.cli(), entry.traces, project)) {
      const folder = kind === 'folder' ? place : path.dirname(place);
      sweepTemporaries([folder], isInside(place, root) ? root : (realPath(folder) ?? folder), now);
    }
  const state = userStateFolder(env);
  for (const own of [state, path.dirname(userConfigPath(env))])
    sweepTemporaries([own], realPath(own) ?? own, now);
  sweepNotified(state, now);
  sweepPins(state, now);
  sweepChecking(state, now);
  sweepOutputs(state, now);
  sweepStages(state, now);
  sweepBudgets(state, now, (text) => text.includes('"stage":"paused"'));
  if (!hasDriven(state)) return;
  const { sweepDrivers } = await import('../driver/tidy.ts');
  sweepDrivers(env, now);
}

/** Has `holdfast run` ever been used here? */
function hasDriven(state: string): boolean {
  return fs.existsSync(path.join(state, 'driver'));
}
