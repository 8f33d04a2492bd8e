// idle at the command line.

import fs from 'node:fs';
import type { DrivenStand } from '../../../engine/driven.ts';
import type { Project } from '../../../engine/project.ts';
import type { RunSummary, WorkflowCli } from '../../../engine/workflow-cli.ts';
import { isObject, parseJson } from '../../../store/json.ts';
import { openInside } from '../../../store/open.ts';
import { linesFromEnd } from '../../../text/backward.ts';
import { messageOf } from '../../../text/message-of.ts';
import { loopClock } from '../clock.ts';
import { isActive, isStale } from '../decide.ts';
import { fallbackPath, logPath } from '../files.ts';
import type { FoundLoop } from '../read-loop.ts';
import type { State } from '../types.ts';
import { NAMELESS } from '../unfinished-runs.ts';
import { cancel, cancelAll } from './cancel.ts';
import { describeStage } from './describe.ts';
import { explain } from './explain.ts';
import { grind } from './grind.ts';
import { issue } from './issue.ts';
import { loop } from './loop.ts';
import { redecide } from './replay.ts';
import { resume } from './resume.ts';
import { shown, stateOf } from './shown.ts';
import { report, status } from './status.ts';
import { loopOf, loopToChange } from './which-loop.ts';

export const cli: WorkflowCli = {
  commands: [loop, issue, grind, status, cancel, resume],
  runs,
  keepsOne: true,
  places: ({ root }) => [
    { path: logPath(root), kind: 'file' },
    { path: fallbackPath(root), kind: 'file' },
  ],
  cancel: (project) => cancelAll(project, loopToChange(project)),
  redecide,
  stateOf,
  explain,
  driven: { takeUp: resume, stands },
  demo: () => import('./demo.ts').then((module) => module.demo),
};

/** One project has one loop; what went before it is in the log. One that cannot be read is listed too. */
function runs(project: Project): RunSummary[] {
  try {
    return runsIn(project);
  } catch (error) {
    const problem = messageOf(error);
    return [
      { run: NAMELESS, live: false, stage: 'its state cannot be read', detail: { unreadable: problem } },
    ];
  }
}

function runsIn(project: Project): RunSummary[] {
  const found = loopOf(project);
  const { state, run, source } = found;
  if (state.kind === 'nothing')
    return found.log === null || hasReadableLine(logPath(project.root), project.root)
      ? []
      : [withoutLines(project)];
  const file = source === 'file' ? fallbackPath(project.root) : logPath(project.root);
  const now = loopClock(project, run);
  return [
    {
      run: run ?? NAMELESS,
      file,
      live: isActive(state, now),
      stage: describeStage(state, now),
      shown: () => shown(found, file, project.root, now),
      detail: { ...reportOrNone(project, found), ...problemOf(state, source) },
    },
  ];
}

/** One that nobody worked on for hours is taken up again by `resume`. */
function stands(project: Project, run: string): DrivenStand {
  const { state, run: found } = loopOf(project);
  const stale = found === run && state.kind === 'loop' && isStale(state, loopClock(project, run));
  return { kind: stale ? 'stale' : 'active' };
}

/** Not a single line of it is one of the store's: nobody can tell whether a loop goes on. */
function withoutLines(project: Project): RunSummary {
  return {
    run: NAMELESS,
    file: logPath(project.root),
    live: false,
    stage: 'its state cannot be read',
    detail: { unreadable: 'it holds no line of a topic store' },
  };
}

function hasReadableLine(file: string, root: string): boolean {
  const descriptor = openInside(file, root);
  if (descriptor === null) return true;
  try {
    if (fs.fstatSync(descriptor).size === 0) return true;
    for (const line of linesFromEnd(descriptor, 64 * 1024)) if (isObject(parseJson(line.text))) return true;
    return false;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Notes that cannot be read are said to be so beside the run; they take nothing from where it stands. */
function reportOrNone(project: Project, found: FoundLoop): RunSummary['detail'] {
  try {
    return report(project, found);
  } catch {
    return {};
  }
}

function problemOf(state: State, source: 'topic' | 'file'): { unreadable?: string } {
  if (state.kind === 'lost')
    return { unreadable: 'it is too long to be read back to the last state of the loop' };
  if (state.kind !== 'unreadable') return {};
  return {
    unreadable:
      source === 'file'
        ? 'it does not begin with the lines between `---` that tell the state'
        : 'the last message of the topic loop:current is no state of a loop',
  };
}
