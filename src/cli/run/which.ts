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
  if (named !== undefined) return namedRecord(known, named);
  const open = await openRecords(known, env);
  const free = open.filter(({ name }) => !isDriven(env, name));
  if (free.length > 1)
    throw new NotNow(
      `several could go on: ${free.map(({ record }) => inWords(record)).join(', ')}. Name one: holdfast run --continue <run>`,
    );
  // One that is driven now says so when it is asked for.
  return free[0] ?? open[0] ?? null;
}

/** What could go on. */
export async function openRecords(
  known: readonly KnownRecord[],
  env: Environment,
): Promise<readonly KnownRecord[]> {
  const over = await Promise.all(known.map(({ record }) => isOver(record, env)));
  return known.filter((_, at) => over[at] === false);
}

/** By any beginning that is unique. One whose agent has begun no run yet goes by its own id, also afterwards. */
export function namedRecord(known: readonly KnownRecord[], named: string): KnownRecord | null {
  const namesOf = ({ run, id }: DriverRecord): string[] =>
    run === null ? [id] : [id, run, run.slice(run.indexOf(':') + 1)];
  const exact = known.find(({ record }) => namesOf(record).includes(named));
  if (exact !== undefined || named === '') return exact ?? null;
  const begun = known.filter(({ record }) => namesOf(record).some((name) => name.startsWith(named)));
  return begun.length === 1 ? (begun[0] ?? null) : null;
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
