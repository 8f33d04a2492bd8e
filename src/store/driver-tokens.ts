// The token that `holdfast run` gives the client it starts, in one variable, and its record in the user's state folder,
// where neither a repository nor a sandboxed agent can put one. The first session that comes with it is the one it was
// meant for; from then on it is that session's, so that a client which the agent starts inherits nothing by it.

import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from './environment.ts';
import { hasShape, isFlag, isText, isTime, orNull } from './shape.ts';
import { changeUserRecord, readUserRecord, userRecordsIn } from './user-state.ts';

export type DriverToken = {
  /** The project; real path. */
  root: string;
  /** The run that the session is to have; null: its agent begins one. */
  run: string | null;
  /** Whose it is; null: nobody came with it yet. */
  session: string | null;
  /** A hold of that session's is handed over to the next one. */
  fresh: boolean;
  /** It is for a fork of the run's session, which says that it resumes one. Left out: for one that starts. */
  forks?: boolean | undefined;
  /** When it was left; milliseconds. */
  left: number;
};

const isDriverToken = hasShape<DriverToken>({
  root: isText,
  run: orNull(isText),
  session: orNull(isText),
  fresh: isFlag,
  forks: (value): value is boolean | undefined => value === undefined || isFlag(value),
  left: isTime,
});

const FOLDER = 'driver-tokens';

/** A client's start takes seconds. Nobody who comes later is it. */
const WAITS_MS = 10 * 60 * 1000;

/** A client may live for weeks, and its driver be killed: what is older than this belongs to no session any more. */
const LASTS_MS = 60 * 24 * 60 * 60 * 1000;

/** Earlier ones for the same run are void: it has one driver, and that one starts one client at a time. */
export function leaveToken(record: DriverToken, env: Environment): string {
  const token = randomBytes(16).toString('hex');
  for (const place of userRecordsIn(env, FOLDER)) {
    const known = readUserRecord(env, place, isDriverToken);
    const isSame = known?.root === record.root && known.run === record.run;
    if (isSame || known === null || known.left < record.left - LASTS_MS) drop(place, env);
  }
  changeUserRecord(env, placeOf(token), isDriverToken, () => record);
  return token;
}

/** Null: there is no such token. */
export function readToken(token: string, env: Environment): DriverToken | null {
  return isToken(token) ? readUserRecord(env, placeOf(token), isDriverToken) : null;
}

/**
 * Makes it this session's, and answers with what it says; null: it is not for this session. It is taken before anything
 * is done by it: a crash in between costs the run its binding, which the driver sees, and gives it to nobody else.
 */
export function takeToken(
  token: string,
  { root, session, now }: { root: string; session: string; now: number },
  env: Environment,
): DriverToken | null {
  const known = readToken(token, env);
  if (known === null || known.root !== root) return null;
  if (known.session !== null) return known.session === session ? known : null;
  if (now - known.left > WAITS_MS) return null;
  let taken: DriverToken | null = null;
  changeUserRecord(env, placeOf(token), isDriverToken, (found) => {
    if (found?.session === null) taken = { ...found, session };
    return taken ?? found;
  });
  return taken;
}

/** Its agent has begun the run that it is for. */
export function nameRunOfToken(token: string, run: string, env: Environment): void {
  if (isToken(token))
    changeUserRecord(env, placeOf(token), isDriverToken, (found) => found && { ...found, run });
}

export function dropToken(token: string, env: Environment): void {
  if (isToken(token)) drop(placeOf(token), env);
}

function drop(place: string, env: Environment): void {
  changeUserRecord(env, place, isDriverToken, () => null);
}

const isToken = (token: string): boolean => /^[0-9a-f]{32}$/.test(token);

/** The record's name does not give the token away. */
const placeOf = (token: string): string =>
  `${FOLDER}/${createHash('sha256').update(token).digest('hex').slice(0, 32)}.json`;
