// A client that runs a copy of us, or no program by a path out of the project, calls us by our name: it is on its PATH,
// allowed by that name, and said so in everything that its agent is given.

import type { Access, Headless } from '../clients/headless.ts';
import { BY_NAME_VARIABLE, type Environment } from '../store/environment.ts';

const NAME = 'holdfast';

export type Called = {
  /** How the agent calls us. */
  cli: string;
  env: Environment;
  /** The command lines of ours that it may call. */
  ours: readonly string[];
};

/** `cli`: by its path. `bin`: its folder. `commands`: of ours, as they are typed after the name. */
export function calledIn(
  { callsByName }: Pick<Headless, 'callsByName'>,
  access: Access,
  { cli, bin, env, commands }: Omit<Called, 'ours'> & { bin: string; commands: readonly string[] },
): Called {
  const linesOf = (name: string): string[] => commands.map((words) => `${name} ${words}`);
  if (!callsByName || access === 'full') return { cli, env, ours: linesOf(cli) };
  return {
    cli: NAME,
    env: { ...env, PATH: [bin, ...(env.PATH ? [env.PATH] : [])].join(':'), [BY_NAME_VARIABLE]: '1' },
    ours: linesOf(NAME),
  };
}
