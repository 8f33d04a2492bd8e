// A run's checks as they were at its first stop, in the user's state folder: an agent's later edit of the config changes
// nothing in a run that has begun.

import { isCheckName } from '../../config/check.ts';
import type { CheckSandbox, WhenProtectedChange } from '../../config/settings.ts';
import { isPassing } from '../../store/files.ts';
import type { ProofNotes } from '../../store/records.ts';
import {
  hasShape,
  isCount,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isTableOf,
  isText,
  orAbsent,
  orNull,
  type Check as Shape,
} from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { pinPlace } from './pin-place.ts';
import { makeSeal, type Seal } from './protect.ts';
import { takeAsOfNow } from './receipts.ts';
import { projectChecks, type Required, readAsked, readDefinitions, requiredChecks } from './required.ts';
import { isReachedByAgents, trustOf } from './trust.ts';
import type { AcceptedBy, Check } from './types.ts';

export { hasPin, pinPlace } from './pin-place.ts';

/** A red check that refuses no claim of this run. */
export type Accepted = {
  by: Exclude<AcceptedBy, 'outer'>;
  at: number;
  /** A notice has named it. */
  reported?: true | undefined;
};

export type Pin = Required & {
  run: string;
  root: string;
  /** 0: its start noted nothing, so no trust was given before it. */
  startedAt: number;
  /** Checks were asked for, and the start switched them off. */
  off: boolean;
  /** Fingerprint of all content at the start. */
  content: string | null;
  /** The same for the checks that look at some paths only, by name. */
  contents: Readonly<Record<string, string>>;
  seal: Seal | null;
  /** The paths that the seal is of. */
  protect: readonly string[];
  sandbox: CheckSandbox;
  bail: boolean;
  refusals: number;
  then: WhenProtectedChange;
  /** Left out: what was red at the start is an excuse, as it was when this was pinned. */
  redIsGoal?: true | undefined;
  /** By the check's name. */
  accepted?: Readonly<Record<string, Accepted>> | undefined;
};

const isCheck = hasShape<Check>({
  name: isText,
  run: ((value): value is Check['run'] => isText(value) || isListOf(isText)(value)) satisfies Shape<
    Check['run']
  >,
  timeout: isNumber,
  retries: isCount,
  paths: orNull(isListOf(isText)),
  cwd: orNull(isText),
  from: isOneOf('user', 'project'),
});

const isPair = (value: unknown): value is readonly [string, string] =>
  isListOf(isText)(value) && value.length === 2;

const isPin = hasShape<Pin>({
  run: isText,
  root: isText,
  startedAt: isNumber,
  checks: isListOf(isCheck),
  untrusted: isListOf(isText),
  others: isListOf(isCheck),
  off: isFlag,
  content: orNull(isText),
  contents: isTableOf(isText),
  seal: orNull(hasShape<Seal>({ files: isListOf(isPair), skips: isTableOf(isNumber), cut: isFlag })),
  protect: isListOf(isText),
  sandbox: isOneOf('never', 'auto', 'always'),
  bail: isFlag,
  refusals: isCount,
  then: isOneOf('notice', 'hold'),
  redIsGoal: orAbsent(isOneOf(true as const)),
  accepted: orAbsent(
    isTableOf(
      hasShape<Accepted>({
        by: isOneOf('start', 'person', 'config'),
        at: isNumber,
        reported: orAbsent(isOneOf(true as const)),
      }),
    ),
  ),
});

type Place = Pick<Project, 'root' | 'env'>;

/** Null where there is none, and where it cannot be believed: then the run is unproven. */
export function readPin({ root, env }: Place, name: string): Pin | null {
  try {
    return ofRun(readUserRecord(env, pinPlace(root, name), isPin), root, name);
  } catch (error) {
    // The next stop can read it: a claim must not end the run for that.
    if (isPassing(error)) throw error;
    return null;
  }
}

/**
 * Pins what the run must pass, once: whoever takes its notes away, which lie in the project, does not get another pin.
 * Null: there is nothing to pin. Outside the project's lock.
 */
export async function makePin(
  project: Project,
  name: string,
  notes: ProofNotes | undefined,
): Promise<Pin | null> {
  const { root, env } = project;
  const known = readPin(project, name);
  if (known !== null) return known;
  const pin = await newPin(project, name, notes);
  if (pin === null) return null;
  let kept = pin;
  changeUserRecord(env, pinPlace(root, name), isPin, (there) => {
    // Another hook of the same run may have been first.
    kept = ofRun(there, root, name) ?? pin;
    return kept;
  });
  return kept;
}

/** Null: there is none that could be changed. Outside the project's lock. */
export function changePin({ root, env }: Place, name: string, change: (pin: Pin) => Pin): Pin | null {
  if (readPin({ root, env }, name) === null) return null;
  const changed: Pin[] = [];
  changeUserRecord(env, pinPlace(root, name), isPin, (there) => {
    const pin = ofRun(there, root, name);
    if (pin !== null) changed.push(change(pin));
    return changed.at(-1) ?? there;
  });
  return changed.at(-1) ?? null;
}

/** A check of the run's by its name, required or not; null: it has none that may run. */
export function pinnedCheck({ checks, others, untrusted }: Pin, name: string): Check | null {
  if (untrusted.includes(name)) return null;
  return [...checks, ...others].find((check) => check.name === name) ?? null;
}

/** The content that this check would have seen at the run's start, to find what it said then; null: nobody knows. */
export function contentAtStart({ content, contents }: Pin, { name, paths }: Check): string | null {
  if (paths === null) return content;
  return Object.hasOwn(contents, name) ? (contents[name] ?? null) : null;
}

function ofRun(pin: Pin | null, root: string, name: string): Pin | null {
  return pin !== null && pin.run === name && pin.root === root ? pin : null;
}

async function newPin(project: Project, name: string, notes: ProofNotes | undefined): Promise<Pin | null> {
  const { root, env, now, config } = project;
  const trust = trustOf(project);
  const { paths, then } = config.protect;
  const isAsked = notes !== undefined && (notes.asked.off || notes.asked.checks !== null);
  const hasChecks = config.checks.length > 0 || projectChecks(config).length > 0;
  const noted = readDefinitions(notes?.definitions ?? '');
  if (!hasChecks && paths.length === 0 && trust === null && !isAsked && noted.size === 0) return null;
  // Without notes of its start the run began when nothing was trusted here: the start would have noted that.
  const startedAt = Math.min(notes?.startedAt ?? 0, now);
  // Before the run makes any of its own.
  takeAsOfNow(project);
  const required = requiredChecks(
    project,
    notes === undefined ? [] : readAsked(notes.asked),
    trust,
    startedAt,
    noted,
  );
  const { acceptRed, ...pinned } = config.proof;
  // Where an agent can write the user's own config, nothing in it says what the user wants.
  const accepted = [
    ...(isReachedByAgents(project) ? [] : acceptRed).map((check) => ({ name: check, by: 'config' as const })),
    ...(notes?.asked.acceptRed ?? [])
      .filter(isCheckName)
      .map((check) => ({ name: check, by: 'start' as const })),
  ];
  return {
    ...{ run: name, root, startedAt, ...required },
    off: notes?.asked.off ?? false,
    content: notes?.content ?? null,
    contents: notes?.contents ?? {},
    seal: fitting(await makeSeal(root, env, paths)),
    protect: paths,
    ...pinned,
    then,
    redIsGoal: true,
    accepted: Object.fromEntries(accepted.map(({ name: check, by }) => [check, { by, at: now }])),
  };
}

/** A record of the user's is read up to 4 MB. */
const SEAL_AT_MOST = 3 * 1024 * 1024;

function fitting(seal: Seal): Seal {
  let length = 0;
  const within = seal.files.findIndex(([file]) => {
    // The name once more where it skips something.
    const names = Object.hasOwn(seal.skips, file) ? 2 : 1;
    length += names * Buffer.byteLength(JSON.stringify(file)) + 120;
    return length > SEAL_AT_MOST;
  });
  if (within === -1) return seal;
  const files = seal.files.slice(0, within);
  const names = new Set(files.map(([file]) => file));
  const skips = Object.fromEntries(Object.entries(seal.skips).filter(([file]) => names.has(file)));
  return { files, skips, cut: true };
}
