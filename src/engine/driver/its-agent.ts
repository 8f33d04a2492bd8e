// Who may end a run that `holdfast run` drives: a person, from a terminal of theirs. Its agent may not, since what it may
// spend would end with it. The driver's record in the user's state folder knows the session, and a person's word is put
// down there, so that neither depends on a variable alone, which an agent without a sandbox can take away. The end that a
// stop gives it stands there too: the journal lies in the project, where an agent can write one.

import { sessionsAround } from '../../clients/index.ts';
import { isAbove, isThere, type KnownProcess } from '../../processes/known.ts';
import { readToken } from '../../store/driver-tokens.ts';
import { DRIVER_VARIABLE, type Environment } from '../../store/environment.ts';
import { isFull } from '../../store/files.ts';
import type { Outcome, Worth } from '../../store/journal-lines.ts';
import { type Check, hasShape, isCount, isDate, isListOf, isText, orNull } from '../../store/shape.ts';
import { inOneLine } from '../../store/trouble.ts';
import { changeUserRecord, DRIVER_RECORDS, readUserRecord, userRecordsIn } from '../../store/user-state.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import { NotNow } from '../workflow-cli.ts';
import { leaveEndMark } from './end-mark.ts';

/** What of a driver's record is asked here. The rest of it stays as it is. */
type Driving = {
  root: string;
  /** Null: its agent is to begin it, and has not yet. */
  run: string | null;
  workflow: string;
  session: string | null;
  former?: readonly string[] | undefined;
  /** Null: no client of it runs. */
  client: KnownProcess | null;
  ended: object | null;
  /** When a person's command ended the run. */
  cancelled?: number | undefined;
};

/** How a stop has ended the run, and what its last claim was worth; null: nobody asked for checks. */
export type EndByStop = { at: number; outcome: Outcome; proof: Worth | null; why: readonly string[] };

const isDriving = hasShape<Driving>({
  root: isText,
  run: orNull(isText),
  workflow: isText,
  session: orNull(isText),
  former: orNone(isListOf(isText)),
  client: orNull(hasShape<KnownProcess>({ pid: isCount, start: orNull(isText) })),
  ended: (value): value is object | null => typeof value === 'object',
  cancelled: orNone(isDate),
});

function orNone<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

type Place = Pick<Project, 'root' | 'env'>;

/**
 * Before a command ends the run, under the lock: refused in the shell of the agent that is driven; anybody else's word is
 * put down for the driver, which takes every other end for its agent's doing.
 */
export function mayEnd(project: Project, name: string): void {
  const found = drivesIn(project).find(({ driving }) => driving.run === name);
  if (found === undefined) return;
  refuseToEnd(project, name);
  try {
    changeUserRecord(project.env, found.place, isDriving, (there) =>
      there === null ? null : { ...there, cancelled: project.now },
    );
  } catch (error) {
    throw new NotNow(
      `${name} is driven by \`holdfast run\`, and its driver cannot be told from here that a person ends it: ${inOneLine(error, project.root)}. Cancel it in a terminal of your own: \`${project.cli} cancel ${name}\``,
    );
  }
}

/** Before a stop's end of the run is written. A run that its agent has just begun is known by its session. */
export function noteEnd({ project, stop }: StopContext, name: string, end: Omit<EndByStop, 'at'>): void {
  const isOfRun = ({ run, workflow, session }: Driving): boolean =>
    run === null
      ? session !== null && session === stop.session && name.startsWith(`${workflow}:`)
      : run === name;
  for (const { place, driving } of drivesIn(project)) {
    if (!isOfRun(driving)) continue;
    try {
      changeUserRecord(project.env, place, isDriving, (there) =>
        there === null ? null : { ...there, stopped: { at: project.now, ...end } },
      );
    } catch (error) {
      if (!isFull(error)) throw error;
      leaveEndMark(project.env, place, end);
    }
  }
}

/** Refused where the run is driven and this shell is its agent's. */
export function refuseToEnd(project: Project, name: string): void {
  if (!isDrivenHere(project, name)) return;
  throw new NotNow(
    `${name} is driven by \`holdfast run\`, and this shell is its agent's: only a person ends it, in a terminal of their own. If nothing you can do brings it further, say what is in the way and give its signal for being stuck, or ask: \`${project.cli} ask "<question>"\`; then end your turn.`,
  );
}

/** Is this the shell of the agent that is driven for that run? */
export function isDrivenHere(project: Place, name: string): boolean {
  return drivesHere(project).some(({ run }) => run === name);
}

/** Is one of these the session that is driven for that run? One that is not known yet may be any. */
export function isOwnDrive(project: Place, name: string, sessions: readonly string[]): boolean {
  const own = drivesIn(project).find(({ driving }) => driving.run === name)?.driving.session ?? null;
  return own === null || sessions.includes(own);
}

/** Every session that a driver's record knows of that run, driven now or once. */
export function sessionsDrivenFor({ root, env }: Place, name: string): string[] {
  return recordsIn(env).flatMap(({ driving }) =>
    driving.root === root && driving.run === name && driving.session !== null ? driving.session : [],
  );
}

/** What is driven by the agent whose shell runs this. */
export function drivesHere(project: Place): Pick<Driving, 'run' | 'workflow'>[] {
  return drivesIn(project).flatMap(({ driving }) => (isItsAgent(driving, project.env) ? driving : []));
}

/** The runs of a workflow that are driven in this project, whoever asks. */
export function drivenIn(project: Place, workflow: string): string[] {
  return drivesIn(project).flatMap(({ driving: { run, workflow: its } }) =>
    run !== null && its === workflow ? run : [],
  );
}

type KnownDrive = { place: string; driving: Driving };

/** All that goes on, or was left by a driver that died. */
function drivesIn({ root, env }: Place): KnownDrive[] {
  return recordsIn(env).filter(({ driving }) => driving.root === root && driving.ended === null);
}

/** What cannot be read drives nothing, and is in no command's way. */
function recordsIn(env: Environment): KnownDrive[] {
  try {
    return userRecordsIn(env, DRIVER_RECORDS).flatMap((place) => {
      const driving = readQuietly(env, place);
      return driving === null ? [] : { place, driving };
    });
  } catch {
    return [];
  }
}

function readQuietly(env: Environment, place: string): Driving | null {
  try {
    return readUserRecord(env, place, isDriving);
  } catch {
    return null;
  }
}

/** By the token, by the session, or by the client being above us: one of them holds, whichever was taken away. */
function isItsAgent(driving: Driving, env: Environment): boolean {
  const { client, session, former = [] } = driving;
  if (client === null) return false;
  const ours = [...former, ...(session === null ? [] : [session])];
  if (sessionsAround(env).some((each) => ours.includes(each))) return true;
  return hasItsToken(driving, env) || (isThere(client) && isAbove(client.pid));
}

/** The token of its client, whichever session has it. */
function hasItsToken({ root, run, session }: Driving, env: Environment): boolean {
  const token = env[DRIVER_VARIABLE];
  const known = token === undefined ? null : readToken(token, env);
  if (known === null || known.root !== root) return false;
  return known.run === run || (known.session !== null && known.session === session);
}
