// A sandbox of our own, by bubblewrap, as narrow as the one that Claude Code 2.1 runs an agent's commands in on Linux:
// only the project can be written, and no network or other process is reached.

import fs from 'node:fs';
import type { Environment } from '../store/environment.ts';
import { isInside } from '../store/files.ts';
import { findOnPath } from '../store/on-path.ts';
import { below } from '../store/paths.ts';
import type { SessionSandbox } from './sandbox.ts';

export function bubblewrap(root: string, env: Environment): SessionSandbox {
  if (process.platform !== 'linux')
    return { kind: 'unknown', why: 'no sandbox for checks is known on this system' };
  const program = findOnPath('bwrap', env, root);
  if (program === null)
    return { kind: 'unknown', why: 'bubblewrap is not installed (its program `bwrap` is not on PATH)' };
  return { kind: 'wrap', argv: (command) => [program, ...flags(root), '--', ...command] };
}

function flags(root: string): string[] {
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...['--bind', root, root],
    ...protectedIn(root).flatMap((place) => ['--ro-bind', place, place]),
    ...openSockets(root).flatMap((place) => ['--ro-bind', '/dev/null', place]),
    ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    // What it was outside may not be there.
    ...['--setenv', 'TMPDIR', '/tmp'],
  ];
}

/** Files in the project by which somebody else's program could be made to run: the agent may not write them either. */
function protectedIn(root: string): string[] {
  return ['.git/hooks', '.git/config', '.claude/settings.json', '.claude/settings.local.json', '.mcp.json']
    .map((name) => below(root, name))
    .filter((place) => {
      const found = fs.lstatSync(place, { throwIfNoEntry: false });
      return found?.isFile() || found?.isDirectory();
    });
}

const MOST_SOCKETS = 100;

/** A socket in the file system is reached without a network: that of a container service gives its user everything. */
function openSockets(root: string): string[] {
  const lines = readSockets().split('\n');
  const places = lines.flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? []);
  const isReached = (place: string): boolean =>
    !isInside(place, '/tmp') &&
    !isInside(place, root) &&
    fs.lstatSync(place, { throwIfNoEntry: false })?.isSocket() === true;
  return [...new Set(places)].filter(isReached).slice(0, MOST_SOCKETS);
}

function readSockets(): string {
  try {
    return fs.readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return '';
  }
}
