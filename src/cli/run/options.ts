// The options of `holdfast run` as they were typed, and which client they mean.

import type { Client } from '../../clients/client.ts';
import type { Access } from '../../clients/headless.ts';
import { clients } from '../../clients/index.ts';
import type { Config } from '../../config/config.ts';
import type { DriveOptions } from '../../driver/record.ts';
import { budgetFlags } from '../../engine/budget/at-start.ts';
import { STOPS_AT, type StopAt } from '../../engine/driven.ts';
import { type Call, NotNow, WrongUsage } from '../../engine/workflow-cli.ts';
import type { Environment } from '../../store/environment.ts';
import { isOnPath, withoutProjectOnPath } from '../../store/on-path.ts';
import { hasShape, isText } from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import { registry } from '../../workflows/registry.ts';

export type Asked = Omit<DriveOptions, 'client' | 'args'>;

export function optionsIn({ flags }: Call): Asked {
  return {
    access: accessIn(flags.access),
    fresh: flags.fresh === true,
    model: textIn(flags.model, '--model takes the name of a model.'),
    persist: flags.persist === undefined ? 1 : countIn(flags.persist),
    stopAt: stopAtIn(flags['stop-at']),
    unattended: flags.unattended === true,
    budget: budgetFlags(flags, 'run'),
  };
}

/** What a workflow cannot be driven with, at its start or later. */
export async function refuseMisfit(
  { fresh, stopAt }: Pick<Asked, 'fresh' | 'stopAt'>,
  workflow: string,
): Promise<void> {
  const driven = (await registry.find(({ name }) => name === workflow)?.cli())?.driven;
  if (fresh && driven?.keepsSession)
    throw new WrongUsage(
      `run: --fresh does not go with ${workflow}: its reviewer runs in the agent's session.`,
    );
  if (stopAt !== null && driven?.stages?.includes(stopAt) !== true)
    throw new WrongUsage(`run: --stop-at is for taskie; ${workflow} has no stages.`);
}

/** A client that nothing keeps to `edit`. Before anything is granted, given to a session or started. */
export async function refuseUnkept({ headless }: Client, access: Access): Promise<void> {
  const noEdit = access === 'edit' ? (await headless?.load())?.noEdit : undefined;
  if (noEdit !== undefined) throw new NotNow(`${noEdit} Say --access full, where there is nothing to lose.`);
}

function accessIn(value: unknown): 'edit' | 'full' {
  if (value === undefined) return 'edit';
  if (value === 'edit' || value === 'full') return value;
  throw new WrongUsage('run: --access is "edit" or "full".');
}

function stopAtIn(value: unknown): StopAt | null {
  if (value === undefined) return null;
  const found = STOPS_AT.find((each) => each === value);
  if (found === undefined) throw new WrongUsage(`run: --stop-at is one of ${STOPS_AT.join(', ')}.`);
  return found;
}

function countIn(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,3}$/.test(value)) return Number(value);
  throw new WrongUsage('run: --persist is a whole number from 0 to 999.');
}

function textIn(value: unknown, problem: string): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && /^[^\s\0-][^\s\0]{0,199}$/.test(value)) return value;
  throw new WrongUsage(`run: ${problem}`);
}

const LAST = 'driver-client.json';
const isLast = hasShape<{ program: string }>({ program: isText });

type Here = { root: string; config: Pick<Config, 'run'>; env: Environment };

/**
 * The one that is named; else the one that is installed; of several the user's own, or the last one used. What is
 * installed in the project alone does not count: its agent could have put it there.
 */
export function clientFor(given: unknown, { root, config, env }: Here): Client {
  const outside = withoutProjectOnPath(env, root);
  const drivable = clients.filter(({ headless }) => headless !== undefined);
  const programs = drivable.map(programOf);
  const words = programs.join(' or ');
  if (given !== undefined) {
    const found = drivable.find((client) => programOf(client) === given || client.name === given);
    if (found === undefined) throw new WrongUsage(`run: --client is ${words}, not "${String(given)}".`);
    if (!isOnPath(programOf(found), outside))
      throw new NotNow(
        `the program ${programOf(found)} is not on PATH, so ${found.title} cannot be started.`,
      );
    return found;
  }
  const there = drivable.filter((client) => isOnPath(programOf(client), outside));
  const last = readUserRecord(env, LAST, isLast)?.program;
  const wanted = [config.run.client, last].find((name) => there.some((client) => programOf(client) === name));
  const found = there.find((client) => programOf(client) === wanted) ?? there[0];
  if (found === undefined)
    throw new NotNow(
      `no client that can be driven is on PATH: ${words}. Install one, or add its folder to PATH.`,
    );
  return found;
}

export function rememberClient(client: Client, env: Environment): void {
  const program = programOf(client);
  if (readUserRecord(env, LAST, isLast)?.program !== program)
    changeUserRecord(env, LAST, isLast, () => ({ program }));
}

function programOf(client: Client): string {
  return client.headless?.program ?? client.name;
}
