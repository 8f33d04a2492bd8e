// What runs for a run right now: a review or a check, since when, until when, and the end of its output.

import fs from 'node:fs';
import type { Project } from '../engine/project.ts';
import { readFrom } from '../engine/work/output.ts';
import { tailOf } from '../engine/work/tail.ts';
import { type OutputName, openOutput } from '../store/outputs.ts';
import type { Attempt, Sidecar } from '../store/records.ts';
import type { WorkView } from './model.ts';

export function workOf(project: Project, { attempts }: Sidecar): WorkView[] {
  return attempts
    .filter(({ status }) => status === 'running')
    .map((attempt) => ({
      attempt: attempt.id,
      kind: attempt.work,
      name: nameOf(attempt),
      since: sinceOf(attempt) ?? project.now,
      deadline: attempt.deadline,
      alive: isAlive(attempt, project.now),
      tail: tailOfOutput(project, attempt.id),
    }));
}

function nameOf(attempt: Attempt): string {
  if (attempt.work === 'check') return attempt.check;
  const { reviewer, model, kind, number } = attempt;
  return `${model === '' ? reviewer : `${reviewer}/${model}`}, ${kind} ${number}`;
}

/** An attempt's id begins with the clock of the stop that began it, then comes the hook's process. */
function sinceOf(attempt: Attempt): number | null {
  if (attempt.work === 'review' && attempt.begun !== undefined) return attempt.begun;
  const time = Number.parseInt(attempt.id, 36);
  return Number.isSafeInteger(time) ? time : null;
}

const GRACE_MS = 60_000;

/** As far as can be seen without touching its lock. */
function isAlive({ id, deadline }: Attempt, now: number): boolean {
  const pid = Number(/^[0-9a-z]+-(\d{1,10})-/.exec(id)?.[1] ?? 0);
  return now < deadline + GRACE_MS && (pid === 0 || isThere(pid));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const READ_AT_MOST = 8 * 1024;

function tailOfOutput(project: Project, attempt: string): string {
  return tailOf(`${endOf(project, attempt, 'stderr')}\n${endOf(project, attempt, 'stdout')}`);
}

/** Empty where it is another user's, too. */
function endOf(project: Project, attempt: string, name: OutputName): string {
  try {
    const output = openOutput(project, attempt, name);
    if (output === null) return '';
    try {
      const { size } = fs.fstatSync(output);
      return readFrom(output, Math.max(0, size - READ_AT_MOST), READ_AT_MOST).toString('utf8');
    } finally {
      fs.closeSync(output);
    }
  } catch {
    return '';
  }
}
