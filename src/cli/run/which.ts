// Which record `holdfast run --continue` means: the one that is named, else the only one that could go on.

import fs from 'node:fs';
import { withoutClients } from '../../driver/bind.ts';
import { isDriven } from '../../driver/one-driver.ts';
import type { DriverRecord, KnownRecord } from '../../driver/record.ts';
import { look } from '../../driver/standing.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { NotNow } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import type { Environment } from '../../store/environment.ts';
import { registry } from '../../workflows/registry.ts';
import { nameOf } from './words.ts';

/** Null: none of them. */
export async function chosen(
  known: readonly KnownRecord[],
  named: string | undefined,
  env: Environment,
): Promise<KnownRecord | null> {
  if (named !== undefined) return known.find(({ record }) => isNamed(record, named)) ?? null;
  const over = await Promise.all(known.map(({ record }) => isOver(record, env)));
  const open = known.filter((_, at) => over[at] === false);
  const free = open.filter(({ name }) => !isDriven(env, name));
  if (free.length > 1)
    throw new NotNow(
      `several could go on: ${free.map(({ record }) => inWords(record)).join(', ')}. Name one: holdfast run --continue <run>`,
    );
  // One that is driven now says so when it is asked for.
  return free[0] ?? open[0] ?? null;
}

/** One whose agent has begun no run yet goes by its own id, also afterwards. */
function isNamed({ run, id }: DriverRecord, named: string): boolean {
  return run === named || id === named || (run?.endsWith(`:${named}`) ?? false);
}

function inWords(record: DriverRecord): string {
  return record.run ?? `${nameOf(record)} (${record.asked})`;
}

/** The run itself says so, not how its last drive ended. One whose folder is gone cannot go on either. */
async function isOver({ root, run, workflow }: DriverRecord, env: Environment): Promise<boolean> {
  if (!fs.existsSync(root)) return true;
  const entry = registry.find(({ name }) => name === workflow);
  if (run === null || entry === undefined) return false;
  const project = await openProject(root, runtimeHere(withoutClients(env)));
  return look(project, await entry.cli(), run).stand.kind === 'over';
}
