// What the user asked `install` for, after its flags were checked.

import { CORE, type Marketplace } from '../../clients/install/marketplace.ts';
import type { Scope } from '../../clients/installer.ts';
import { type Call, WrongUsage } from '../../engine/workflow-cli.ts';

/** Null: none was named. */
export function chosenScope(flags: Call['flags']): Scope | null {
  const { scope } = flags;
  if (scope === undefined) return null;
  if (scope === 'user' || scope === 'project') return scope;
  throw new WrongUsage(`--scope is user or project, not "${scope}".`);
}

/** The core and the named workflows; all of them when none is named. */
export function chosenPlugins(flags: Call['flags'], { workflows }: Marketplace): string[] {
  const given = Array.isArray(flags.workflow) ? flags.workflow : [flags.workflow ?? []].flat();
  const named = given.flatMap((each) => String(each).split(','));
  const unknown = named.find((name) => !workflows.includes(name));
  if (unknown !== undefined)
    throw new WrongUsage(`there is no workflow "${unknown}". There are: ${workflows.join(', ')}.`);
  return [CORE, ...workflows.filter((name) => named.length === 0 || named.includes(name))];
}
