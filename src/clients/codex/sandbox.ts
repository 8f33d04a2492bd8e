// The sandbox of a session of Codex (0.166.0): what its rollout says of this turn, given back to its own `sandbox`
// command. The payload's `permission_mode` is the approval policy and tells nothing of it.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../../store/environment.ts';
import { isInside, realPath } from '../../store/files.ts';
import { findOnPath } from '../../store/on-path.ts';
import { openOwn } from '../../store/open.ts';
import { makeUserFolder, userStateFolder } from '../../store/user-state.ts';
import { linesFromEnd } from '../../text/backward.ts';
import type { Payload } from '../client.ts';
import { trustedFolders } from '../denied.ts';
import { objectField, objectsField, parseObject, textField } from '../fields.ts';
import type { SessionSandbox } from '../sandbox.ts';
import type { Stop } from '../stop.ts';

/** What one row says that the agent may do, and where it is. */
export type TurnProfile = { profile: Payload; cwd: string };

export async function sandboxOf(stop: Stop, env: Environment, root: string): Promise<SessionSandbox> {
  const unknown = (why: string): SessionSandbox => ({ kind: 'unknown', why });
  if (stop.transcriptPath === null || stop.turn === null)
    return unknown('this session keeps no rollout (--ephemeral), and nothing else tells its sandbox');
  const rows = profilesIn(stop.transcriptPath, stop.turn);
  if (rows === null) return unknown(`its rollout ${stop.transcriptPath} does not tell its sandbox`);
  const tightest = tightestOf(rows);
  if (tightest === null) return unknown('this turn had several sandboxes, and none of them is the narrowest');
  if (tightest.profile.type === 'disabled') return { kind: 'none' };
  if (tightest.profile.type !== 'managed')
    return unknown(`nothing is known of its sandbox of the kind "${textField(tightest.profile, 'type')}"`);
  if (process.platform !== 'linux')
    return unknown('running checks in its sandbox was measured on Linux only');
  // The client puts a folder with links to itself on the PATH of its hooks.
  const link = findOnPath('codex-linux-sandbox', env, root);
  const program = link === null ? null : realPath(link);
  if (program === null) return unknown('its program is not on PATH (`codex-linux-sandbox`)');
  const permissionProfile = withoutTrusted(tightest.profile, env);
  if (permissionProfile === null)
    return unknown('the way to the state folder leads through a link that the check could replace');
  const state = JSON.stringify({
    permissionProfile,
    sandboxCwd: pathToFileURL(tightest.cwd).href,
    codexLinuxSandboxExe: null,
    useLegacyLandlock: false,
  });
  return {
    kind: 'wrap',
    argv: (command) => [program, 'sandbox', '--sandbox-state-json', state, '--', ...command],
  };
}

/**
 * Without what we believe, which lies in what may be written where the project is the user's home or has it in it. Null
 * where a link leads there, which a check could replace.
 */
function withoutTrusted(profile: Payload, env: Environment): Payload | null {
  const files = objectField(profile, 'file_system') ?? {};
  const entries = objectsField(files, 'entries');
  const writable = entries.filter(isWrite).flatMap((entry) => placeOf(entry) ?? []);
  const isWritable = (place: string): boolean => writable.some((folder) => isInside(place, folder));
  // It has to be there to be denied.
  if (isWritable(userStateFolder(env))) makeUserFolder(env);
  const named = trustedFolders(env).filter((folder) => fs.existsSync(folder));
  const real = named.map((folder) => realPath(folder) ?? folder);
  if (named.some((folder, at) => isWritable(folder) && folder !== real[at])) return null;
  const denied = real.filter(isWritable);
  if (denied.length === 0) return profile;
  // Named on their own, the folders above it cannot be moved away, and can be written as before.
  const above = denied.flatMap((place) => [...foldersAbove(place)].filter((folder) => isWritable(folder)));
  const taken = entries.filter((entry) => !isWrite(entry)).flatMap((entry) => placeOf(entry) ?? []);
  const isKept = (folder: string): boolean =>
    !writable.includes(folder) && !taken.some((place) => isInside(folder, place));
  const kept = [...new Set(above)].filter(isKept).toReversed();
  const more = [
    ...kept.map((path) => entryOf(path, 'write')),
    ...denied.map((path) => entryOf(path, 'read')),
  ];
  return { ...profile, file_system: { ...files, entries: [...entries, ...more] } };
}

const entryOf = (path: string, access: string): Payload => ({ path: { type: 'path', path }, access });

function* foldersAbove(place: string): Generator<string> {
  for (let folder = path.dirname(place); folder !== '/'; folder = path.dirname(folder)) yield folder;
}

/** Of this turn's rows; null where there is none, or one that does not say it. */
function profilesIn(rollout: string, turn: string): TurnProfile[] | null {
  let descriptor: number | null = null;
  try {
    descriptor = openOwn(rollout);
    if (descriptor === null) return null;
    const found: TurnProfile[] = [];
    for (const { text } of linesFromEnd(descriptor)) {
      if (!text.includes('"turn_context"')) continue;
      const row = parseObject(text);
      const context = row?.type === 'turn_context' ? objectField(row, 'payload') : null;
      if (context?.turn_id !== turn) continue;
      const profile = objectField(context, 'permission_profile');
      const cwd = textField(context, 'cwd');
      if (profile === null || cwd === null) return null;
      found.push({ profile, cwd });
    }
    return found.length === 0 ? null : found;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

/** The one that allows no more than any other; null where each of them allows something of its own. */
export function tightestOf(rows: readonly TurnProfile[]): TurnProfile | null {
  return rows.find((row) => rows.every((other) => allowsNoMore(row.profile, other.profile))) ?? null;
}

function allowsNoMore(one: Payload, other: Payload): boolean {
  if (JSON.stringify(one) === JSON.stringify(other) || other.type === 'disabled') return true;
  if (one.type !== 'managed' || other.type !== 'managed') return false;
  const isNetworkNoMore = one.network === other.network || one.network === 'restricted';
  const [own, others] = [entriesOf(one), entriesOf(other)];
  if (!isNetworkNoMore || own === null || others === null) return false;
  const writes = own.filter(isWrite);
  const isOwn = (entry: Payload): boolean => own.some((each) => keyOf(each) === keyOf(entry));
  const onlyOthers = others.filter((entry) => isWrite(entry) && !isOwn(entry));
  // What the other one takes away from what may be written must be taken away here too, unless it cannot be written here.
  const isTakenAway = (entry: Payload): boolean =>
    isOwn(entry) ||
    (entry.access === 'read' &&
      (writes.length === 0 || (!isBelow(entry, writes) && isBelow(entry, onlyOthers))));
  return (
    writes.every((entry) => others.some((each) => keyOf(each) === keyOf(entry))) &&
    others.filter((entry) => !isWrite(entry)).every(isTakenAway)
  );
}

/** Below one of these, of those that are named by their path. */
function isBelow(entry: Payload, folders: readonly Payload[]): boolean {
  const place = placeOf(entry);
  return place !== null && folders.map(placeOf).some((folder) => folder !== null && isInside(place, folder));
}

function placeOf(entry: Payload): string | null {
  const named = objectField(entry, 'path');
  if (named?.type === 'path') return textField(named, 'path');
  return objectField(named ?? {}, 'value')?.kind === 'slash_tmp' ? '/tmp' : null;
}

/** Null where it has a form that nobody has seen: then it can only be compared with itself. */
function entriesOf(profile: Payload): readonly Payload[] | null {
  const files = objectField(profile, 'file_system');
  if (files?.type !== 'restricted') return null;
  const entries = objectsField(files, 'entries');
  return entries.some(isRootRead) ? entries : null;
}

const isWrite = ({ access }: Payload): boolean => access === 'write';

const keyOf = ({ path, access }: Payload): string => JSON.stringify([path, access]);

const isRootRead = (entry: Payload): boolean =>
  keyOf(entry) === JSON.stringify([{ type: 'special', value: { kind: 'root' } }, 'read']);
