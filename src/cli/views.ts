// The views with their libraries: built beside the plugins, in no plugin, and loaded by the commands that show them.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { NotNow } from '../engine/workflow-cli.ts';
import { below } from '../store/paths.ts';
import type { watch } from '../views/watch/index.tsx';
import type { serve } from '../views/web/index.ts';

export type Views = {
  /** The folder of the built page. */
  page: string;
  web(): Promise<{ serve: typeof serve }>;
  watch(): Promise<{ watch: typeof watch }>;
};

/** `command` is what was asked for. */
export function findViews(command: string): Views {
  const folder = below(path.dirname(path.dirname(__dirname)), 'views');
  const loader = below(folder, 'load.cjs');
  if (!fs.existsSync(loader))
    throw new NotNow(
      `the views are not part of the plugin that a client copies, which this is (${path.dirname(__dirname)}). In the clone you installed it from, run \`npx holdfast ${command}\`.`,
    );
  const load: { load(name: string): Promise<never> } = createRequire(loader)(loader);
  return { page: below(folder, 'page'), web: () => load.load('web'), watch: () => load.load('watch') };
}
