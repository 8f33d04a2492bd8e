// The other two hooks. Before a compaction each run may write down what must survive it; at a session's start
// that is given back to the agent, and after /clear or a fork the user is told how to take a run over.
// Nothing is ever bound here: a fork's first event carries its parent's id (Claude Code 2.1.197).

import { wellFormed } from '../clients/encode.ts';
import { decodeStop } from '../clients/index.ts';
import type { ClientName, Stop } from '../clients/stop.ts';
import { writeJournal } from '../engine/stop/journal.ts';
import type { Machinery } from '../engine/context.ts';
import { notices } from '../engine/stop/notices.ts';
import type { Project } from '../engine/project.ts';
import { findRoot, openProject } from '../engine/stop/find-project.ts';
import { findRuns, findStrangers, type RunHere } from '../engine/stop/find-runs.ts';
import { isServed, runName } from '../engine/visit.ts';
import { carryOut } from '../store/files.ts';
import { ensureHome } from '../store/home.ts';
import { isObject, parseJson } from '../store/json.ts';
import { withLock } from '../store/lock.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import type { HookResult } from './stop.ts';

const SILENT: HookResult = { stdout: '', stderr: '', exitCode: 0 };

export async function sessionHook(
  event: string,
  input: string | null,
  named: ClientName | null,
  machinery: Machinery,
): Promise<HookResult> {
  const payload = input === null ? undefined : parseJson(input);
  if (!isObject(payload)) return SILENT;
  const { stop } = decodeStop(payload, named);
  const root = findRoot(stop, machinery);
  if (root === null || stop.session === null) return SILENT;
  const project = await openProject(root, machinery);
  const runs = await findRuns(stop, project, machinery);
  if (event === 'pre-compact') return writeAnchors(runs, stop, project, machinery);
  if (event !== 'session-start') return SILENT;
  const strangers = await findStrangers(stop, project, machinery);
  const notice = strangers.length === 0 ? null : notices.strangers(strangers, project.cli);
  return payload.source === 'compact' ? giveBack(runs, stop, project, notice) : say(notice, null);
}

/** Prints nothing: Claude Code feeds whatever is printed here to the summariser (2.1.197). */
async function writeAnchors(
  runs: readonly RunHere[],
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<HookResult> {
  if (runs.length > 0) ensureHome(project.root);
  for (const here of runs)
    await orNoted(here, stop, project, () =>
      withLock(project.home, machinery.lockPatienceMs, () => writeAnchor(here, stop, project)),
    );
  return SILENT;
}

async function writeAnchor({ workflow, run }: RunHere, stop: Stop, project: Project): Promise<void> {
  const sidecar = readSidecar(project.root, runName(workflow.name, run));
  if (!isServed(sidecar, stop)) return;
  const scene = { project, run, stop, own: sidecar.own };
  const commit = await workflow.use((loaded) => loaded.beforeCompaction?.(scene) ?? null);
  if (commit === null) return;
  writeSidecar(project.root, { ...sidecar, own: commit.own });
  for (const write of commit.writes) carryOut(write, commit.within ?? project.root);
}

/** One run's trouble must not cost the others their anchor; the next stop tells the user of it. */
async function orNoted(
  here: RunHere,
  stop: Stop,
  project: Project,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    writeJournal(project, stop, { kind: 'failed', name: runName(here.workflow.name, here.run), error });
  }
}

async function giveBack(
  runs: readonly RunHere[],
  stop: Stop,
  project: Project,
  notice: string | null,
): Promise<HookResult> {
  const texts: string[] = [];
  for (const here of runs)
    await orNoted(here, stop, project, async () => {
      const { workflow, run } = here;
      const sidecar = readSidecar(project.root, runName(workflow.name, run));
      if (!isServed(sidecar, stop)) return;
      const scene = { project, run, stop, own: sidecar.own };
      const text = await workflow.use((loaded) => loaded.afterCompaction?.(scene) ?? null);
      if (text !== null) texts.push(text);
    });
  return say(notice, texts.length === 0 ? null : texts.join('\n\n'));
}

/** `additionalContext` reaches the model in both clients; `systemMessage` is for the user. */
function say(notice: string | null, context: string | null): HookResult {
  if (notice === null && context === null) return SILENT;
  const answer = {
    ...(notice === null ? {} : { systemMessage: wellFormed(notice) }),
    ...(context === null
      ? {}
      : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: wellFormed(context) } }),
  };
  return { ...SILENT, stdout: JSON.stringify(answer) };
}
