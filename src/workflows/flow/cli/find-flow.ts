// Where a flow is: in the project, in the user's config folder, or built in; the nearest wins. Or a file that was named.

import fs from 'node:fs';
import path from 'node:path';
import { userConfigPath } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import { NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { openInside, openOwn, realPath } from '../../../store/open.ts';
import { below } from '../../../store/paths.ts';
import { messageOf } from '../../../text/message-of.ts';
import { printable } from '../../../text/printable.ts';
import { builtIn } from '../built-in.ts';
import { isName, LONGEST } from '../language/names.ts';

export const FLOWS = 'holdfast.flows';

export type FoundFlow = {
  /** Null: a file that was named by its path. */
  name: string | null;
  where: 'project' | 'user' | 'built-in' | 'file';
  /** As a person names it. */
  shown: string;
  text: string;
};

export function findFlow(named: string, project: Project, cwd: string): FoundFlow {
  if (/[/.]/.test(named)) return ofFile(named, cwd);
  if (!isName(named))
    throw new WrongUsage(
      `flow: "${printable(named).slice(0, 40)}" is no name of a flow: small letters, digits and "-", beginning with a letter.`,
    );
  const [found] = flowsNamed(named, project);
  if (found !== undefined) return found;
  const names = [...new Set(allFlows(project).map(({ name }) => name))].join(', ');
  throw new NotNow(
    `there is no flow "${named}". There are: ${names}. \`${project.cli} flow new ${named}\` makes one.`,
  );
}

/** Every flow there is, the nearest of a name first. */
export function allFlows(project: Project): FoundFlow[] {
  const names = new Set([
    ...namesIn(projectFolder(project)),
    ...namesIn(userFolder(project)),
    ...builtIn.keys(),
  ]);
  return [...names].flatMap((name) => flowsNamed(name, project));
}

export const projectFolder = ({ root }: Project): string => below(root, FLOWS);

const userFolder = ({ env }: Project): string => below(path.dirname(userConfigPath(env)), 'flows');

function flowsNamed(name: string, project: Project): FoundFlow[] {
  const own = readFlow(below(projectFolder(project), `${name}.yaml`), project.root);
  const folder = userFolder(project);
  const users = readFlow(below(folder, `${name}.yaml`), null);
  const ours = builtIn.get(name);
  return [
    ...(own === null ? [] : [{ name, where: 'project' as const, shown: `${FLOWS}/${name}.yaml`, text: own }]),
    ...(users === null
      ? []
      : [{ name, where: 'user' as const, shown: below(folder, `${name}.yaml`), text: users }]),
    ...(ours === undefined
      ? []
      : [{ name, where: 'built-in' as const, shown: `${name} (built in)`, text: ours }]),
  ];
}

function ofFile(named: string, cwd: string): FoundFlow {
  const file = path.resolve(cwd, named);
  const text = readFlow(file, null);
  if (text === null) throw new NotNow(`${printable(named)}: there is no such file.`);
  return { name: null, where: 'file', shown: printable(named), text };
}

/** Null: there is none. A project's may not lead out of the project; a longer one is read as far as shows that it is. */
function readFlow(file: string, root: string | null): string | null {
  let descriptor: number | null = null;
  try {
    const real = realPath(file);
    if (real === null) return null;
    if (root !== null && !`${real}/`.startsWith(`${root}/`))
      throw new NotNow(`${file} is a link out of the project; put the file itself there.`);
    descriptor = root === null ? openOwn(real) : openInside(real, root);
    if (descriptor === null) return null;
    const buffer = Buffer.alloc(4 * LONGEST + 4);
    const count = fs.readSync(descriptor, buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, count);
  } catch (error) {
    if (error instanceof NotNow) throw error;
    throw new NotNow(`${file} cannot be read: ${messageOf(error)}`);
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => file.slice(0, -'.yaml'.length))
      .filter(isName)
      .sort();
  } catch {
    return [];
  }
}
