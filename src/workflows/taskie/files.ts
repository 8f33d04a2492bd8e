// Looks into plan folders: which plans there are, what lies in one. Reads names and times; contents only where asked.

import fs from 'node:fs';
import { changedAt, isDenied, isInside, isPassing, readInside, realPath } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { isPlainPlan, isPlanId, PLANS, planFolder, planOfFolder } from './names.ts';

export type PlanFolder = {
  /** As it is spelled on disk. */
  name: string;
  /** Absolute. */
  path: string;
  /** Names of the files right in it, sorted. */
  files: readonly string[];
  /** Is there markdown in a folder below? */
  nested: boolean;
};

/** Ids of all plans, the one changed last first. */
export function listPlans(root: string): string[] {
  const plans = [...foldersByPlan(root).keys()];
  const times = new Map(plans.map((plan) => [plan, planChangedAt(root, plan)]));
  const known = plans.filter((plan) => times.get(plan) !== null);
  return known.sort(
    (left, right) => Number(times.get(right)) - Number(times.get(left)) || (left < right ? 1 : -1),
  );
}

/** Null: there is no such plan, or its folder leads out of the project. */
export function openPlan(root: string, plan: string): PlanFolder | null {
  const name = folderOf(root, plan);
  const folder = name === null ? null : realFolder(root, name);
  if (name === null || folder === null) return null;
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => below(folder, entry.name));
  return { name, path: folder, files: files.sort(), nested: hasMarkdownBelow(folders) };
}

/** Null when there is none. A link out of the project, a FIFO or a giant file counts as unreadable: `''`. */
export function readPlanFile(root: string, folder: PlanFolder, name: string): string | null {
  return readLeniently(below(folder.path, name), root);
}

/** Only the state of a plan, without a look at the rest of its folder. */
export function readStateFile(root: string, plan: string): string | null {
  const name = folderOf(root, plan);
  const folder = name === null ? null : realFolder(root, name);
  return folder === null ? null : readLeniently(below(folder, 'state.json'), root);
}

/** The name of a plan's folder as it is spelled on disk; null: there is none of that name. */
export function folderOf(root: string, plan: string): string | null {
  if (isPlainPlan(plan)) return plan;
  return isPlanId(plan) ? (foldersByPlan(root).get(planOfFolder(plan)) ?? null) : null;
}

/** Of two folders whose names differ in their spelling alone, the one in NFC is served. */
export function foldersByPlan(root: string): Map<string, string> {
  const folders = new Map<string, string>();
  const plans = below(root, PLANS);
  for (const entry of entriesOf(plans)) {
    const { name } = entry;
    // A file may lie there under any other name: one with a plain name is in a plan's way, and is spoken of.
    if (!isPlainPlan(name) && !(isPlanId(name) && isFolder(entry, plans))) continue;
    const plan = planOfFolder(name);
    if (name === plan || !folders.has(plan)) folders.set(plan, name);
  }
  return folders;
}

function isFolder(entry: fs.Dirent, plans: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return fs.statSync(below(plans, entry.name)).isDirectory();
  } catch {
    return false; // It leads nowhere.
  }
}

/** By the times of `*.md` and state.json, as a person would tell which plan was worked on last. */
function planChangedAt(root: string, plan: string): number | null {
  const folder = reachable(root, folderOf(root, plan) ?? plan);
  if (folder === null) return null;
  const files = namesIn(folder).filter((name) => name === 'state.json' || isMarkdown(name));
  const times = files.map((name) => changedAt(below(folder, name)));
  return times.length === 0 ? null : times.reduce((newest, time) => Math.max(newest, time));
}

/** A plan that is a link in circles must not hide the others; whether it can be reached later is another matter. */
function reachable(root: string, name: string): string | null {
  try {
    return realFolder(root, name);
  } catch (error) {
    if (isPassing(error)) throw error;
    return null;
  }
}

export const isMarkdown = (name: string): boolean => name.endsWith('.md') && !name.startsWith('.');

function realFolder(root: string, name: string): string | null {
  const folder = realPath(below(root, planFolder(name)));
  if (folder === null || !isInside(folder, root)) return null;
  return fs.statSync(folder).isDirectory() ? folder : null;
}

/** Somebody may keep a whole checkout in there: after so many entries we stop looking. */
const MOST_ENTRIES = 5000;

function hasMarkdownBelow(folders: readonly string[]): boolean {
  const waiting = [...folders];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined && seen < MOST_ENTRIES; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      seen++;
      if (entry.isDirectory()) waiting.push(below(folder, entry.name));
      else if (isMarkdown(entry.name)) return true;
    }
  }
  return false;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not ours to read, or gone meanwhile.
  }
}

function namesIn(folder: string): string[] {
  return entriesOf(folder).map((entry) => entry.name);
}

function readLeniently(file: string, root: string): string | null {
  try {
    return readInside(file, root, 4 * 1024 * 1024);
  } catch (error) {
    // A task table that counted as empty would move the plan past its pending tasks.
    if (isPassing(error) || isDenied(error)) throw error;
    return '';
  }
}
