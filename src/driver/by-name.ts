// A client that runs a copy of us, or no program by a path out of the project, calls us by our name: it is on its PATH,
// allowed by that name, and said so in everything that its agent is given.

import type { Access, Headless } from '../clients/headless.ts';
import { BY_NAME_VARIABLE, type Environment } from '../store/environment.ts';

const NAME = 'holdfast';

export type Called = {
  /** How the agent calls us. */
  cli: string;
  env: Environment;
  allowed: readonly string[];
};

/** `cli`: by its path, as the command lines that are allowed name it. `bin`: its folder. */
export function calledIn(
  { callsByName }: Pick<Headless, 'callsByName'>,
  access: Access,
  { cli, bin, env, allowed }: Called & { bin: string },
): Called {
  if (!callsByName || access === 'full') return { cli, env, allowed };
  return {
    cli: NAME,
    env: { ...env, PATH: [bin, ...(env.PATH ? [env.PATH] : [])].join(':'), [BY_NAME_VARIABLE]: '1' },
    allowed: allowed.map((line) => (line === cli ? NAME : line)),
  };
}
