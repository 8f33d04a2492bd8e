// claudex at the command line.

import fs from 'node:fs';
import path from 'node:path';
import { DOCKET } from '../../../engine/docket/keep.ts';
import type { Project } from '../../../engine/project.ts';
import type { RunDocket, RunSummary, UnusedRun, WorkflowCli } from '../../../engine/workflow-cli.ts';
import { below } from '../../../store/paths.ts';
import { shellQuote } from '../../../text/shell.ts';
import { takeUp } from '../docket.ts';
import { filesOf, type StateDir, shown, stateDirOf } from '../files.ts';
import { foldersFor } from '../links.ts';
import { type KnownLoop, readLoops } from '../loops.ts';
import { readRounds } from '../review-progress.ts';
import { isFinished } from '../state-format.ts';
import type { Loop } from '../types.ts';
import { cancel, cancelLoop } from './cancel.ts';
import { reportOn, stageOf } from './describe.ts';
import { doctor } from './doctor.ts';
import { done } from './done.ts';
import { explain } from './explain.ts';
import { plan } from './plan.ts';
import { inTodaysWords, redecide } from './replay.ts';
import { review } from './review.ts';
import { rollback } from './rollback.ts';
import { shown as shownAs, stateOf } from './shown.ts';
import { status } from './status.ts';
import { wait } from './wait.ts';

export const cli: WorkflowCli = {
  commands: [plan, review, done, wait, status, doctor, cancel, rollback],
  runs: listRuns,
  places: (project) => {
    const dir = stateDirOf(project);
    return [dir.path, ...writtenTo(dir)].map((path) => ({ path, kind: 'folder' as const }));
  },
  unused: linkedFoldersIn,
  cancel: cancelLoop,
  redecide,
  stateOf,
  inTodaysWords,
  explain,
  // Its reviewer is the agent's to run.
  driven: { keepsSession: true },
  docket,
  demo: () => import('./demo.ts').then((module) => module.demo),
};

function listRuns(project: Project): RunSummary[] {
  const dir = stateDirOf(project);
  return readLoops(dir).map((known) => {
    const report = reportOrNone(known, dir, project);
    const problem = problemOf(known.text, known.loop);
    const detail = problem === null ? report : { ...report, unreadable: problem };
    return {
      run: known.id,
      file: filesOf(dir, known.id).state,
      live: !isFinished(known.loop.phase),
      stage: stageOf(known, project),
      detail,
      shown: () => shownAs(known, reportOn(known, dir, project), dir, project.now),
    };
  });
}

/** As the stop that leaves the round behind will have it. */
function docket(project: Project, run: string): RunDocket | null {
  const dir = stateDirOf(project);
  const known = readLoops(dir).find(({ id }) => id === run);
  if (known === undefined || known.loop.mode !== 'plan') return null;
  const files = filesOf(dir, run);
  const rounds = readRounds(dir, files);
  const loop = { id: run, dir, files, rounds, round: known.loop.round, by: project.config.review.claudex };
  return { file: shown(dir, below(files.folder, DOCKET)), docket: takeUp(loop).docket };
}

/** What is wrong with a state file that could be read, as far as nobody can tell from it where the loop stands. */
function problemOf(text: string, loop: Loop): string | null {
  if (text.trim() === '') return 'the file is empty';
  if (loop.phase !== 'unknown' || loop.mode !== 'unknown') return null;
  return 'it has neither a `mode:` nor a `phase:` that is known';
}

/** One that cannot be looked at must not hide the others. */
function reportOrNone(known: KnownLoop, dir: StateDir, project: Project): RunSummary['detail'] {
  try {
    const { id: _, ...report } = reportOn(known, dir, project);
    return report;
  } catch {
    return {};
  }
}

/** The folders that the reviews of unfinished loops are written to. */
function writtenTo(dir: StateDir): string[] {
  const loops = openLoops(dir);
  const findings = loops.map(({ id }) => filesOf(dir, id).folder);
  return loops.some(({ loop }) => loop.mode === 'review')
    ? [...findings, ...foldersFor(dir, 'review')]
    : findings;
}

/** Where not even the state folder is known, that is said of it. */
function linkedFoldersIn(project: Project): UnusedRun[] {
  try {
    return linkedFolders(stateDirOf(project));
  } catch {
    return [];
  }
}

/** A link that stays in the project is sound for us, but no reviewer is told to write through one. */
function linkedFolders(dir: StateDir): UnusedRun[] {
  const folders = openLoops(dir).length === 0 ? [] : [...foldersFor(dir, 'plan'), ...writtenTo(dir)];
  return [...new Set(folders)].filter(isLink).map((folder) => ({
    run: path.basename(folder),
    folder,
    why: 'it is a link, and no reviewer is told to write through one',
    fix: `remove the link: \`rm ${shellQuote(folder)}\``,
  }));
}

function openLoops(dir: StateDir): KnownLoop[] {
  try {
    return readLoops(dir).filter(({ loop }) => !isFinished(loop.phase));
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
