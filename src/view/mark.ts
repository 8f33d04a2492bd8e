// Whether anything in a project has changed since the last look: files are looked at, none is read.

import fs from 'node:fs';
import path from 'node:path';
import { budgetPlace } from '../engine/budget/place.ts';
import type { Project } from '../engine/project.ts';
import { journalFolder, journalPath } from '../store/home.ts';
import { lookedFile } from '../store/looked.ts';
import { outputFiles } from '../store/outputs.ts';
import { below } from '../store/paths.ts';
import { userStateFolder } from '../store/user-state.ts';
import { registry } from '../workflows/registry.ts';
import type { KnownRun } from './runs.ts';

/** What a live run is like depends on the clock, too: a wait ends, a loop goes stale. */
const LOOK_AGAIN_MS = 15_000;

/** `runs`: those that were found at the last look. */
export function markOf(project: Project, runs: readonly KnownRun[]): string {
  const { root, home, env, now } = project;
  const live = runs.filter((run) => run.live);
  const places = [
    journalPath(home),
    journalFolder(home),
    below(home, 'runs'),
    lookedFile(root, env),
    ...registry.flatMap(({ traces }) => traces.map((trace) => below(root, trace))),
    ...live.flatMap(({ name, file }) => [
      below(userStateFolder(env), budgetPlace(root, name)),
      ...(file === undefined ? [] : [file, path.dirname(file), file.replace(/\.state$/, '')]),
    ]),
    ...live.flatMap(({ sidecar }) => sidecar.attempts.flatMap(({ id }) => outputFiles(project, id))),
  ];
  const clock = live.length === 0 ? 0 : Math.floor(now / LOOK_AGAIN_MS);
  return [clock, ...places.map(stampOf)].join(' ');
}

/** What a file or folder is like, without reading it. */
export function stampOf(place: string): string {
  try {
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    return found === undefined ? '-' : `${found.ino}:${found.size}:${found.mtimeMs}`;
  } catch {
    return '?';
  }
}
