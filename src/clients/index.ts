// The clients we know, and which of them a stop comes from. Adding a client: one file, one line here.

import type { Environment } from '../store/environment.ts';
import { claudeCode } from './claude-code.ts';
import type { Client, Payload } from './client.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { generic, NO_SESSION } from './generic.ts';
import { innermost, type LookAtProcess, lookAtProcess } from './nesting.ts';
import { qwen } from './qwen.ts';
import type { ClientName, Stop } from './stop.ts';
import { unknownClient } from './unknown.ts';

const byName: Readonly<Record<ClientName, Client>> = {
  'claude-code': claudeCode,
  codex,
  copilot,
  qwen,
  droid,
  gemini,
  cursor,
  unknown: unknownClient,
  generic,
};

export const clients: readonly Client[] = Object.values(byName);

export function clientNamed(name: ClientName): Client {
  return byName[name];
}

export function isClientName(word: string): word is ClientName {
  return Object.hasOwn(byName, word);
}

/**
 * `named` is the client the hook was told (`--client`); without it, the payload itself tells. `limitS` is how long its
 * packaging says that it lets the hook run. Never throws.
 */
export function decodeStop(
  payload: Payload,
  named: ClientName | null,
  limitS: number | null = null,
): { client: Client; stop: Stop } {
  const client = named === null ? recognise(payload) : clientNamed(named);
  const stop = client.decode(payload);
  const byHand = stop.session === null || (client === generic && stop.session === NO_SESSION);
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
  return unknownClient.decode(payload).session === null ? claudeCode : unknownClient;
}

/**
 * The session ids a command of ours finds in its environment: those of the agent that ran it. A client started in
 * another's shell inherits the other's variables, but the command is the inner agent's alone; none where that one's
 * shell knows no session.
 */
export function sessionsOf(env: Environment, look: LookAtProcess = lookAtProcess): readonly string[] {
  const around = clients
    .map((client) => ({ client, ids: idsOf(client, env), marks: marksOf(client, env) }))
    .filter(({ marks }) => marks.length > 0);
  const inner = around.length < 2 ? around : innermost(around, env, look);
  return [...new Set(inner.flatMap(({ ids }) => ids))];
}

/** What the client has put into this environment, as `NAME=value`. */
function marksOf({ sessionVariables, shellMark }: Client, env: Environment): string[] {
  const marks = sessionVariables.filter((name) => env[name]).map((name) => `${name}=${env[name]}`);
  const [name = '', value] = shellMark?.split('=') ?? [];
  return shellMark !== undefined && env[name] === value ? [...marks, shellMark] : marks;
}

function idsOf(client: Client, env: Environment): string[] {
  return client.sessionVariables.flatMap((name) => env[name] || []);
}
