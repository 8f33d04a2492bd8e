// All runs of a project, whichever workflow they belong to, and how a user names one.

import path from 'node:path';
import { runName } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import {
  type Call,
  NotNow,
  type RunSummary,
  type UnusedRun,
  type WorkflowCli,
  WrongUsage,
} from '../engine/workflow-cli.ts';
import { isInside } from '../store/files.ts';
import { sidecarPath } from '../store/home.ts';
import { newSidecar, type Sidecar } from '../store/records.ts';
import { readSidecar } from '../store/sidecars.ts';
import { type Trouble, troubleWith } from '../store/trouble.ts';
import { messageOf } from '../text/message-of.ts';
import { shownWord } from '../text/quoted.ts';
import { shellQuote } from '../text/shell.ts';
import { registry } from '../workflows/registry.ts';

export type KnownRun = RunSummary & {
  name: string;
  workflow: RegistryEntry;
  cli: WorkflowCli;
  sidecar: Sidecar;
  /** Why it is unknown where it stands; null where it is known. */
  stateTrouble: Trouble | null;
  /** Why it is unknown whose it is. */
  notesTrouble: Trouble | null;
};

export async function allRuns(project: Project): Promise<KnownRun[]> {
  const lists = await Promise.all(
    registry.map(async (workflow) => {
      const cli = await workflow.cli();
      return runsOf(cli, project).map((summary) => {
        const name = runName(workflow.name, summary.run);
        const { sidecar, notesTrouble } = notesOf(project, name);
        const stateTrouble = troubleWithState(summary, cli, project);
        return { ...summary, name, workflow, cli, sidecar, stateTrouble, notesTrouble };
      });
    }),
  );
  return lists.flat();
}

export function ofWorkflow(runs: readonly KnownRun[], workflow: string | null): readonly KnownRun[] {
  return workflow === null ? runs : runs.filter((run) => run.workflow.name === workflow);
}

type NamedUnusedRun = UnusedRun & { name: string };

/** What looks like a run here and is not used, of all workflows, but for places that were named already. */
export async function unusedBeside(
  troubles: readonly Trouble[],
  project: Project | null,
): Promise<NamedUnusedRun[]> {
  const unused = project === null ? [] : await unusedRuns(project);
  return unused.filter(({ folder }) => !troubles.some(({ what }) => what.startsWith(`${folder} `)));
}

async function unusedRuns(project: Project): Promise<NamedUnusedRun[]> {
  const lists = await Promise.all(
    registry.map(async (workflow) =>
      ((await workflow.cli()).unused?.(project) ?? []).map((unused) => ({
        ...unused,
        name: runName(workflow.name, unused.run),
      })),
    ),
  );
  return lists.flat();
}

/** Where it stands, where that is its end; null: it goes on, or can be taken up again. */
export function whyOver({ cli, run, live, stage }: KnownRun, project: Project): string | null {
  const stand = cli.driven?.stands?.(project, run).kind ?? 'active';
  return stand === 'over' || (!live && stand !== 'stale') ? stage : null;
}

/** A run that is there, but cannot be used, is not to be denied. */
export async function refuseUnused(project: Project, named: string): Promise<void> {
  const wanted = named.normalize('NFC');
  const found = (await unusedRuns(project)).find(({ name, run }) =>
    [name, run].some((each) => each === named || each === wanted),
  );
  if (found !== undefined)
    throw new NotNow(`${found.name} is there, but is not used: ${found.why}. To use it, ${found.fix}.`);
}

type Named = { name: string; run: string };

/** The run a user named: in full (`<workflow>:<id>`), by its id, or by any beginning of these that only one run has. */
export function pickRun<T extends Named>(runs: readonly T[], named: string): T {
  // A keyboard and a file system may spell the same name differently.
  const wanted = named.normalize('NFC');
  const exact = runs.filter(({ name, run }) => name === wanted || run === wanted);
  const begins = ({ name, run }: Named): boolean => name.startsWith(wanted) || run.startsWith(wanted);
  const found = exact.length > 0 || wanted === '' ? exact : runs.filter(begins);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (found.length > 1)
    throw new NotNow(`"${named}" could be ${found.map(({ name }) => name).join(' or ')}; name it in full.`);
  throw new NotNow(`there is no run "${named}" in this project. \`holdfast status --all\` lists them.`);
}

/** The run a command is about, as it was typed: its argument, or what `--run` names. */
export function wordOrFlag({ words, flags }: Pick<Call, 'words' | 'flags'>): string | undefined {
  const [named] = words;
  if (named !== undefined && flags.run !== undefined)
    throw new WrongUsage('name the run once: as the argument, or with --run.');
  return named ?? (typeof flags.run === 'string' ? flags.run : undefined);
}

/** A folder that cannot be listed is a trouble of its own (troubles.ts); the other workflows still list theirs. */
function runsOf(cli: WorkflowCli, project: Project): readonly RunSummary[] {
  try {
    return cli.runs(project);
  } catch {
    return [];
  }
}

function troubleWithState({ file, detail }: RunSummary, cli: WorkflowCli, project: Project): Trouble | null {
  const inTheWay = file === undefined ? null : troubleWith(file, topOf(file, project), 'file', 'read');
  const { unreadable } = detail;
  if (inTheWay !== null || typeof unreadable !== 'string') return inTheWay;
  if (file !== undefined)
    return {
      what: `${file}: ${unreadable}`,
      fix: `correct that file, or move it aside: \`mv ${shellQuote(file)} ${shellQuote(`${file}.broken`)}\``,
    };
  const [first] = troublesWithPlaces(cli, [], project);
  return first ?? { what: unreadable, fix: 'correct that file, or move it aside' };
}

/** Of the files and folders that tell which runs there are; where not even those are known, of the traces. */
export function troublesWithPlaces(cli: WorkflowCli, traces: readonly string[], project: Project): Trouble[] {
  return placesOf(cli, traces, project).flatMap(
    ({ path: place, kind }) => troubleWith(place, topOf(place, project), kind, 'read') ?? [],
  );
}

/** Also where a workflow cannot say them: then its traces. */
export function placesOf(
  cli: WorkflowCli,
  traces: readonly string[],
  project: Project,
): readonly { path: string; kind: 'file' | 'folder' | 'either' }[] {
  const known = traces.map((trace) => ({ path: path.join(project.root, trace), kind: 'either' as const }));
  try {
    return cli.places?.(project) ?? known;
  } catch {
    return known;
  }
}

/** A list still lists a run whose notes cannot be read. */
function notesOf(project: Project, name: string): Pick<KnownRun, 'sidecar' | 'notesTrouble'> {
  const inTheWay = troubleWith(sidecarPath(project.home, name), project.root, 'file', 'replace');
  try {
    return { sidecar: readSidecar(project.root, name), notesTrouble: inTheWay };
  } catch (error) {
    const what = messageOf(error);
    const fix = what.includes('newer Holdfast')
      ? 'upgrade this one'
      : `run \`holdfast adopt ${shownWord(name)}\``;
    return { sidecar: newSidecar(name), notesTrouble: inTheWay ?? { what, fix } };
  }
}

/** A workflow's files may have been moved out of the project by the user. */
export function topOf(file: string, { root }: Project): string {
  return isInside(file, root) ? root : path.dirname(file);
}
