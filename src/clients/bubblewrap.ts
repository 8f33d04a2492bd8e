// A sandbox of our own, by bubblewrap, at least as narrow as the one that Claude Code 2.1 runs an agent's commands in on
// Linux: only the project can be written, none of the names in denied.ts in it, and no network or other process is
// reached. The client's own library takes fifty times as long to start, and shows git its devices.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../store/environment.ts';
import { isInside, realPath, replaceFile } from '../store/files.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { findOnPath } from '../store/on-path.ts';
import { readSystem } from '../store/open.ts';
import { below } from '../store/paths.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { messageOf } from '../text/message-of.ts';
import { type Denied, deniedIn } from './denied.ts';
import { gitFoldersAt, gitTopOf, readSmall } from './git-folders.ts';
import { type HeldMountPoints, makeCovers, makeMountPoints } from './mount-points.ts';
import type { SessionSandbox } from './sandbox.ts';

export type Limits = {
  /** What of the root can be written; all of it where it is left out. */
  writable?: string;
  /** Further places that cannot. */
  denied?: readonly string[];
};

export function bubblewrap(root: string, env: Environment, limits: Limits = {}): SessionSandbox {
  if (process.platform !== 'linux')
    return { kind: 'unknown', why: 'no sandbox for checks is known on this system' };
  const program = findOnPath('bwrap', env, root);
  if (program === null)
    return { kind: 'unknown', why: 'bubblewrap is not installed (its program `bwrap` is not on PATH)' };
  const writable = realPath(limits.writable ?? root) ?? root;
  const look = (): Denied => deniedIn(writable, env, limits.denied ?? []);
  try {
    // It has to be there to be denied.
    makeUserFolder(env);
    look();
  } catch (error) {
    return { kind: 'unknown', why: messageOf(error) };
  }
  let held: HeldMountPoints | null = null;
  return {
    kind: 'wrap',
    argv(command) {
      const earlier = held;
      held = makeMountPoints(writable, look, env);
      earlier?.letGo();
      const mounts = mountsFor(writable, held, env);
      return [program, ...flags(writable, mounts), '--', ...inner(root, env), ...command];
    },
    end() {
      held?.letGo();
      held = null;
    },
  };
}

type Mounts = { onTheWay: readonly string[]; over: readonly (readonly [what: string, place: string])[] };

function flags(writable: string, { onTheWay, over }: Mounts): string[] {
  return [
    ...['--ro-bind', '/', '/'],
    // Hidden again by what is bound over it, but a folder that anything is mounted on cannot be moved.
    ...onTheWay.flatMap((place) => ['--ro-bind', place, place]),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...['--bind', writable, writable],
    ...over.flatMap(([what, place]) => ['--ro-bind', what, place]),
    ...openSockets(writable).flatMap((place) => ['--ro-bind', '/dev/null', place]),
    ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    ...(isRoot() ? WITHOUT_ROOTS_RIGHTS : []),
    // What it was outside may not be there.
    ...['--setenv', 'TMPDIR', '/tmp'],
  ];
}

const isRoot = (): boolean => process.geteuid?.() === 0;

/** Root would keep them in it, and could take every mount away. The one that is left lets it make a user namespace. */
const WITHOUT_ROOTS_RIGHTS = ['--unshare-user', '--cap-drop', 'ALL', '--cap-add', 'CAP_SETFCAP'];

/** Root's programs believe that they have its rights (a nested bwrap): here they have them over what they make alone. */
function inner(root: string, env: Environment): string[] {
  const unshare = isRoot() ? findOnPath('unshare', env, root) : null;
  return unshare === null ? [] : [unshare, '--user', '--map-root-user', '--'];
}

function mountsFor(writable: string, { denied, made }: HeldMountPoints, env: Environment): Mounts {
  const { file, folder, passedBy } = makeCovers(env);
  const top = gitTopOf(writable);
  const git = top === null ? null : gitFoldersAt(top);
  const isGits = (place: string): boolean =>
    git !== null && [git.own, git.common].some((each) => isInside(place, each));
  const places = [...denied.there, ...denied.missing.flatMap((each) => (each.isOnTheWay ? [] : each.place))];
  const empty = places.filter((place) => made.has(place) && isThere(place));
  const seen = empty.filter((place) => !isGits(place));
  const excludes = git === null || top === null ? null : excludesWith(seen, top, git.common, writable, env);
  const coverOf = (place: string): string => {
    if (!fs.lstatSync(place).isDirectory()) return file;
    return excludes === null || isGits(place) ? folder : passedBy;
  };
  return {
    onTheWay: [
      ...denied.onTheWay,
      ...denied.missing.flatMap((each) => (each.isOnTheWay && isThere(each.place) ? each.place : [])),
    ],
    over: [
      ...denied.there.filter((place) => !made.has(place)).map((place) => [place, place] as const),
      ...empty.map((place) => [coverOf(place), place] as const),
      ...(excludes === null ? [] : [excludes]),
    ],
  };
}

const isThere = (place: string): boolean => fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;

/**
 * What git ignores in this repository, with what is only there to be mounted on: not in the environment, where it would
 * be for every repository that a test makes. Null where git has nothing to pass by, or no file to say it in.
 */
function excludesWith(
  places: readonly string[],
  top: string,
  common: string,
  writable: string,
  env: Environment,
): readonly [string, string] | null {
  const real = realPath(below(common, 'info/exclude'));
  if (places.length === 0 || real === null || !fs.statSync(real).isFile()) return null;
  const user = makeUserFolder(env);
  const ours = below(user, `covers/exclude-${fingerprint(writable)}`);
  const patterns = places.map((place) => `/${asPattern(path.relative(top, place))}`);
  const text = [readSmall(real).replace(/\n?$/, ''), ...patterns, ''].join('\n');
  if (readSmall(ours) !== text) replaceFile(ours, text, user, 0o600);
  return [ours, real];
}

const asPattern = (name: string): string => name.replace(/[\\*?[\]#! ]/g, '\\$&');

const MOST_SOCKETS = 100;

/** A socket in the file system is reached without a network: that of a container service gives its user everything. */
function openSockets(writable: string): string[] {
  const lines = readSockets().split('\n');
  const places = lines.flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? []);
  const isReached = (place: string): boolean =>
    !isInside(place, '/tmp') &&
    !isInside(place, writable) &&
    fs.lstatSync(place, { throwIfNoEntry: false })?.isSocket() === true;
  return [...new Set(places)].filter(isReached).slice(0, MOST_SOCKETS);
}

function readSockets(): string {
  try {
    return readSystem('/proc/net/unix');
  } catch {
    return '';
  }
}
