// How Holdfast is put into a client, taken out of it and checked. Loaded by commands, never by the hook.

import type { Environment } from '../store/environment.ts';
import type { Marketplace } from './install/marketplace.ts';

export type Scope = 'user' | 'project';

/** What the user asked `install` for. */
export type Wishes = {
  source: Marketplace;
  /** The core first, then the workflows. */
  plugins: readonly string[];
  scope: Scope;
  cwd: string;
};

/** What was said, whether all is as it was wanted, and whether anything is different now. */
export type Outcome = { good: boolean; changed: boolean; lines: readonly string[] };

/** `cli`: how a user calls our command line. */
export type Surroundings = { cwd: string; env: Environment; cli: string };

export type Installer = {
  /** Null: it is not on PATH. Throws ClientFailed where the client will not say what is installed. */
  look(cwd: string): Promise<FoundClient | null>;
};

/** A client that is there, as it stood when it was looked at. */
export type FoundClient = {
  /** The marketplace folder it remembers. */
  source: string | null;
  hasPlugins: boolean;
  install(wishes: Wishes, how: Surroundings & { trust: boolean; dryRun: boolean }): Promise<Outcome>;
  uninstall(how: Removal): Promise<Outcome>;
  /** Shows our line in its status line, where the user has none. Left out: it has no status line of a user's command. */
  statusLine?(how: Surroundings & { dryRun: boolean }): Outcome;
  /** For `doctor`. */
  check(here: Surroundings): Promise<readonly ClientFinding[]>;
};

export type Removal = Surroundings & {
  /** Null: all of them. */
  scope: Scope | null;
  /** The marketplace's plugins, for when the client can no longer list them. */
  known: readonly string[];
  dryRun: boolean;
};

/** `absent`: a fault only where no other client has the plugin, since not everyone uses all of them. */
export type ClientFinding = {
  result: 'good' | 'fair' | 'bad';
  what: string;
  fix: string | null;
  absent?: true;
};

export function notInstalled(about: string, fix: string): ClientFinding {
  return { result: 'bad', what: `${about}: the Holdfast plugin is not installed in it`, fix, absent: true };
}
