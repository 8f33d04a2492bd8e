// The environment of a client that the driver starts: the user's own, as if they had started it. Of a client around the
// driver nothing is left in it: its session is not this one.

import type { Environment } from '../../store/environment.ts';
import type { Client } from '../client.ts';

export function clientEnvironment(env: Environment, clients: readonly Client[]): Environment {
  const { HOLDFAST_EXTRA_CA_CERTS: certificates, ...rest } = env;
  const theirs = new Set(clients.flatMap(variablesOf));
  const own = Object.entries(rest).filter(([name]) => !theirs.has(name));
  return {
    ...Object.fromEntries(own),
    // The launcher hid this from our own node.
    ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
  };
}

/** What a client puts into the environment of what it starts. */
export function variablesOf(client: Client): string[] {
  const { sessionVariables, secretVariables = [], hookVariables = [] } = client;
  const { shellMark, pidVariable, startVariable } = client;
  const single = [shellMark?.split('=')[0], pidVariable, startVariable];
  return [...sessionVariables, ...secretVariables, ...hookVariables, ...single.flatMap((name) => name ?? [])];
}
