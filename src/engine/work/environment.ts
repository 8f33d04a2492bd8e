// The environment a reviewer runs in: the user's own, plus what keeps it from firing our hook again.

import type { Environment } from '../../store/environment.ts';

export function programEnvironment(env: Environment): Environment {
  const { HOLDFAST_EXTRA_CA_CERTS: certificates, ...rest } = env;
  return {
    ...rest,
    HOLDFAST_DISABLE: '1',
    // The launcher hid this from our own node, where loading the certificates would triple its start.
    ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
  };
}
