// The line: the run, where it stands, what it waits for or runs, its checks, what it has spent.

import fs from 'node:fs';
import { hasBudget } from '../../engine/budget/place.ts';
import { readBudget } from '../../engine/budget/record.ts';
import { KINDS } from '../../engine/budget/rule.ts';
import { spentInWords } from '../../engine/budget/words.ts';
import { type Runtime, runName } from '../../engine/context.ts';
import { foldersWithRuns, type Project } from '../../engine/project.ts';
import { allTraces, hasRunsOf, openProject } from '../../engine/stop/find-project.ts';
import { waitingNow } from '../../engine/waiting/clock.ts';
import type { RegistryEntry } from '../../engine/workflow.ts';
import { below } from '../../store/paths.ts';
import { newSidecar, type Sidecar } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { describeSpan, describeTime } from '../times.ts';
import type { Asked } from './asked.ts';
import { lastChecks } from './last-checks.ts';

/** Empty: nothing runs. */
export async function lineFor(asked: Asked, runtime: Runtime): Promise<string> {
  const root = rootOf(asked, runtime);
  if (root === null) return '';
  const project = await openProject(root, runtime);
  const runs = (await Promise.all(runtime.registry.map((entry) => liveRuns(entry, project)))).flat();
  const mine = runs.filter(
    ({ sidecar }) => asked.session === null || sidecar.sessions.includes(asked.session),
  );
  const [first, ...others] = mine;
  if (first === undefined) return '';
  const more = others.length === 0 ? [] : [`and ${others.length} more`];
  return [...partsOf(first, project), ...more].join(' · ');
}

/** The one with the session's runs; else the nearest. */
function rootOf({ session, folders }: Asked, runtime: Runtime): string | null {
  const starts = folders.length === 0 ? [runtime.cwd] : folders;
  const found = starts.flatMap((start) => foldersWithRuns(start, allTraces(runtime), runtime.env));
  const own = session === null ? undefined : found.find((folder) => hasRunsOf(folder, session));
  return own ?? found[0] ?? null;
}

type LiveRun = { name: string; label: string; sidecar: Sidecar };

/** A workflow that has no file here is not loaded. */
async function liveRuns({ name, traces, short }: RegistryEntry, project: Project): Promise<LiveRun[]> {
  if (short === undefined || !traces.some((trace) => fs.existsSync(below(project.root, trace)))) return [];
  const list = await short();
  return list(project).map(({ run, stands }) => ({
    name: runName(name, run),
    label: `${name} ${stands}`,
    sidecar: notesOn(project, runName(name, run)),
  }));
}

function notesOn({ root }: Project, name: string): Sidecar {
  try {
    return readSidecar(root, name);
  } catch {
    return newSidecar(name);
  }
}

function partsOf({ name, label, sidecar }: LiveRun, project: Project): string[] {
  return [
    label,
    ...waitIn(sidecar, project.now),
    ...workIn(sidecar, project.now),
    ...lastChecks(project, name),
    ...spentOf(project, name),
  ];
}

function waitIn(sidecar: Sidecar, now: number): string[] {
  const wait = waitingNow(sidecar, now);
  if (wait === null) {
    const released = Object.values(sidecar.guard).some((memory) => memory.released);
    return released ? ['let go: no progress'] : [];
  }
  const until = wait.until === null ? '' : ` until ${describeTime(wait.until).slice(11)}`;
  return [{ person: 'asks you', work: 'waits for work', limit: `at a limit${until}` }[wait.for]];
}

function workIn({ attempts }: Sidecar, now: number): string[] {
  const running = attempts.find(({ status, deadline }) => status === 'running' && now < deadline);
  if (running === undefined) return [];
  const begun = running.work === 'review' ? running.begun : undefined;
  const since = begun === undefined ? '' : ` ${describeSpan(Math.max(0, now - begun))}`;
  return [
    running.work === 'review' ? `${running.reviewer} reviews${since}` : `${running.check} runs${since}`,
  ];
}

/** At most two of its limits. */
function spentOf(project: Project, name: string): string[] {
  if (!hasBudget(project, name)) return [];
  try {
    const budget = readBudget(project, name);
    if (budget === null) return [];
    const { limits, spent, stage } = budget;
    const parts = KINDS.filter((kind) => limits[kind] !== null).slice(0, 2);
    return [
      ...(stage === 'paused' ? ['paused'] : []),
      ...parts.map((kind) => spentInWords(kind, limits, spent)),
    ];
  } catch {
    return []; // `holdfast status` says what is wrong with it.
  }
}
