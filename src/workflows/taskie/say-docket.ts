// What is said of a plan's docket beside a message: the open findings in a hold that comes with a verdict, where they are
// in one that is given again, and the accounts where a cycle of reviews ends.

import type { RunContext } from '../../engine/context.ts';
import { DOCKET, isUsable } from '../../engine/docket/keep.ts';
import { sayAccounts, sayOpen, sayWhereOpen } from '../../engine/docket/words.ts';
import type { Message } from '../../engine/step.ts';
import { below } from '../../store/paths.ts';
import { docketNow } from './docket.ts';
import { inText, planFolder } from './names.ts';
import type { World } from './observe.ts';

/** Empty: there is no docket, as where no reviewer lists its findings. */
export function docketInHold(
  { slots }: Message,
  world: World | undefined,
  { project, run }: RunContext,
): string {
  const folder = below(project.root, planFolder(world?.folder.name ?? run));
  const [docket, where] = [inText(run, `${folder}/${DOCKET}`), inText(run, `${folder}/${slots.post}`)];
  if (world?.docket === undefined)
    return world !== undefined && isUsable(below(world.folder.path, DOCKET))
      ? sayWhereOpen(docket, where)
      : '';
  const { review, cut, refused } = world.docket;
  return sayOpen(world.docket.docket, { docket, where, review, cut, refused });
}

const ENDS: ReadonlySet<string> = new Set(['passed', 'passed-row-pending', 'limit-reached']);

/** Empty: the message is about no end, or nothing was found. */
export function accountsAtEnd(
  { name }: Message,
  world: World | undefined,
  { project, run }: RunContext,
): string {
  if (!ENDS.has(name) || world === undefined) return '';
  const docket = world.docket?.docket ?? docketNow(project, run, world.folder);
  return docket === null ? '' : sayAccounts(docket);
}
