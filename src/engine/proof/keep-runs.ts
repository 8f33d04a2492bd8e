// A check may clean the tree (`git clean -xfdq && npm test`) and take the project's runs along. What they were when it
// began is kept in memory, and put back when it has ended: the state as its workflow has it, our notes on the run, and
// whose it is. Loaded when a check is run, and never read from anywhere that the check can write.

import fs from 'node:fs';
import path from 'node:path';
import { Refused, readInside, realPath } from '../../store/files.ts';
import { ensureHome, sessionPath, sidecarPath } from '../../store/home.ts';
import { parseJson } from '../../store/json.ts';
import { withLock } from '../../store/lock.ts';
import { parseSidecar } from '../../store/parse-records.ts';
import { below } from '../../store/paths.ts';
import { NEW_SESSION, type SessionIndex, type Sidecar } from '../../store/records.ts';
import { readSession, sidecarWrite, writeSession } from '../../store/sidecars.ts';
import { carryOutTogether } from '../../store/together.ts';
import { messageOf } from '../../text/message-of.ts';
import type { Project } from '../project.ts';
import type { AnyWorkflow, InFiles, RegistryEntry } from '../workflow.ts';
import { type NotedCheck, noteCheck } from './check-record.ts';
import { ownFiles } from './own-files.ts';
import { hasPin } from './pin-place.ts';
import { type Failure, putBackText } from './put-back-text.ts';

export type CheckToKeepFor = {
  project: Project;
  registry: readonly RegistryEntry[];
  lockPatienceMs: number;
  /** Its name, and an id that no other check has: of the attempt, where there is one. */
  check: string;
  id: string;
  /** The run whose claim it is about; null: a person's `holdfast check`. */
  run: string | null;
};

/** Answers with what there is to say to the user; null: nothing was taken along. */
export type KeptRuns = { putBack(): Promise<string | null> };

/** Before the check is started. */
export async function keepRuns(of: CheckToKeepFor): Promise<KeptRuns> {
  const { project, registry, lockPatienceMs, check, id } = of;
  const workflows = await Promise.all(registry.map((entry) => entry.load()));
  const { kept, record } = await withLock(project.home, lockPatienceMs, async () => {
    const live = await liveRuns(of, workflows);
    const runs = live.map(({ sidecar }) => ({ name: sidecar.run, sessions: sidecar.sessions }));
    return { kept: live, record: noted(project, id, { root: project.root, check, runs }) };
  });
  const before = filesIn(project.root, registry);
  return {
    async putBack() {
      try {
        if (await areAllThere(kept, project)) return null;
        const { back, failed } = await putBackAll(kept, record, of);
        const own = failed.find(({ run }) => run === of.run);
        // Nothing can be held by it then, whatever the check said.
        if (own !== undefined)
          throw new Refused(
            `the check ${check} took files of ${own.run} along, and they could not be put back: ${own.why}`,
          );
        const gone = before.filter((file) => !fs.existsSync(below(project.root, file)));
        const isNews = back.length > 0 || failed.length > 0;
        return isNews ? putBackText({ check, back, failed, gone, own: ownFiles(registry) }) : null;
      } finally {
        record?.remove();
      }
    },
  };
}

type KeptRun = {
  sidecar: Sidecar;
  workflow: AnyWorkflow;
  /** Null: its workflow says nothing of its files. */
  live: LiveRun | null;
  isPinned: boolean;
  indexes: readonly { session: string; index: SessionIndex }[];
};

type LiveRun = Extract<InFiles, { kind: 'live' }> & {
  /** Where each write really led. */
  places: readonly string[];
};

async function liveRuns(
  { project, id }: CheckToKeepFor,
  workflows: readonly AnyWorkflow[],
): Promise<KeptRun[]> {
  const found: KeptRun[] = [];
  for (const sidecar of sidecarsIn(project)) {
    const workflow = workflows.find(({ name }) => sidecar.run.startsWith(`${name}:`));
    if (workflow === undefined) continue;
    const there = await whatIsThere(workflow, sidecar, project);
    if (there === 'unreadable' || there?.kind === 'gone' || there?.kind === 'over') continue;
    const live = there && { ...there, places: there.writes.map((write) => placeOf(write.path)) };
    const indexes = sidecar.sessions.flatMap((session) => {
      const index = readSession(project.root, session);
      return index === null ? [] : [{ session, index }];
    });
    // The attempt is over when this is put back.
    const attempts = sidecar.attempts.filter((attempt) => attempt.id !== id);
    const isPinned = hasPin(project, sidecar.run);
    found.push({ sidecar: { ...sidecar, attempts }, workflow, live, isPinned, indexes });
  }
  return found;
}

/** Null: its workflow does not say. */
async function whatIsThere(
  workflow: AnyWorkflow,
  sidecar: Sidecar,
  project: Project,
): Promise<InFiles | 'unreadable' | null> {
  try {
    const run = sidecar.run.slice(workflow.name.length + 1);
    return (await workflow.inFiles?.({ project, run, saved: sidecar.saved })) ?? null;
  } catch {
    return 'unreadable'; // Another's broken state must not cost this run its check.
  }
}

function sidecarsIn({ root, home }: Project): Sidecar[] {
  const folder = path.dirname(sidecarPath(home, 'a:b'));
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.flatMap((name) => {
    try {
      const text = readInside(below(folder, name), root, 4 * 1024 * 1024);
      const parsed = text === null ? null : parseSidecar(parseJson(text));
      const isIts = parsed?.kind === 'ok' && sidecarPath(home, parsed.record.run) === below(folder, name);
      return isIts ? [parsed.record] : [];
    } catch {
      return []; // As above.
    }
  });
}

/** Without it the runs are put back all the same: only what is ended meanwhile, or killed, is not on record. */
function noted(project: Project, id: string, record: Parameters<typeof noteCheck>[2]): NotedCheck | null {
  try {
    return record.runs.length === 0 ? null : noteCheck(project, id, record);
  } catch {
    return null;
  }
}

type PutBack = { back: readonly string[]; failed: readonly Failure[] };

async function putBackAll(
  kept: readonly KeptRun[],
  record: NotedCheck | null,
  { project, lockPatienceMs }: CheckToKeepFor,
): Promise<PutBack> {
  try {
    ensureHome(project.root);
    return await withLock(project.home, lockPatienceMs, () => putEachBack(kept, record, project));
  } catch (error) {
    return { back: [], failed: kept.map(({ sidecar }) => ({ run: sidecar.run, why: messageOf(error) })) };
  }
}

/** Under the lock. */
async function putEachBack(
  kept: readonly KeptRun[],
  record: NotedCheck | null,
  project: Project,
): Promise<PutBack> {
  const left = record?.runs();
  const back: string[] = [];
  const failed: Failure[] = [];
  for (const each of kept) {
    const { run } = each.sidecar;
    if (left?.includes(run) === false || (each.isPinned && !hasPin(project, run))) continue;
    try {
      if (await putBack(each, project)) back.push(run);
    } catch (error) {
      failed.push({ run, why: messageOf(error) });
    }
  }
  return { back, failed };
}

async function areAllThere(kept: readonly KeptRun[], project: Project): Promise<boolean> {
  for (const { sidecar, workflow } of kept) {
    if (!fs.existsSync(sidecarPath(project.home, sidecar.run))) return false;
    const there = await whatIsThere(workflow, sidecar, project);
    if (there !== 'unreadable' && there?.kind === 'gone') return false;
  }
  return true;
}

/** Under the lock. The sidecar first, the state last, as in every commit. False: nothing of it was gone, or it is over. */
async function putBack({ sidecar, workflow, live, indexes }: KeptRun, project: Project): Promise<boolean> {
  const { root, home } = project;
  const there = await whatIsThere(workflow, sidecar, project);
  if (there === 'unreadable' || there?.kind === 'over') return false;
  const hasSidecar = fs.existsSync(sidecarPath(home, sidecar.run));
  const lost = there?.kind === 'gone' ? live : null;
  if (hasSidecar && lost === null) return false;
  for (const { session, index } of indexes) putIndexBack(root, home, session, index, sidecar.run);
  const missing = (lost?.writes ?? []).filter((write, position) => {
    refuseOtherPlace(write.path, lost?.places[position]);
    return write.kind === 'append' || !fs.existsSync(write.path);
  });
  const within = lost?.within ?? root;
  carryOutTogether([
    ...(hasSidecar ? [] : [{ write: sidecarWrite(root, sidecar), root }]),
    ...missing.map((write) => ({ write, root: within })),
  ]);
  return true;
}

/** First: a run that it names without success is passed over (bind). */
function putIndexBack(root: string, home: string, session: string, index: SessionIndex, run: string): void {
  const known = fs.existsSync(sessionPath(home, session)) ? readSession(root, session) : index;
  const { runs, ...rest } = known ?? NEW_SESSION;
  writeSession(root, session, { ...rest, runs: [...runs.filter((other) => other !== run), run] });
}

/** A link that the check left on the way is not written through, wherever it leads. */
function refuseOtherPlace(target: string, before: string | undefined): void {
  if (placeOf(target) !== before)
    throw new Refused(`${target} is behind a link since the check ran, and is not written through it`, {
      file: target,
    });
}

/** With the links of the folders that are there. */
function placeOf(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const real = realPath(folder);
    if (real !== null) return path.join(real, path.relative(folder, file));
    if (folder === path.dirname(folder)) return file;
  }
}

/** A plan may hold a whole checkout: after so many we stop looking. */
const MOST_FILES = 5000;

/** Our own files and the workflows', relative to the root; without what lives as long as a hook. */
function filesIn(root: string, registry: readonly RegistryEntry[]): string[] {
  const found: string[] = [];
  const waiting = ownFiles(registry).reverse();
  for (let next = waiting.pop(); next !== undefined && found.length < MOST_FILES; next = waiting.pop()) {
    if (PASSING.test(next)) continue;
    const entries = entriesOf(below(root, next));
    if (entries === null) found.push(next);
    else waiting.push(...entries.reverse().map((name) => below(next, name)));
  }
  return found.filter((file) => fs.existsSync(below(root, file)));
}

const PASSING = /^\.holdfast\/(?:lock|attempts|lease-only)|^[^/]+\/\.gitignore$/;

/** Null: it is no folder that we may look into. */
function entriesOf(folder: string): string[] | null {
  try {
    return fs.lstatSync(folder).isDirectory() ? fs.readdirSync(folder).sort() : null;
  } catch {
    return null;
  }
}
