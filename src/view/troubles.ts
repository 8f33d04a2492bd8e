// What is in the way of a project's files, ours and the workflows': each of them looked at, and said in one line with
// what to do. What is wrong with one run's state or notes is said with the run (runs.ts).

import fs from 'node:fs';
import path from 'node:path';
import { folderForNewRun, type Project } from '../engine/project.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { readInside } from '../store/files.ts';
import { homeOf, journalFolder, journalPath } from '../store/home.ts';
import { holdsJournal, journalFiles } from '../store/journal.ts';
import { parseJson } from '../store/json.ts';
import { parseSession } from '../store/parse-records.ts';
import { type Trouble, troubleWith, type Use } from '../store/trouble.ts';
import { userStateFolder } from '../store/user-state.ts';
import { shellQuote } from '../text/shell.ts';
import { registry } from '../workflows/registry.ts';
import { troublesWithPlaces } from './runs.ts';

/** All of them; the same place is never named twice. */
export async function troublesIn(project: Project): Promise<Trouble[]> {
  const found = [...(await troublesOfWorkflows(project)), ...troublesOfOurs(project)];
  return found.filter(({ what }, position) => found.findIndex((other) => other.what === what) === position);
}

/** Where no project is found: something that hides one. Null where nothing does. */
export function hiddenRuns(
  { cwd, env }: Pick<Call, 'cwd' | 'env'>,
  workflow: RegistryEntry | null = null,
): Trouble | null {
  const traces = registry.flatMap((entry) => entry.traces);
  const folder = folderForNewRun(cwd, traces, env);
  const troubles = (workflow?.traces ?? traces).map((trace) =>
    troubleWith(path.join(folder, trace), folder, 'either', 'read'),
  );
  return troubles.find((trouble) => trouble !== null) ?? null;
}

/** Null: the journal can be read. Else why not, or that what is in it is none. */
export function troubleWithJournal(project: Project, use: Use): Trouble | null {
  const home = homeOf(project.root);
  const file = journalPath(home);
  const link = [file, journalFolder(home)].find(isLink);
  if (link !== undefined)
    return { what: `${link} is a link, and the journal is no link`, fix: `run \`rm ${shellQuote(link)}\`` };
  const inTheWay = troubleWith(file, project.root, 'file', use);
  if (inTheWay !== null) return inTheWay;
  for (const segment of journalFiles(project.root)) {
    const unread = troubleWith(segment, project.root, 'file', 'read');
    if (unread !== null) return unread;
  }
  const [newest] = journalFiles(project.root);
  if (newest === undefined || holdsJournal(newest)) return null;
  return {
    what: `${newest} holds no line that can be read as a stop`,
    fix: `run \`mv ${shellQuote(newest)} ${shellQuote(`${newest}.aside`)}\``,
  };
}

async function troublesOfWorkflows(project: Project): Promise<Trouble[]> {
  const found = registry.map(async (entry) => troublesWithPlaces(await entry.cli(), entry.traces, project));
  return (await Promise.all(found)).flat();
}

const OURS: readonly { name: string; kind: 'file' | 'folder'; use: Use }[] = [
  { name: '', kind: 'folder', use: 'replace' },
  { name: '.gitignore', kind: 'file', use: 'read' },
  { name: 'lock', kind: 'file', use: 'append' },
  { name: 'lock.lease', kind: 'folder', use: 'replace' },
  { name: 'journal', kind: 'folder', use: 'replace' },
  { name: 'runs', kind: 'folder', use: 'replace' },
  { name: 'sessions', kind: 'folder', use: 'replace' },
  { name: 'attempts', kind: 'folder', use: 'replace' },
];

function troublesOfOurs(project: Project): Trouble[] {
  const { root, home, env } = project;
  const own = OURS.flatMap(
    ({ name, kind, use }) => troubleWith(path.join(home, name), root, kind, use) ?? [],
  );
  const state = userStateFolder(env);
  const real = fs.existsSync(state) ? fs.realpathSync.native(state) : null;
  const tickets =
    real === null ? [] : (troubleWith(path.join(real, 'next-session'), real, 'folder', 'replace') ?? []);
  // Where our folder cannot be used at all, every file in it would say so again.
  return own.length > 0 ? [...own, tickets].flat() : [...troublesOfNotes(project), tickets].flat();
}

function troublesOfNotes(project: Project): Trouble[] {
  const sessions = path.join(project.home, 'sessions');
  const files = namesIn(sessions).map((name) => path.join(sessions, name));
  return [
    troubleWithJournal(project, 'append') ?? [],
    ...files.map((file) => troubleWithSession(file, project)),
  ].flat();
}

function troubleWithSession(file: string, { root }: Project): Trouble[] {
  const inTheWay = troubleWith(file, root, 'file', 'replace');
  if (inTheWay !== null) return [inTheWay];
  const parsed = parseSession(parseJson(readInside(file, root) ?? ''));
  if (parsed.kind === 'ok') return [];
  if (parsed.kind === 'newer')
    return [{ what: `${file} was written by a newer Holdfast`, fix: 'upgrade this one' }];
  return [
    {
      what: `${file} is not readable as Holdfast's notes on a session`,
      fix: `run \`rm ${shellQuote(file)}\`, and \`holdfast adopt\` in that session where it had a run`,
    },
  ];
}

/** More sessions than anybody looks through are not looked through. */
const MOST_SESSIONS = 500;

function namesIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .slice(0, MOST_SESSIONS);
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // What is wrong with the folder is found on the way to the file.
  }
}
