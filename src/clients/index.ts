// The clients we know, and which of them a stop comes from. Adding a client: one file, one line here.

import type { Environment } from '../store/environment.ts';
import { claudeCode } from './claude-code.ts';
import type { Client, Payload } from './client.ts';
import { codex } from './codex.ts';
import { generic } from './generic.ts';
import type { ClientName, Stop } from './stop.ts';

const byName: Readonly<Record<ClientName, Client>> = { 'claude-code': claudeCode, codex, generic };

export const clients: readonly Client[] = Object.values(byName);

export function clientNamed(name: ClientName): Client {
  return byName[name];
}

/** `named` is the client the hook was told (`--client`); without it, the payload itself tells. Never throws. */
export function decodeStop(payload: Payload, named: ClientName | null): { client: Client; stop: Stop } {
  const client = named === null ? recognise(payload) : clientNamed(named);
  return { client, stop: client.decode(payload) };
}

/** A hook fired by hand sends little more than a cwd; its answer is written the way both known clients take it. */
function recognise(payload: Payload): Client {
  return clients.find((client) => client.recognises(payload)) ?? claudeCode;
}

/** The session ids a command of ours finds in its environment: those of the agent that ran it. */
export function sessionsOf(env: Environment): readonly string[] {
  const ids = clients.flatMap((client) => client.sessionVariables).map((name) => env[name]);
  return [...new Set(ids.filter((id): id is string => Boolean(id)))];
}
