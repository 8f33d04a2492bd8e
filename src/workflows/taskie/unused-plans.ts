// Folders that look like plans and are not used: their name cannot be one, another folder has it in another spelling, or they
// lead out of the project. They are named, with why, and what to do about it; "there is no plan" would send people looking,
// and an older plan must not be served beside one without a word. The hook loads it where it looks for unclaimed runs.

import fs from 'node:fs';
import type { Project } from '../../engine/project.ts';
import type { UnusedRun } from '../../engine/workflow-cli.ts';
import { isInside } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { quoted, shownWord } from '../../text/quoted.ts';
import { foldersByPlan, isMarkdown } from './files.ts';
import { LONGEST_PLAIN, PLANS, planOfFolder, whyNoPlan } from './names.ts';

export function unusedPlans({ root }: Pick<Project, 'root'>): UnusedRun[] {
  const outside = ['.taskie', PLANS].find((folder) => leadsOut(below(root, folder), root) !== null);
  if (outside !== undefined) {
    const folder = below(root, outside);
    return [linked(outside, folder, folder, root)];
  }
  const plans = below(root, PLANS);
  const served = foldersByPlan(root);
  return rawNamesIn(plans).flatMap((name) => unused(name, plans, served, root) ?? []);
}

/** The one of that name; null when there is none, or when it is used. */
export function unusedPlan(project: Pick<Project, 'root'>, name: string): UnusedRun | null {
  return unusedPlans(project).find(({ run }) => run === name) ?? null;
}

/** `"my.plan" is in .taskie/plans, but is not used: …` */
export function describeUnused({ run, why, fix }: UnusedRun): string {
  const where = run === PLANS || run === '.taskie' ? `${run} is there` : `${quoted(run)} is in ${PLANS}`;
  return `${where}, but is not used: ${why}. ${fix[0]?.toUpperCase()}${fix.slice(1)}.`;
}

function unused(
  raw: Buffer,
  plans: string,
  served: ReadonlyMap<string, string>,
  root: string,
): UnusedRun | null {
  const name = raw.toString('utf8');
  const isText = Buffer.from(name).equals(raw);
  const folder = isText ? below(plans, name) : Buffer.concat([Buffer.from(`${plans}/`), raw]);
  const why = isText ? whyNoPlan(name) : 'is not valid UTF-8';
  const spelled = served.get(planOfFolder(name));
  if (why === null && spelled === name) {
    if (leadsOut(folder, root) !== null) return linked(name, below(plans, name), folder, root);
    return isUnreadable(folder) ? unreadable(name, below(plans, name)) : null;
  }
  // Any other folder may lie there, too; one with a plan's files is somebody's plan.
  const isLink = fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink && !namesIn(folder).some(isPlanFile)) return null;
  if (!isFolder(folder)) return null;
  return {
    run: name,
    folder: below(plans, name),
    why: why === null ? 'another folder has the same name in another spelling' : `its name ${why}`,
    fix: `rename it: \`mv ${shownWord(folder)} ${shownWord(below(plans, freeName(name, plans)))}\``,
  };
}

type Place = string | Buffer;

/** Where a link leads, when that is not inside the project: a folder elsewhere, nowhere, or round in circles. */
function leadsOut(folder: Place, root: string): { to: string; isThere: boolean } | null {
  const entry = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined || !entry.isSymbolicLink()) return null;
  try {
    const real = fs.realpathSync.native(folder);
    return isInside(real, root) ? null : { to: real, isThere: true };
  } catch {
    return { to: fs.readlinkSync(folder), isThere: false };
  }
}

function linked(name: string, folder: string, place: Place, root: string): UnusedRun {
  const target = leadsOut(place, root);
  const [link, to] = [shownWord(place), target?.to ?? ''];
  return target?.isThere
    ? {
        run: name,
        folder,
        why: `it is a link to ${to}, outside the project`,
        fix: `replace the link with the folder itself: \`rm ${link} && cp -R ${shownWord(to)} ${link}\``,
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
    fix: `make it readable: \`chmod u+rwx ${shownWord(folder)}\``,
  };
}

/** What the name comes to as a plain word: `.Über uns.v2` → `Uber-uns-v2`. */
function freeName(name: string, plans: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
  const base =
    letters
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, LONGEST_PLAIN - 4) || 'plan';
  const taken = new Set(namesIn(plans).map((each) => each.toLowerCase()));
  for (let number = 1; number < 1000; number++) {
    const plain = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(plain.toLowerCase())) return plain;
  }
  return base;
}

const isPlanFile = (name: string): boolean => name === 'state.json' || isMarkdown(name);

function isFolder(folder: Place): boolean {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function isUnreadable(folder: Place): boolean {
  if (!isFolder(folder)) return false;
  try {
    fs.readdirSync(folder);
    return false;
  } catch {
    return true;
  }
}

function namesIn(folder: Place): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** A name that is no valid UTF-8 is found by its bytes alone. */
function rawNamesIn(folder: string): Buffer[] {
  try {
    return fs.readdirSync(folder, { encoding: 'buffer' }).sort(Buffer.compare);
  } catch {
    return [];
  }
}
