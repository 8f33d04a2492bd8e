// Plans that are there and are not used: their name is no plan id, or they lead out of the project. Commands name
// them, why, and what to do about it; "there is no plan" would send people looking. Never loaded by the hook.

import fs from 'node:fs';
import type { Project } from '../../../engine/project.ts';
import type { UnusedRun } from '../../../engine/workflow-cli.ts';
import { isInside } from '../../../store/files.ts';
import { below } from '../../../store/paths.ts';
import { shellQuote } from '../../../text/shell.ts';
import { isMarkdown } from '../files.ts';
import { isPlanId, LONGEST_ID, PLANS } from '../names.ts';

export function unusedPlans({ root }: Pick<Project, 'root'>): UnusedRun[] {
  const outside = ['.taskie', PLANS].find((folder) => leadsOut(below(root, folder), root) !== null);
  if (outside !== undefined) return [linked(outside, below(root, outside), root)];
  const plans = below(root, PLANS);
  return namesIn(plans)
    .sort()
    .flatMap((name) => unused(name, plans, root) ?? []);
}

/** The one of that name; null when there is none, or when it is used. */
export function unusedPlan(project: Pick<Project, 'root'>, name: string): UnusedRun | null {
  return unusedPlans(project).find(({ run }) => run === name) ?? null;
}

/** `"my plan" is in .taskie/plans, but is not used: …` */
export function describeUnused({ run, why, fix }: UnusedRun): string {
  const where = run === PLANS || run === '.taskie' ? `${run} is there` : `"${run}" is in ${PLANS}`;
  return `${where}, but is not used: ${why}. ${fix[0]?.toUpperCase()}${fix.slice(1)}.`;
}

function unused(name: string, plans: string, root: string): UnusedRun | null {
  const folder = below(plans, name);
  if (isPlanId(name)) {
    if (leadsOut(folder, root) !== null) return linked(name, folder, root);
    return isUnreadable(folder) ? unreadable(name, folder) : null;
  }
  // Any other folder may lie there, too; one with a plan's files is somebody's plan.
  if (!fs.lstatSync(folder).isSymbolicLink() && !namesIn(folder).some(isPlanFile)) return null;
  if (!isFolder(folder)) return null;
  const why =
    name.length > LONGEST_ID && /^[\w-]+$/.test(name)
      ? `a plan's id has at most ${LONGEST_ID} characters`
      : `a plan's id is letters (a to z), digits, "-" and "_" only`;
  return {
    run: name,
    folder,
    why,
    fix: `rename it: \`mv ${shellQuote(folder)} ${below(plans, freeId(name, plans))}\``,
  };
}

/** Where a link leads, when that is not inside the project: a folder elsewhere, nowhere, or round in circles. */
function leadsOut(folder: string, root: string): { to: string; isThere: boolean } | null {
  const entry = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined || !entry.isSymbolicLink()) return null;
  try {
    const real = fs.realpathSync.native(folder);
    return isInside(real, root) ? null : { to: real, isThere: true };
  } catch {
    return { to: fs.readlinkSync(folder), isThere: false };
  }
}

function linked(name: string, folder: string, root: string): UnusedRun {
  const target = leadsOut(folder, root);
  const [link, to] = [shellQuote(folder), target?.to ?? ''];
  return target?.isThere
    ? {
        run: name,
        folder,
        why: `it is a link to ${to}, outside the project`,
        fix: `replace the link with the folder itself: \`rm ${link} && cp -R ${shellQuote(to)} ${link}\``,
      }
    : {
        run: name,
        folder,
        why: `it is a link to ${to}, which cannot be reached`,
        fix: `remove the link: \`rm ${link}\``,
      };
}

function unreadable(name: string, folder: string): UnusedRun {
  return {
    run: name,
    folder,
    why: 'its folder cannot be read',
    fix: `make it readable: \`chmod u+rwx ${shellQuote(folder)}\``,
  };
}

/** What the name comes to in a plan id's characters: `Über uns.v2` → `Uber-uns-v2`. */
function freeId(name: string, plans: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
  const base =
    plain
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, LONGEST_ID - 4) || 'plan';
  const taken = new Set(namesIn(plans).map((each) => each.toLowerCase()));
  for (let number = 1; number < 1000; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id.toLowerCase())) return id;
  }
  return base;
}

const isPlanFile = (name: string): boolean => name === 'state.json' || isMarkdown(name);

function isFolder(folder: string): boolean {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function isUnreadable(folder: string): boolean {
  if (!isFolder(folder)) return false;
  try {
    fs.readdirSync(folder);
    return false;
  } catch {
    return true;
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
