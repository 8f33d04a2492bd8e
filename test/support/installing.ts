// What the tests of the clients' installers have in common: two plugins are wanted, by a user on a machine of programs.ts.

import type { FoundClient, Installer, Removal, Surroundings, Wishes } from '../../src/clients/installer.ts';
import type { Programs } from './programs.ts';

/** The marketplace's folder; nothing need be there. */
export const dist = '/home/dev/holdfast/dist';

export const wishes = ({ project }: Programs, folder = dist): Wishes => ({
  source: { folder, version: '0.6.0', workflows: ['idle'] },
  plugins: ['holdfast', 'idle'],
  scope: 'user',
  cwd: project,
});

/** Where it must be there. */
export async function look(installer: Installer, { project }: Programs): Promise<FoundClient> {
  const client = await installer.look(project);
  if (client === null) throw new Error('the client was not found');
  return client;
}

export const how = (
  { project, env }: Programs,
  dryRun = false,
): Surroundings & { trust: boolean; dryRun: boolean } => ({
  ...{ cwd: project, env, cli: 'holdfast', trust: false, dryRun },
});

export const removal = (here: Programs, dryRun = false): Removal => ({
  ...how(here, dryRun),
  scope: null,
  known: [],
});
