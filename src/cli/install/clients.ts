// The clients that Holdfast can be installed in, and which of them the user means with `--client`.

import type { Client } from '../../clients/client.ts';
import { clients } from '../../clients/index.ts';
import { type Call, WrongUsage } from '../../engine/workflow-cli.ts';

export type InstallableClient = Client & { install: NonNullable<Client['install']> };

export const installable: readonly InstallableClient[] = clients.filter(
  (client): client is InstallableClient => client.install !== undefined,
);

/** As `--client` takes them. */
export const clientWords: readonly string[] = [...installable.map(({ install }) => install.program), 'all'];

/** `all`: none is left out. `asked`: one that is missing is a failure. */
export type ChosenClients = { clients: readonly InstallableClient[]; all: boolean; asked: boolean };

/** Without `--client`: those that are there. */
export function chosenClients(flags: Call['flags']): ChosenClients {
  const { client: word } = flags;
  if (word === undefined || word === 'all')
    return { clients: installable, all: true, asked: word !== undefined };
  const named = installable.filter(({ name, install }) => name === word || install.program === word);
  if (named.length > 0) return { clients: named, all: false, asked: true };
  throw new WrongUsage(`--client is ${inWords(clientWords, 'or')}, not "${word}".`);
}

export function titlesOf(list: readonly Client[], word: 'and' | 'or' = 'and'): string {
  return inWords(
    list.map(({ title }) => title),
    word,
  );
}

/** a, b and c */
export function inWords(list: readonly string[], word: 'and' | 'or'): string {
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} ${word} ${list.at(-1)}`;
}
