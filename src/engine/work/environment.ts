// The environments that our programs run in: the user's own. A reviewer's keeps it from firing our hook again; a check
// finds nothing of the client around it, as if the user had started it.

import { variablesOf } from '../../clients/headless/environment.ts';
import { clients } from '../../clients/index.ts';
import { DRIVER_VARIABLE, type Environment } from '../../store/environment.ts';

export function reviewerEnvironment(env: Environment): Environment {
  const { HOLDFAST_EXTRA_CA_CERTS: _, ...rest } = env;
  const secrets = clients.flatMap(({ secretVariables = [] }) => secretVariables);
  return { ...without(rest, [...secrets, DRIVER_VARIABLE]), HOLDFAST_DISABLE: '1', ...certificates(env) };
}

export function checkEnvironment(env: Environment): Environment {
  return { CI: '1', ...usersEnvironment(env) };
}

/** Nothing of ours, and nothing of the client's. */
export function usersEnvironment(env: Environment): Environment {
  const ours = Object.keys(env).filter((name) => name.startsWith('HOLDFAST_'));
  return { ...without(env, [...ours, ...clients.flatMap(variablesOf)]), ...certificates(env) };
}

/** The launcher hid this from our own node, where loading the certificates would triple its start. */
function certificates({ HOLDFAST_EXTRA_CA_CERTS: hidden }: Environment): Environment {
  return hidden === undefined ? {} : { NODE_EXTRA_CA_CERTS: hidden };
}

function without(env: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
