// What runs for a run right now: a review or a check, since when, until when, and the end of its output.

import fs from 'node:fs';
import type { Project } from '../engine/project.ts';
import { outputFiles } from '../engine/work/attempt.ts';
import { tailOf } from '../engine/work/tail.ts';
import { openRegular } from '../store/files.ts';
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
  const { stdout, stderr } = outputFiles(project, attempt);
  return tailOf(`${endOf(stderr)}\n${endOf(stdout)}`);
}

function endOf(file: string): string {
  try {
    if (!fs.lstatSync(file).isFile()) return '';
    const descriptor = openRegular(file);
    if (descriptor === null) return '';
    try {
      const { size } = fs.fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, READ_AT_MOST));
      const count = fs.readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8', 0, count);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
