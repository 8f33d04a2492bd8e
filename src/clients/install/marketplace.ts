// The marketplace folder that clients install from: the folder this very command line lies in, when that is
// one. A client's own copy of the plugin is not; there the folder the client remembers is used.

import path from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';

export const MARKETPLACE = 'holdfast';

/** The plugin with the hooks; the others are workflows and depend on it. */
export const CORE = 'holdfast';

export type Marketplace = { folder: string; version: string; workflows: readonly string[] };

const manifest = v.object({
  name: v.literal(MARKETPLACE),
  plugins: v.array(v.object({ name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/)) })),
});
const pluginManifest = v.object({ version: v.string() });

export const pluginId = (plugin: string): string => `${plugin}@${MARKETPLACE}`;

export const isOurs = (id: string): boolean => id.endsWith(`@${MARKETPLACE}`);

/** The bundle lies in `<marketplace>/holdfast/lib`. */
export function ownFolder(): string {
  return path.resolve(__dirname, '..', '..');
}

/** Null when the folder is not a built marketplace of Holdfast. */
export function readMarketplace(folder: string): Marketplace | null {
  const found = v.safeParse(manifest, readJson(path.join(folder, '.claude-plugin', 'marketplace.json')));
  const core = v.safeParse(
    pluginManifest,
    readJson(path.join(folder, CORE, '.claude-plugin', 'plugin.json')),
  );
  if (!found.success || !core.success) return null;
  const names = found.output.plugins.map((plugin) => plugin.name);
  return { folder, version: core.output.version, workflows: names.filter((name) => name !== CORE) };
}

function readJson(file: string): unknown {
  try {
    return parseJson(readOwn(file));
  } catch {
    return undefined;
  }
}
