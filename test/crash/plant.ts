// Builds the plugin with one defect planted in it: one file is put in another's place, the same but for a line.
// The suites must find each of them; that is the proof that they can fail.

import fs from 'node:fs';
import path from 'node:path';
// @ts-expect-error a build script, without types
import { bundle } from '../../scripts/bundle.mjs';

export type Defect = {
  name: string;
  /** Relative to src/. */
  file: string;
  /** What stands there, exactly once, and what stands there instead. */
  from: string;
  to: string;
};

const ROOT = path.resolve(import.meta.dirname, '../..');
const HEALTHY = process.env.HOLDFAST_TEST_PLUGIN ?? path.join(ROOT, 'dist', 'holdfast');

/** Answers with the folder of a plugin that has the defect; some show only together with another. */
export async function plant(defect: Defect, ...more: readonly Defect[]): Promise<string> {
  const plugin = path.join(ROOT, '.test-build', 'planted', defect.name);
  fs.rmSync(plugin, { recursive: true, force: true });
  fs.cpSync(HEALTHY, plugin, { recursive: true });
  const replace = Object.fromEntries([defect, ...more].map((each) => writePlanted(each, plugin)));
  const entries = { hook: path.join(ROOT, 'src/hook/main.ts'), cli: path.join(ROOT, 'src/cli/main.ts') };
  const options = { define: { HOLDFAST_VERSION: '"0.0.0"' }, replace };
  await bundle(entries, path.join(plugin, 'lib'), options);
  return plugin;
}

/** Writes the file with the defect in it below `folder`; answers with both, as `replace` of the bundler takes them. */
export function writePlanted(
  { name, file, from, to }: Defect,
  folder: string,
): [healthy: string, planted: string] {
  const healthy = path.join(ROOT, 'src', file);
  const source = fs.readFileSync(healthy, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${name}: src/${file} does not hold once: ${from}`);
  const planted = path.join(folder, 'planted', path.basename(file));
  fs.mkdirSync(path.dirname(planted), { recursive: true });
  const text = source.replace(from, () => to);
  fs.writeFileSync(planted, moved(text, path.dirname(healthy), path.dirname(planted)));
  return [healthy, planted];
}

/** Imports are relative to where the file stands. */
function moved(source: string, from: string, to: string): string {
  return source.replace(/(from |import\()'(\.[^']+)'/g, (_, before, imported) => {
    const target = path.relative(to, path.resolve(from, imported));
    return `${before}'${target.startsWith('.') ? target : `./${target}`}'`;
  });
}
