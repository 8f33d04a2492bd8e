// The runs of a project for `status`, `cancel` and `adopt`, and ending one by hand.

import { runName } from '../../../engine/context.ts';
import type { Project } from '../../../engine/project.ts';
import { forgetChecks } from '../../../engine/proof/forget-checks.ts';
import { NotNow, type RunSummary } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { messageOf } from '../../../text/message-of.ts';
import { filesOf, listRuns } from '../files.ts';
import { type FoundRun, readRun } from '../read-run.ts';
import { writeRunState } from '../state-format.ts';
import { describeStage } from './describe.ts';
import { allFlows } from './find-flow.ts';
import { shown } from './shown.ts';

/** Newest first. One that cannot be read is listed too. */
export function runs(project: Project): RunSummary[] {
  return listRuns(project.root).flatMap((run) => {
    try {
      const found = readRun(project.root, run);
      return found === null ? [] : [summary(project, run, found)];
    } catch (error) {
      const { state: file } = filesOf(project.root, run);
      const detail = { unreadable: messageOf(error) };
      return [{ run, live: false, stage: 'its state cannot be read', file, detail }];
    }
  });
}

function summary(project: Project, run: string, found: FoundRun): RunSummary {
  const { state, files } = found;
  const file = state.kind === 'unreadable' && state.what === 'definition' ? files.definition : files.state;
  return {
    run,
    live: state.kind === 'at',
    stage: describeStage(found),
    shown: () => shown(project.root, found),
    file,
    detail: {
      ...report(project, found),
      ...(state.kind === 'unreadable' ? { unreadable: `it is no ${state.what} of a flow` } : {}),
    },
  };
}

/** The run as data, for `status --json`. */
export function report(project: Project, { run, state }: FoundRun): RunSummary['detail'] {
  if (run === null) return {};
  const { flow, started, from, at, held, visits, ended } = run;
  const counts = { visits: { ...visits }, held, most: state.kind === 'at' ? state.most : null };
  return { flow, started, from, state: at, ...counts, ended, differs: changedFile(project, run) !== null };
}

/** What has become of the flow's file since this run was started, and what that means. Null: it is as it was. */
export function changedFile(
  project: Project,
  { flow, from, source }: { flow: string; from: string; source: string },
): string | null {
  const all = allFlows(project).filter((each) => each.name === flow);
  const [next] = all;
  const own = all.find((each) => each.shown === from);
  const start = `The run goes on by its own copy; \`${project.cli} flow start ${flow}\``;
  if (next === undefined) return `${from} is gone. ${start} needs that file again.`;
  if (own === undefined) return `${from} is gone. ${start} uses ${next.shown}.`;
  if (next !== own) return `${next.shown} now comes before ${from}. ${start} uses it.`;
  if (fingerprint(own.text) === source) return null;
  return `${from} differs from what this run was started with. ${start} uses the file as it is now.`;
}

/** Under the lock. A state that cannot be read is put aside: that is how a person gets rid of it. */
export function cancel(project: Project, id: string): string {
  const found = readRun(project.root, id);
  if (found === null) throw new NotNow(`there is no run flow:${id} here.`);
  const { run, state, files } = found;
  if (state.kind === 'ended')
    throw new NotNow(`flow:${id} has ended already, so there is nothing to cancel.`);
  forgetChecks(project, runName('flow', id));
  if (run === null)
    carryOut({ kind: 'move', from: files.state, to: `${files.state}.unreadable` }, project.root);
  else {
    const content = writeRunState({ ...run, ended: 'cancelled' });
    carryOut({ kind: 'replace', path: files.state, content }, project.root);
  }
  return `flow:${id} is cancelled; the agent is let go at its next stop.`;
}
