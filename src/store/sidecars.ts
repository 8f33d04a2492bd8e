// The sidecar of a run and the index of a session: reading them, writing them, binding one to the other.
// All of it is called under the project's lock.

import { shownWord } from '../text/quoted.ts';
import { TRANSCRIPT_START } from '../text/transcript.ts';
import { carryOut, Refused, readInside } from './files.ts';
import { homeOf, sessionPath, sidecarPath } from './home.ts';
import { type Json, parseJson } from './json.ts';
import { privateMode } from './owner.ts';
import { type Parsed, parseSession, parseSidecar } from './parse-records.ts';
import { NEW_SESSION, newSidecar, type SessionIndex, type Sidecar } from './records.ts';
import type { Write } from './writes.ts';

/** The run's sidecar, a new one when it has none. Broken or from a newer version: Refused, with what to do. */
export function readSidecar(root: string, run: string): Sidecar {
  const file = sidecarPath(homeOf(root), run);
  const parsed = readRecord(file, root, parseSidecar);
  if (parsed === null) return newSidecar(run);
  if (parsed.kind === 'newer') throw writtenByNewer(file);
  // A sidecar under another run's name is a copy, and a copy is nobody's ticket.
  if (parsed.kind === 'broken' || parsed.record.run !== run)
    throw new Refused(
      `${file} is not readable as Holdfast's notes on ${run}; run \`holdfast adopt ${shownWord(run)}\` to renew it`,
    );
  return parsed.record;
}

export function writeSidecar(root: string, sidecar: Sidecar): void {
  carryOut(sidecarWrite(root, sidecar), root);
}

/** The same as a write among others of a commit. */
export function sidecarWrite(root: string, sidecar: Sidecar): Write {
  return recordWrite(root, sidecarPath(homeOf(root), sidecar.run), sidecar);
}

/** The session's index; null when it never had one. A broken one counts as none: the sidecars have the last word. */
export function readSession(root: string, session: string): SessionIndex | null {
  const file = sessionPath(homeOf(root), session);
  const parsed = readRecord(file, root, parseSession);
  if (parsed?.kind === 'newer') throw writtenByNewer(file);
  return parsed?.kind === 'ok' ? parsed.record : null;
}

export function writeSession(root: string, session: string, index: SessionIndex): void {
  carryOut(recordWrite(root, sessionPath(homeOf(root), session), index), root);
}

/** Makes the run this session's and nobody else's, with the guard's count at zero. Keeps the rest of the sidecar. */
export function bind(
  root: string,
  run: string,
  sessions: readonly string[],
  { saved, task }: { saved?: Json | undefined; task?: string | undefined } = {},
): void {
  const known = readSidecarLeniently(root, run);
  const isSame = known.sessions.join() === sessions.join();
  // The index first: a run that it names without success is passed over, but one that only its sidecar knows would be
  // neither served nor spoken of.
  for (const session of sessions) indexRun(root, run, session);
  writeSidecar(root, {
    ...known,
    sessions: [...sessions],
    guard: {},
    failures: { count: 0, state: '' },
    // Somebody wants it to go on: the row of refused claims begins again. That of questions does so in another session:
    // in its own, an agent could end the row by a command that it runs anyway.
    ...(known.proof === undefined ? {} : { proof: { ...known.proof, refusals: 0 } }),
    ...(known.waits === undefined || isSame ? {} : { waits: { ...known.waits, questions: 0 } }),
    ...(saved === undefined ? {} : { saved }),
    ...(task === undefined ? {} : { task }),
    handover: undefined,
  });
}

/**
 * The run that was handed over goes on in another session, as it would have in the one before: the guard's counts and
 * all else go along. Of the new transcript nothing was seen yet, so that it counts from its start.
 */
export function handOn(root: string, run: string, session: string): void {
  const known = readSidecar(root, run);
  const from = known.handover?.session ?? '';
  const memory = Object.hasOwn(known.guard, from) ? known.guard[from] : undefined;
  indexRun(root, run, session);
  writeSidecar(root, {
    ...known,
    sessions: [session],
    guard: memory === undefined ? {} : { [session]: { ...memory, marker: TRANSCRIPT_START } },
  });
}

function indexRun(root: string, run: string, session: string): void {
  const index = readSession(root, session) ?? NEW_SESSION;
  writeSession(root, session, { ...index, runs: [...index.runs.filter((other) => other !== run), run] });
}

/** The run is nobody's from now on: no stop is held by it until somebody adopts it. */
export function unbind(root: string, run: string): void {
  writeSidecar(root, { ...readSidecarLeniently(root, run), sessions: [], guard: {} });
}

/** A command that binds also repairs: what is broken starts fresh, what is newer is still refused. */
function readSidecarLeniently(root: string, run: string): Sidecar {
  const parsed = readRecord(sidecarPath(homeOf(root), run), root, parseSidecar);
  if (parsed === null || parsed.kind === 'broken') return newSidecar(run);
  if (parsed.kind === 'ok') return parsed.record.run === run ? parsed.record : newSidecar(run);
  return readSidecar(root, run);
}

function readRecord<Record>(
  file: string,
  root: string,
  parse: (value: unknown) => Parsed<Record>,
): Parsed<Record> | null {
  const text = readInside(file, root, 4 * 1024 * 1024);
  return text === null ? null : parse(parseJson(text));
}

/** Never overwritten by an older one: what it says that we cannot read would be lost. */
function writtenByNewer(file: string): Refused {
  return new Refused(`${file} was written by a newer Holdfast; upgrade this one`);
}

function recordWrite(root: string, file: string, record: object): Write {
  const mode = privateMode(homeOf(root));
  return { kind: 'replace', path: file, content: `${JSON.stringify(record)}\n`, mode };
}
