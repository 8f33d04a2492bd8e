// The docket of a run, as every view shows it.

import type { Project } from '../engine/project.ts';
import type { RunDocket } from '../engine/workflow-cli.ts';
import { messageOf } from '../text/message-of.ts';
import type { KnownRun } from './runs.ts';

/** Null: it has none, or nothing is in it. One that cannot be read must not hide the others. */
export function docketOf(project: Project, { cli, run }: KnownRun): RunDocket | null | Error {
  try {
    const found = cli.docket?.(project, run) ?? null;
    return found === null || found.docket.findings.length === 0 ? null : found;
  } catch (error) {
    return new Error(messageOf(error));
  }
}
