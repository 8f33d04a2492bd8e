// A run started in a plain terminal belongs to "the next session here". The ticket for it lies in the
// user's own state folder, where no cloned repository can put one, and lasts ten minutes.

import fs from 'node:fs';
import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { readInside, realPath, replaceFile } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { parseJson } from './json.ts';
import { below } from './paths.ts';
import { hasShape, isListOf, isNumber, isText } from './shape.ts';
import { absolute, homeFolder } from './user-folders.ts';

const LASTS_MS = 10 * 60 * 1000;

/** A run that waits, and until when: a ticket left later must not give it more time. */
type Waiting = { run: string; expires: number };
type Ticket = { root: string; waiting: readonly Waiting[] };
const isTicket = hasShape<Ticket>({
  root: isText,
  waiting: isListOf(hasShape<Waiting>({ run: isText, expires: isNumber })),
});

/** As earlier versions wrote it: one time for all runs. */
type OldTicket = { root: string; runs: readonly string[]; expires: number };
const isOldTicket = hasShape<OldTicket>({ root: isText, runs: isListOf(isText), expires: isNumber });

/** Leaves a ticket for the next session that stops in this project. */
export function leaveTicket(root: string, run: string, now: number, env: Environment): void {
  const folder = ticketFolder(env);
  disk.makeFolder(folder);
  const others = readTicket(root, now, env).filter((other) => other.run !== run);
  writeTicket(folder, { root, waiting: [...others, { run, expires: now + LASTS_MS }] });
}

/** The run is a session's now, or nobody's at all: the next session must not get it. Under the project's lock. */
export function dropTicket(root: string, run: string, now: number, env: Environment): void {
  if (!hasTickets(root, env)) return;
  const folder = ticketFolder(env);
  const waiting = readTicket(root, now, env).filter((other) => other.run !== run);
  if (waiting.length === 0) disk.remove(ticketPath(folder, root));
  else writeTicket(folder, { root, waiting });
}

/** Cheap enough to ask at every stop. */
export function hasTickets(root: string, env: Environment): boolean {
  return fs.existsSync(ticketPath(ticketFolder(env), root));
}

/** Not one whose time is over. */
export function isRunWaiting(root: string, now: number, env: Environment): boolean {
  return hasTickets(root, env) && readTicket(root, now, env).length > 0;
}

/**
 * Takes what is waiting for this project (an expired ticket is thrown away); under the project's lock, so that only
 * one session gets it. Each run is given away before its ticket goes: a crash in between must not lose it.
 */
export function takeTickets(
  root: string,
  now: number,
  env: Environment,
  give: (run: string) => void = () => {},
): readonly string[] {
  const runs = readTicket(root, now, env).map(({ run }) => run);
  for (const run of runs) give(run);
  disk.remove(ticketPath(ticketFolder(env), root));
  return runs;
}

export function userStateFolder(env: Environment): string {
  return below(absolute(env.XDG_STATE_HOME) ?? below(homeFolder(env), '.local/state'), 'holdfast');
}

function readTicket(root: string, now: number, env: Environment): readonly Waiting[] {
  const folder = realPath(ticketFolder(env));
  if (folder === null) return [];
  const text = readInside(ticketPath(folder, root), folder);
  if (text === null) return [];
  const found = parseJson(text);
  const ticket = isOldTicket(found) ? inNewForm(found) : found;
  if (!isTicket(ticket) || ticket.root !== root) return [];
  return ticket.waiting.filter(({ expires }) => expires >= now);
}

function inNewForm({ root, runs, expires }: OldTicket): Ticket {
  return { root, waiting: runs.map((run) => ({ run, expires })) };
}

function writeTicket(folder: string, ticket: Ticket): void {
  const file = ticketPath(folder, ticket.root);
  replaceFile(file, `${JSON.stringify(ticket)}\n`, realPath(folder) ?? folder, 0o600);
}

const ticketFolder = (env: Environment): string => below(userStateFolder(env), 'next-session');
const ticketPath = (folder: string, root: string): string => below(folder, `${fingerprint(root)}.json`);
