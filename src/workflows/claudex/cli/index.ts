// claudex at the command line.

import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../../engine/project.ts';
import type { RunSummary, UnusedRun, WorkflowCli } from '../../../engine/workflow-cli.ts';
import { shellQuote } from '../../../text/shell.ts';
import { filesOf, type Place, placeOf } from '../files.ts';
import { foldersFor } from '../links.ts';
import { type KnownLoop, readLoops } from '../loops.ts';
import { isFinished, type Loop } from '../state-format.ts';
import { cancel, cancelLoop } from './cancel.ts';
import { reportOn, stageOf } from './describe.ts';
import { doctor } from './doctor.ts';
import { done } from './done.ts';
import { explain } from './explain.ts';
import { plan } from './plan.ts';
import { redecide } from './replay.ts';
import { review } from './review.ts';
import { rollback } from './rollback.ts';
import { status } from './status.ts';
import { wait } from './wait.ts';

export const cli: WorkflowCli = {
  commands: [plan, review, done, wait, status, doctor, cancel, rollback],
  runs: listRuns,
  places: (project) => {
    const place = placeOf(project);
    return [place.folder, ...writtenTo(place)].map((path) => ({ path, kind: 'folder' as const }));
  },
  unused: linkedFoldersIn,
  cancel: cancelLoop,
  redecide,
  explain,
  demo: () => import('./demo.ts').then((module) => module.demo),
};

function listRuns(project: Project): RunSummary[] {
  const place = placeOf(project);
  return readLoops(place).map((known) => {
    const report = reportOrNone(known, place, project);
    const problem = problemOf(known.text, known.loop);
    const detail = problem === null ? report : { ...report, unreadable: problem };
    return {
      run: known.id,
      file: filesOf(place, known.id).state,
      live: !isFinished(known.loop.phase),
      stage: stageOf(known, project),
      detail,
    };
  });
}

/** What is wrong with a state file that could be read, as far as nobody can tell from it where the loop stands. */
function problemOf(text: string, loop: Loop): string | null {
  if (text.trim() === '') return 'the file is empty';
  if (loop.phase !== 'unknown' || loop.mode !== 'unknown') return null;
  return 'it has neither a `mode:` nor a `phase:` that is known';
}

/** One that cannot be looked at must not hide the others. */
function reportOrNone(known: KnownLoop, place: Place, project: Project): RunSummary['detail'] {
  try {
    const { id: _, ...report } = reportOn(known, place, project);
    return report;
  } catch {
    return {};
  }
}

/** The folders that the reviews of unfinished loops are written to. */
function writtenTo(place: Place): string[] {
  const loops = openLoops(place);
  const findings = loops.map(({ id }) => filesOf(place, id).folder);
  return loops.some(({ loop }) => loop.mode === 'review')
    ? [...findings, ...foldersFor(place, 'review')]
    : findings;
}

/** Where not even the place can be told, that is said of it. */
function linkedFoldersIn(project: Project): UnusedRun[] {
  try {
    return linkedFolders(placeOf(project));
  } catch {
    return [];
  }
}

/** A link that stays in the project is sound for us, but no reviewer is told to write through one. */
function linkedFolders(place: Place): UnusedRun[] {
  const folders = openLoops(place).length === 0 ? [] : [...foldersFor(place, 'plan'), ...writtenTo(place)];
  return [...new Set(folders)].filter(isLink).map((folder) => ({
    run: path.basename(folder),
    folder,
    why: 'it is a link, and no reviewer is told to write through one',
    fix: `remove the link: \`rm ${shellQuote(folder)}\``,
  }));
}

function openLoops(place: Place): KnownLoop[] {
  try {
    return readLoops(place).filter(({ loop }) => !isFinished(loop.phase));
  } catch {
    return []; // What is wrong with the folder itself is said of it.
  }
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
