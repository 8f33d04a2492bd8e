// The clients we know, and which of them a stop comes from. Adding a client: one file, one line here.

import { ATTEMPT_VARIABLE, DRIVER_VARIABLE, type Environment } from '../store/environment.ts';
import { readAnyLine } from './any-line.ts';
import { claudeCode } from './claude-code/index.ts';
import type { Client, ClientEntry, Payload } from './client.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid/index.ts';
import { gemini } from './gemini/index.ts';
import { generic, NO_SESSION } from './generic.ts';
import { type Around, innermost, type LookAtProcess, lookAtProcess } from './nesting.ts';
import { opencode } from './opencode/index.ts';
import { qwen } from './qwen/index.ts';
import type { Stop } from './stop.ts';
import { unknownClient } from './unknown.ts';

/** In the order in which they are asked whether a line of a strange transcript is theirs. */
const entries: readonly ClientEntry[] = [
  claudeCode,
  codex,
  copilot,
  qwen,
  droid,
  gemini,
  opencode,
  cursor,
  unknownClient,
  generic,
];

const readers = entries.flatMap(({ readTranscriptLine }) => readTranscriptLine ?? []);

export const clients: readonly Client[] = entries.map((entry) => ({
  readTranscriptLine: (line) => readAnyLine(line, readers),
  ...entry,
}));

/** What carries a name that is not among them is as good as unknown. */
export function clientNamed(name: string): Client {
  return clients.find((client) => client.name === name) ?? clientNamed(unknownClient.name);
}

export function isClientName(word: string): boolean {
  return clients.some((client) => client.name === word);
}

/**
 * `named` is the client that `--client` names; without it, the payload shows it. `limitS` is how long its
 * packaging says that it lets the hook run. Never throws.
 */
export function decodeStop(
  payload: Payload,
  named: string | null,
  limitS: number | null = null,
): { client: Client; stop: Stop } {
  const client = named === null ? recognise(payload) : clientNamed(named);
  const stop = client.decode(payload);
  const byHand = stop.session === null || (client.name === generic.name && stop.session === NO_SESSION);
  if (byHand) return { client, stop };
  return { client, stop: { ...stop, limitS: client.hookLimit(limitS) ?? 0 } };
}

/**
 * A hook fired by hand sends little more than a cwd; its answer is written the way all known clients take it. What has
 * a session but no mark comes from a client that nobody knows.
 */
function recognise(payload: Payload): Client {
  const known = clients.find((client) => client.recognises(payload));
  if (known !== undefined) return known;
  const { name } = unknownClient.decode(payload).session === null ? claudeCode : unknownClient;
  return clientNamed(name);
}

/**
 * The session ids a command of ours finds in its environment: those of the agent that ran it. A client started in
 * another's shell inherits the other's variables, but the command is the inner agent's alone; none where that one's
 * shell knows no session.
 */
export function sessionsOf(env: Environment, look: LookAtProcess = lookAtProcess): readonly string[] {
  const around = clientsIn(env);
  const inner = around.length < 2 ? around : innermost(around, env, look);
  return [...new Set(inner.flatMap(({ ids }) => ids))];
}

/** The client whose agent's shell runs this, and those around it. */
export function clientsAround(env: Environment, look: LookAtProcess = lookAtProcess): readonly Client[] {
  const around = clientsIn(env);
  const inner = around.length < 2 ? around : innermost(around, env, look);
  return inner.map(({ client }) => client);
}

/** Those of all clients around the command, the outer ones' too. */
export function sessionsAround(env: Environment): readonly string[] {
  return clientsIn(env).flatMap(({ ids }) => ids);
}

/** Every variable by which one of the clients tells its agent's shell, or a hook, of itself. */
export const clientVariables: readonly string[] = clients.flatMap((client) => [
  ...client.sessionVariables,
  ...(client.shellMark?.split('=').slice(0, 1) ?? []),
  ...(client.secretVariables ?? []),
  ...(client.hookVariables ?? []),
  ...[client.pidVariable ?? [], client.startVariable ?? []].flat(),
]);

/**
 * Does an agent's shell run this, as far as the environment tells? Also of a client that gives it no session's id, where we
 * started it. An agent may set a variable in front of a command, but not take it away: one that is empty is there.
 */
export function isInsideClient(env: Environment): boolean {
  const names = [DRIVER_VARIABLE, ATTEMPT_VARIABLE, ...clients.flatMap((client) => client.sessionVariables)];
  return clientsIn(env).length > 0 || names.some((name) => env[name] !== undefined);
}

function clientsIn(env: Environment): readonly Around[] {
  return clients
    .map((client) => ({ client, ids: idsOf(client, env), marks: marksOf(client, env) }))
    .filter(({ marks }) => marks.length > 0);
}

/** What the client has put into this environment, as `NAME=value`. */
function marksOf({ sessionVariables, shellMark }: Client, env: Environment): string[] {
  const marks = sessionVariables.filter((name) => env[name]).map((name) => `${name}=${env[name]}`);
  const [name = '', value] = shellMark?.split('=') ?? [];
  return shellMark !== undefined && env[name] === value ? [...marks, shellMark] : marks;
}

/**
 * The folders in which the clients of these sessions were started, as they wrote them down; none where nothing tells.
 * The environment may name more sessions: those of a client around the one that runs the command.
 */
export function startFoldersOf(env: Environment, sessions: readonly string[]): readonly string[] {
  const known = remembered.get(env);
  if (known !== undefined) return known;
  const folders = clients.flatMap((client) => {
    const isMeant = idsOf(client, env).some((id) => sessions.includes(id));
    return (isMeant && client.startFolder?.(env)) || [];
  });
  remembered.set(env, folders);
  return folders;
}

const remembered = new WeakMap<Environment, readonly string[]>();

/** Where the client of a hook was started, as the hook's environment says. */
export function startFoldersIn(env: Environment): readonly string[] {
  return clients.flatMap(({ startVariable }) => (startVariable && env[startVariable]) || []);
}

function idsOf(client: Client, env: Environment): string[] {
  return client.sessionVariables.flatMap((name) => env[name] || []);
}
